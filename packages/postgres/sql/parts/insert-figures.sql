insert into minutebook.figure (tenant, hour, key, model, slot, {figure-columns})
  select $tenant, $hour::integer, by_key.key, by_model.model, pg_backend_pid() % {slots}, {figure-values}
  from {counted-if} (
    select case
      when exists (select from minutebook.figure where tenant = $tenant and hour = $hour and key = $count_key::text) then $count_key
      when (select count(distinct key) from minutebook.figure where tenant = $tenant and hour = $hour) < {most-keys} then $count_key
      else '' end as key
  ) as by_key, lateral (
    select case
      when exists (
        select from minutebook.figure where tenant = $tenant and hour = $hour and key = by_key.key and model = $model::text
      ) then $model
      when (
        select count(distinct model) from minutebook.figure where tenant = $tenant and hour = $hour and key = by_key.key
      ) < {most-models} then $model
      else '' end as model
  ) as by_model
  on conflict (tenant, hour, key, model, slot) do update set {figure-sums}
