select {entry-columns} from minutebook.entry
where thread = $1 and tenant = $2 and key = $3 and seq >= $4 and seq < $5
order by seq desc limit $6
