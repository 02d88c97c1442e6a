-- A thread without entries, fenced from the runners of what it had.
update minutebook.thread
set head = null, length = 0, written = null, term = term + 1, erasures = erasures + 1
where thread = $1 and tenant = $2 and (length > 0 or term > 0 or erasures > 0)
