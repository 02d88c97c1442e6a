-- Jobs that are being run: whether somebody holds their session lock, and how many milliseconds ago they were taken up. Any login
-- may hold such a lock: that of a role that may not read the secret of the database does not count.
select job.id, job.retry_count as "retryCount", extract(epoch from clock_timestamp() - job.started_on)::float8 * 1000 as age, exists (
  select from pg_locks
  join pg_stat_activity using (pid)
  where locktype = 'advisory' and objsubid = 1 and granted
    and (classid::bigint << 32) | objid::bigint = hashtextextended(job.id::text || ' ' || job.retry_count, 0)
    and database = (select oid from pg_database where datname = current_database())
    and has_table_privilege(usesysid, 'minutebook.secret', 'select')
) as "isLocked"
from {table} as job
where job.state = 'active' and job.name = $1
