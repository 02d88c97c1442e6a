-- By their keys, one by one: a join might read all pieces of the thread instead. In any order, so that nothing is sorted.
-- The driver reads all values as text. This is the shortest for bytes.
select wanted.place::integer as place, (
    select encode(content, 'base64') from minutebook.piece
    where thread = $1 and tenant = $2 and segment = wanted.segment and number = wanted.number
  ) as content
from unnest($3::text[], $4::integer[]) with ordinality as wanted (segment, number, place)
