with page as (
  select thread, name, head, length, term, erasures, written from minutebook.thread
  where tenant = $tenant and length > 0 and (written, thread) < ($written::timestamptz, $thread)
  order by written desc, thread desc limit $most
)
select thread, name, head, length, term, erasures, written::text, {thread-metadata} as pairs
from page order by page.written desc, thread desc
