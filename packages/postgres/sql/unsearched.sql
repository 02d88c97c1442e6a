select thread, searched, length from minutebook.thread
where tenant = $1 and searched < length and ($2::text is null or thread = $2)
limit 1 for update
