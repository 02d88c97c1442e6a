-- The lock keeps erasures out until the transaction ends, and nobody else.
select erasures from minutebook.thread where thread = $1 and tenant = $2 for key share
