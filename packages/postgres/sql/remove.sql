with chosen as (
  select thread from minutebook.thread
  where tenant = $1 and ($2::timestamptz is null or written < $2)
  limit $3 for update skip locked
), threads as (
  delete from minutebook.thread using chosen where thread.thread = chosen.thread and tenant = $1 returning thread.thread, name
), entries as (
  delete from minutebook.entry using chosen where entry.thread = chosen.thread and tenant = $1 returning 1
), snapshots as (
  delete from minutebook.snapshot using chosen where snapshot.thread = chosen.thread and tenant = $1 returning 1
), words as (
  delete from minutebook.word using chosen where word.thread = chosen.thread and tenant = $1 returning 1
)
select thread, name, (select count(*)::integer from entries) as entries, (select count(*)::integer from snapshots) as snapshots
from threads
