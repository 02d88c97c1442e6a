-- No row: it is not there. A segment without pieces is one row of nulls.
select piece.number, encode(piece.content, 'base64') as content
from minutebook.segment left join minutebook.piece
  on piece.thread = $1 and piece.tenant = $2 and piece.segment = segment.segment
where segment.thread = $1 and segment.tenant = $2 and segment.segment = $3
