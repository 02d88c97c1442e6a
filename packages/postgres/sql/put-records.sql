-- Writes records of a thread. One that has this value already stays as it is.
insert into minutebook.record (thread, tenant, thread_name, name, key, key_name, value, version, written)
select $1, $2, $3, record.name, record.key, record.key_name, record.value, 1, clock_timestamp()
from unnest($4::text[], $5::text[], $6::text[], $7::text[]) as record (name, key, key_name, value)
on conflict (thread, tenant, name, key) do update
set value = excluded.value, version = record.version + 1, written = excluded.written
where record.value <> excluded.value
