-- Adds entries that the thread does not have, under its terms. No row: the thread is not there, or its terms do not hold.
-- append-after does the same and also looks up parents that are not among these entries; here that would cost a plan
-- for each append even if there are none. append-with does the same and also writes records. The three insert alike.
-- An entry that is there already violates entry_id, which undoes the whole statement.
with advanced as (
  update minutebook.thread
  set length = length + cardinality($3::bytea[]), head = coalesce($6, head), written = clock_timestamp()
  where thread = $1 and tenant = $2
    and ($7::integer is null or term = $7)
    and (not $8::boolean or head is not distinct from $9::bytea)
  returning head, length, term, erasures, written
), added as (
  insert into minutebook.entry (thread, tenant, seq, id, payload, checksum, written, key)
  select $1, $2, advanced.length - cardinality($3) + line.place - 1, line.id, line.payload, line.checksum, advanced.written, line.key
  from advanced, unnest($3, $4::text[], $5::bytea[], $10::text[]) with ordinality as line (id, payload, checksum, key, place)
)
select head, length, term, erasures from advanced
