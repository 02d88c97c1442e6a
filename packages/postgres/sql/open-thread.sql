insert into minutebook.thread (thread, tenant, name) values ($1, $2, $3) on conflict (thread, tenant) do nothing
