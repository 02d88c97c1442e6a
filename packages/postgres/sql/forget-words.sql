delete from minutebook.word where thread = $1 and tenant = $2 and seq = any ($3)
