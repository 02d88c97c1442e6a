-- Segments of threads that are not there. Their pieces are found by them: no key of the pieces begins with the tenant.
with removed as (
  delete from minutebook.segment where tenant = $1
    and not exists (select 1 from minutebook.thread where thread.thread = segment.thread and thread.tenant = $1 and length > 0)
  returning thread, segment
)
delete from minutebook.piece using removed
where piece.thread = removed.thread and piece.tenant = $1 and piece.segment = removed.segment
