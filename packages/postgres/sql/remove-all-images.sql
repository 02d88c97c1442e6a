delete from minutebook.image where thread = any ($1::text[]) and tenant = $2 returning 1
