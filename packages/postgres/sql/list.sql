select thread, name, head, length, term, erasures, written::text from minutebook.thread
where tenant = $1 and length > 0 and (written, thread) < ($2::timestamptz, $3)
order by written desc, thread desc limit $4
