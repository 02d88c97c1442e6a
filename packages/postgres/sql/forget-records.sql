-- What goes with a thread, but for the names that stay.
delete from minutebook.record where thread = $1 and tenant = $2 and name <> all ($3::text[]) returning 1
