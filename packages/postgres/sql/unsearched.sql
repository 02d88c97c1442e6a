-- One that has entries which are not in the index yet. Not locked here: of those that are looked at, one would be locked after the other.
-- In the order of the index of such threads, which else might not be used.
select thread from minutebook.thread
where tenant = $1 and searched < length
order by searched limit 1
