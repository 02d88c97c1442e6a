select thread, thread_name, name, key, key_name, value, version from minutebook.record
where tenant = $1 and name = $2 and ($3::text is null or key = $3)
order by written desc, thread, key limit $4
