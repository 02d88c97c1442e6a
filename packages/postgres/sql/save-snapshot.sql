-- The lock keeps erasures out, and no other writer: what is saved now was there when it was read. A thread that is gone has
-- no row: nothing that was read of it is saved.
with held as (
  select erasures from minutebook.thread where thread = $1 and tenant = $2 for key share
), forgotten as (
  delete from minutebook.snapshot where $7::boolean and thread = $1 and tenant = $2 and name = $3 and seq < $4
)
insert into minutebook.snapshot (thread, tenant, name, seq, value)
select $1, $2, $3, $4, $5 where $6::integer is null or $6 = (select erasures from held)
on conflict (thread, tenant, name, seq) do update set value = excluded.value
