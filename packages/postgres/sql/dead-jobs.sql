-- Jobs that are being run, and whose session lock nobody holds. Whoever has just taken one up has half a second to lock it.
select job.id, job.retry_count as "retryCount" from $table as job
where job.state = 'active' and job.name = $1 and job.started_on < clock_timestamp() - interval '500 milliseconds' and not exists (
  select from pg_locks
  where locktype = 'advisory' and objsubid = 1 and granted
    and (classid::bigint << 32) | objid::bigint = hashtextextended(job.id::text || ' ' || job.retry_count, 0)
    and database = (select oid from pg_database where datname = current_database())
)
