-- With the thread locked: who else writes to it or erases from it waits.
insert into minutebook.image (thread, tenant, hash, content)
select $1, $2, image.hash, image.content from unnest($3::bytea[], $4::text[]) as image (hash, content)
on conflict do nothing
