-- One that has entries which are not in the index yet. Not locked here: of those that are looked at, one would be locked after the other.
select thread from minutebook.thread
where tenant = $1 and searched < length and ($2::text is null or thread = $2)
limit 1
