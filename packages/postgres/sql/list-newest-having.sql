-- The same for pairs that many threads have: only the newest threads are looked through, which mostly is enough for a page.
with newest as (
  select thread, name, head, length, term, erasures, written from minutebook.thread
  where tenant = $tenant and length > 0 and (written, thread) < ($written::timestamptz, $thread)
  order by written desc, thread desc limit $searched
), page as (
  select * from newest where cardinality($keys::text[]) = (
    select count(*) from unnest($keys, $values::text[]) as asked (key, value)
    join minutebook.record on record.key = asked.key and record.value = asked.value
    where record.thread = newest.thread and record.tenant = $tenant and record.name = 'metadata'
  )
  order by written desc, thread desc limit $most
)
select thread, name, head, length, term, erasures, written::text, {thread-metadata} as pairs
from page order by page.written desc, thread desc
