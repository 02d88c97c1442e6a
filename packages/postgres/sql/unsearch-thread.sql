update minutebook.thread set searched = 0 where thread = $1 and tenant = $2
