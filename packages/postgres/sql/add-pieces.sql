-- The pieces come as one value, one after another, because that is sent as bytes. A list of values would be sent as text.
insert into minutebook.piece (thread, tenant, segment, number, content)
select $1, $2, added.segment, added.number, substring($3::bytea from added.start for added.length)
from unnest($4::text[], $5::integer[], $6::integer[], $7::integer[]) as added (segment, number, start, length)
