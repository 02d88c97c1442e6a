-- The instances of a queue that are there: each holds a session lock, by the number of its connection.
select objid::bigint::text as instance
from pg_locks
where locktype = 'advisory' and objsubid = 2 and granted
  and classid::bigint = (hashtext($1)::bigint & 4294967295)
  and database = (select oid from pg_database where datname = current_database())
