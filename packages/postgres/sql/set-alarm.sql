insert into {table} (queue, at, tenant, thread, tenant_name, thread_name)
values ($queue, $at, $tenant, $thread, $tenant_name, $thread_name)
on conflict do nothing
