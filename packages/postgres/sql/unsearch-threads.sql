update minutebook.thread set searched = 0 where thread = any ($1::text[]) and tenant = $2
