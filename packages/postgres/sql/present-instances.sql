-- The instances of a queue that are there: each holds a session lock, by the number of its connection. Any login may hold such
-- locks: those of roles that may not read the secret of the database do not count.
select objid::bigint::text as instance
from pg_locks
join pg_stat_activity using (pid)
where locktype = 'advisory' and objsubid = 2 and granted
  and classid::bigint = (hashtext($1)::bigint & 4294967295)
  and database = (select oid from pg_database where datname = current_database())
  and has_table_privilege(usesysid, 'minutebook.secret', 'select')
