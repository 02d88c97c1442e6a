-- Threads that were claimed and never written to, snapshots of threads that are not there, and records of such threads. The tenant's own records stay: keys are among them.
with threads as (
  delete from minutebook.thread where tenant = $1 and length = 0 returning coalesce(name, thread) as name
), snapshots as (
  delete from minutebook.snapshot where tenant = $1
    and not exists (select 1 from minutebook.thread where thread.thread = snapshot.thread and thread.tenant = $1 and length > 0)
  returning 1
), records as (
  delete from minutebook.record where tenant = $1 and thread <> '\-'
    and not exists (select 1 from minutebook.thread where thread.thread = record.thread and thread.tenant = $1 and length > 0)
)
select array_to_json(array(select name from threads))::text as names, 0 as entries, (select count(*)::integer from snapshots) as snapshots
