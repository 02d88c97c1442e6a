select searched, length from minutebook.thread
where thread = $1 and tenant = $2
for update
