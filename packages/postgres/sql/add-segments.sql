-- Returns those that were not there. In order, so that two writers wait for each other at the first and not crosswise.
insert into minutebook.segment (thread, tenant, segment, name)
select $1, $2, added.segment, added.name from unnest($3::text[], $4::text[]) as added (segment, name)
order by added.segment
on conflict do nothing
returning segment
