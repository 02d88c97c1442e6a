-- Adds entries that the thread does not have, under its terms, and writes records of the thread with them. No row: the
-- thread is not there, its terms do not hold, or a parent is not in it; then no record is written either.
-- An entry that is there already violates entry_id, which undoes the whole statement.
with advanced as (
  {advance-thread}
    and {parents-exist}
  returning head, length, term, erasures, written
), added as (
  {insert-entries}
), put as (
  insert into minutebook.record (thread, tenant, thread_name, name, key, key_name, value, version, written)
  select $thread, $tenant, $thread_name, record.name, record.key, record.key_name, record.value, 1, advanced.written
  from advanced, unnest($record_names::text[], $record_keys::text[], $record_key_names::text[], $record_values::text[])
    as record (name, key, key_name, value)
  on conflict (thread, tenant, name, key) do update
  set value = excluded.value, version = record.version + 1, written = excluded.written
  where record.value <> excluded.value
)
select head, length, term, erasures from advanced
