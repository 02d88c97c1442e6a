select value from minutebook.snapshot
where thread = $1 and tenant = $2 and name = $3 and seq < $4
order by seq desc limit 1
