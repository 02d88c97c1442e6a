-- What the newest entries hold: enough for a word that is in many. The policy of the words must not have been told what is searched for, or
-- it would pass over all entries without it.
with newest as (
  select thread, seq, written, words from minutebook.word
  where tenant = $1
  order by written desc, seq desc, thread desc limit $3
), found as materialized (
  select thread, seq, written from newest where words @> $2::text[]
  order by written desc, seq desc, thread desc limit $4
)
select thread, thread.name, {entry-columns} from found
join minutebook.entry using (thread, seq)
join minutebook.thread using (thread)
where entry.tenant = $1 and thread.tenant = $1
order by found.written desc, seq desc, thread desc
