-- How many threads have the rarest of these pairs of metadata. Counts no further than it has to.
select min(found.count)::integer as count from unnest($keys::text[], $values::text[]) as asked (key, value), lateral (
  select count(*) from (
    select 1 from minutebook.record
    where tenant = $tenant and name = 'metadata' and key = asked.key and value = asked.value
    limit $most
  ) as counted
) as found
