update minutebook.thread set erasures = erasures + 1 where thread = $1 and tenant = $2
