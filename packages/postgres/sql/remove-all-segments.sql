with pieces as (
  delete from minutebook.piece where thread = any ($1::text[]) and tenant = $2
)
delete from minutebook.segment where thread = any ($1) and tenant = $2
