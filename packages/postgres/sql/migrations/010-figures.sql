-- What was counted of model calls, by the hour. Written with the entries of a call, summed when it is read. It belongs to
-- no thread and outlives all of them. Connections write to different rows (slots), so that they rarely wait for each other.

create table minutebook.figure (
  tenant text collate "C" not null,
  -- Since 1970.
  hour integer not null,
  -- Names are JSON. The empty text stands for all others.
  key text collate "C" not null,
  model text collate "C" not null,
  slot integer not null,
  calls bigint not null,
  failed bigint not null,
  cancelled bigint not null,
  resent bigint not null,
  unsent bigint not null,
  cut_calls bigint not null,
  omitted_calls bigint not null,
  clipped_calls bigint not null,
  clipped_questions bigint not null,
  sent_tokens bigint not null,
  reused_tokens bigint not null,
  read_tokens bigint not null,
  cached_tokens bigint not null,
  cut_tokens bigint not null,
  answer_tokens bigint not null,
  verbatim bigint not null,
  clipped bigint not null,
  recalled bigint not null,
  digested bigint not null,
  outlined bigint not null,
  omitted bigint not null,
  primary key (tenant, hour, key, model, slot)
) with (fillfactor = 50);

-- Names of keys and models are not in the samples of the planner: no plan depends on them.
alter table minutebook.figure alter key set statistics 0, alter model set statistics 0;

alter table minutebook.figure enable row level security;
alter table minutebook.figure force row level security;
create policy tenant on minutebook.figure using (tenant = current_setting('minutebook.tenant', true));
