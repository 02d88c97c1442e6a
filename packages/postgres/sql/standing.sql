select head, length, term, erasures from minutebook.thread where thread = $1 and tenant = $2
