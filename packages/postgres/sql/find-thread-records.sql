select thread, thread_name, name, key, key_name, value, version from minutebook.record
where thread = $1 and tenant = $2 and name = $3 and ($4::text is null or key = $4)
order by written desc, key limit $5
