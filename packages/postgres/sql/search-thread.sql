-- The same in one thread. Not one statement for both: a plan that is kept for both reads all entries of the words.
with found as materialized (
  select thread, seq, written from minutebook.word
  where tenant = $1 and thread = $5 and words @> $2::text[]
  order by written desc, seq desc, thread desc limit $3 offset $4
)
select thread, thread.name, {entry-columns} from found
join minutebook.entry using (thread, seq)
join minutebook.thread using (thread)
where entry.tenant = $1 and thread.tenant = $1
order by found.written desc, seq desc, thread desc
