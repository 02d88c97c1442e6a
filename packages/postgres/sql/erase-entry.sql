update minutebook.entry set payload = line.payload, checksum = line.checksum, key = null
from unnest($3::integer[], $4::text[], $5::bytea[]) as line (seq, payload, checksum)
where entry.thread = $1 and entry.tenant = $2 and entry.seq = line.seq
