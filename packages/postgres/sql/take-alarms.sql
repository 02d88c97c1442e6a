-- Takes alarms that are due, the earliest first. Another instance may be taking some at the same moment.
with due as (
  select at, tenant, thread from {table}
  where queue = $queue and at <= now()
  order by at
  limit 100
  for update skip locked
), taken as (
  delete from {table} as alarm using due
  where alarm.queue = $queue and alarm.at = due.at and alarm.tenant = due.tenant and alarm.thread = due.thread
  returning alarm.at, alarm.tenant, alarm.thread, alarm.tenant_name, alarm.thread_name
)
select tenant, thread, tenant_name, thread_name from taken order by at
