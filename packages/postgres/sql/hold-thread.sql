-- The lock keeps erasures out until the transaction ends, and keeps out no other writer.
select erasures from minutebook.thread where thread = $1 and tenant = $2 for key share
