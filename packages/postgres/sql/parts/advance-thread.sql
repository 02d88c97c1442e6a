update minutebook.thread
  set length = length + cardinality($ids::bytea[]), head = coalesce($new_head, head), written = clock_timestamp()
  where thread = $thread and tenant = $tenant
    and ($term::integer is null or term = $term)
    and (not $has_head::boolean or head is not distinct from $head::bytea)
