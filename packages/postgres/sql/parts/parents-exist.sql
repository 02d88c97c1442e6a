cardinality($parents::bytea[]) = (
      select count(*) from unnest($parents) as parent (id)
      where (select true from minutebook.entry where thread = $thread and tenant = $tenant and entry.id = parent.id)
    )
