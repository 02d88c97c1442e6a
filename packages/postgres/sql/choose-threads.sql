-- The oldest first. Locked before anything goes: whoever writes to one of them has ended by then, and what it wrote goes too.
select thread, coalesce(name, thread) as name from minutebook.thread
where tenant = $1 and length > 0
order by written, thread limit $2 for update
