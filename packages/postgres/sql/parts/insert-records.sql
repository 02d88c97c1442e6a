insert into minutebook.record (thread, tenant, thread_name, name, key, key_name, value, version, written)
  select $thread, $tenant, $thread_name, record.name, record.key, record.key_name, record.value, 1, advanced.written
  from advanced, unnest($record_names::text[], $record_keys::text[], $record_key_names::text[], $record_values::text[])
    as record (name, key, key_name, value)
  on conflict (thread, tenant, name, key) do update
  set value = excluded.value, version = record.version + 1, written = excluded.written
  where record.value <> excluded.value
