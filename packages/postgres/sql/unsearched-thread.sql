select thread from minutebook.thread where thread = $2 and tenant = $1 and searched < length
