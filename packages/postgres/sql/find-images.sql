select hash, content from minutebook.image where thread = $1 and tenant = $2 and hash = any ($3::bytea[])
