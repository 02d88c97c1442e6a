delete from minutebook.snapshot where thread = $1 and tenant = $2 returning seq
