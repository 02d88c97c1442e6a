-- Those of these threads that still are as they were listed. Who writes to one of them, or removes it, is not waited for: it is not among them.
select thread from minutebook.thread
join unnest($2::text[], $3::integer[], $4::integer[], $5::integer[]) as seen (thread, length, term, erasures)
  using (thread, length, term, erasures)
where tenant = $1
order by thread for update of thread skip locked
