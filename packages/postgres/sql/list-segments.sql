select segment, name from minutebook.segment where thread = $1 and tenant = $2
