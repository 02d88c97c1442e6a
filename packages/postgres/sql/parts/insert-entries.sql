insert into minutebook.entry (thread, tenant, seq, written, id, payload, checksum, key)
  select $thread, $tenant, advanced.length - cardinality($ids) + line.place - 1, advanced.written,
    line.id, line.payload, line.checksum, line.key
  from advanced, unnest($ids, $payloads::text[], $checksums::bytea[], $keys::text[])
    with ordinality as line (id, payload, checksum, key, place)
