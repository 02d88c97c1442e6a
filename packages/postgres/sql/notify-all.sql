-- A notification takes part in a commit, but has nothing to be written for.
with unhurried as materialized (select set_config('synchronous_commit', 'off', true))
select pg_notify(told.channel, told.payload) from unhurried, unnest($1::text[], $2::text[]) as told (channel, payload)
