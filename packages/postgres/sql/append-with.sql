-- Adds entries that the thread does not have, under its terms, and writes records of the thread with them. No row: the thread is not
-- there, its terms do not hold, or a parent is not in it; then no record is written either.
-- An entry that is there already violates entry_id, which undoes the whole statement.
with advanced as (
  update minutebook.thread
  set length = length + cardinality($3::bytea[]), head = coalesce($6, head), written = clock_timestamp()
  where thread = $1 and tenant = $2
    and ($7::integer is null or term = $7)
    and (not $8::boolean or head is not distinct from $9::bytea)
    and cardinality($11::bytea[]) = (
      select count(*) from unnest($11) as parent (id)
      where (select true from minutebook.entry where thread = $1 and tenant = $2 and entry.id = parent.id)
    )
  returning head, length, term, erasures, written
), added as (
  insert into minutebook.entry (thread, tenant, seq, id, payload, checksum, written, key)
  select $1, $2, advanced.length - cardinality($3) + line.place - 1, line.id, line.payload, line.checksum, advanced.written, line.key
  from advanced, unnest($3, $4::text[], $5::bytea[], $10::text[]) with ordinality as line (id, payload, checksum, key, place)
), put as (
  insert into minutebook.record (thread, tenant, thread_name, name, key, key_name, value, version, written)
  select $1, $2, $12, record.name, record.key, record.key_name, record.value, 1, advanced.written
  from advanced, unnest($13::text[], $14::text[], $15::text[], $16::text[]) as record (name, key, key_name, value)
  on conflict (thread, tenant, name, key) do update
  set value = excluded.value, version = record.version + 1, written = excluded.written
  where record.value <> excluded.value
)
select head, length, term, erasures from advanced
