select {entry-columns}, thread.length from minutebook.entry
join minutebook.thread using (thread, tenant)
where thread = $1 and tenant = $2 and id = $3
