-- The same, only threads that have all of these pairs of metadata.
with having_all as materialized (
  select record.thread from unnest($keys::text[], $values::text[]) as asked (key, value)
  join minutebook.record on record.key = asked.key and record.value = asked.value
  where record.tenant = $tenant and record.name = 'metadata'
  group by record.thread having count(*) = cardinality($keys)
), page as (
  select thread, name, head, length, term, erasures, written from having_all join minutebook.thread using (thread)
  where tenant = $tenant and length > 0 and (written, thread) < ($written::timestamptz, $thread)
  order by written desc, thread desc limit $most
)
select thread, name, head, length, term, erasures, written::text, {thread-metadata} as pairs
from page order by page.written desc, thread desc
