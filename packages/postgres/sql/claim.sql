insert into minutebook.thread (thread, tenant, name, term) values ($1, $2, $3, 1)
on conflict (thread, tenant) do update set term = thread.term + 1
returning head, length, term, erasures
