select word.thread, thread.name, word.seq, entry.payload, entry.checksum
from minutebook.word
join minutebook.entry using (thread, tenant, seq)
join minutebook.thread using (thread, tenant)
where word.tenant = $1 and word.words @> $2::text[] and ($3::text is null or word.thread = $3)
order by word.written desc, word.seq desc limit $4 offset $5
