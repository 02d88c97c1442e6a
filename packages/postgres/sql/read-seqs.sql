select {entry-columns} from minutebook.entry
where thread = $1 and tenant = $2 and seq = any ($3::integer[])
order by seq
