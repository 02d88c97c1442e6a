-- Threads without entries, fenced from the runners of what they had.
update minutebook.thread
set head = null, length = 0, written = null, term = term + 1, erasures = erasures + 1
where thread = any ($1::text[]) and tenant = $2 and (length > 0 or term > 0 or erasures > 0)
