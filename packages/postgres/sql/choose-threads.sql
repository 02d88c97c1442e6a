-- The oldest first. Locked before anything goes: whoever writes to one of them has ended by then, and what it wrote goes too.
select thread, coalesce(name, thread) as name from minutebook.thread
where tenant = $1 and length > 0 and ($2::timestamptz is null or written < $2)
order by written, thread limit $3 for update
