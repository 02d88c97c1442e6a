-- Whether a run of the thread waits to begin: then it will see all that is on record now.
select exists (
  select from {table}
  where name = $1 and singleton_key = $2 and state < 'active' and not blocked and policy = 'key_strict_fifo'
) as waits
