delete from minutebook.record
where thread = $1 and tenant = $2 and name = $3 and ($4::text is null or key = $4)
returning 1
