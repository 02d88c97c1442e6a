-- Fails if this transaction has not written to the thread, which undoes all of it.
select 1 / count(*)::integer as written from minutebook.thread
where thread = $1 and tenant = $2 and xmin = pg_current_xact_id()::xid
