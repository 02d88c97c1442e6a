delete from minutebook.word where thread = any ($1::text[]) and tenant = $2
