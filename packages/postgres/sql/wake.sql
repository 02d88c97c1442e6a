-- In the transaction that it tells of, so it is heard when that is committed. It must not hurry that commit, as notify.sql does.
select pg_notify($1, $2)
