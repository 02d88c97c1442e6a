select {entry-columns} from minutebook.entry where thread = $1 and tenant = $2 and id = any ($3)
