-- Writes a record that is not there. No row: there is one.
insert into minutebook.record (thread, tenant, thread_name, name, key, key_name, value, version, written)
values ($1, $2, $3, $4, $5, $6, $7, 1, clock_timestamp())
on conflict (thread, tenant, name, key) do nothing
returning version
