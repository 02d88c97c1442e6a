delete from minutebook.thread where thread = any ($1::text[]) and tenant = $2
