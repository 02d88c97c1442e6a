-- Takes alarms that are due, of all tenants, the earliest first. Another instance may be taking some at the same moment.
with taken as (
  delete from {table}
  where ctid = any (array (
    select ctid from {table}
    where queue = $queue and at <= now()
    order by at
    limit 100
    for update skip locked
  ))
  returning at, tenant, thread, tenant_name, thread_name
)
select tenant, thread, tenant_name, thread_name from taken order by at
