-- The oldest first, without those that were written to since a time.
with page as (
  select thread, name, head, length, term, erasures, written from minutebook.thread
  where tenant = $tenant and length > 0 and written < $since::timestamptz and (written, thread) > ($written::timestamptz, $thread)
  order by written, thread limit $most
)
select thread, name, head, length, term, erasures, written::text, {thread-metadata} as pairs
from page order by page.written, thread
