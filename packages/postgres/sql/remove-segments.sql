with pieces as (
  delete from minutebook.piece where thread = $1 and tenant = $2 and segment = any ($3::text[])
)
delete from minutebook.segment where thread = $1 and tenant = $2 and segment = any ($3)
