select {entry-columns} from minutebook.entry
where thread = $1 and tenant = $2 and seq >= $3 and seq < $4
order by seq desc limit $5
