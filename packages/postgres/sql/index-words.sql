with indexed as (
  update minutebook.thread set searched = $3 where thread = $1 and tenant = $2
)
insert into minutebook.word (thread, tenant, seq, written, words)
select $1, $2, entry.seq, entry.written, string_to_array(line.words, ' ')
from unnest($4::integer[], $5::text[]) as line (seq, words)
join minutebook.entry on entry.thread = $1 and entry.tenant = $2 and entry.seq = line.seq
on conflict do nothing
