-- Threads, their entries, values worked out from them, and records: values of the program's own.
-- The thread stands first in every key, so that a thread can live on any shard; no sequence, trigger or foreign key goes across.

create table minutebook.thread (
  thread text collate "C" not null,
  tenant text collate "C" not null,
  -- The whole name, where `thread` is only its digest.
  name text,
  head bytea,
  length integer not null default 0,
  term integer not null default 0,
  -- How often something of it was erased.
  erasures integer not null default 0,
  -- When its newest entry was written.
  written timestamptz,
  primary key (thread, tenant)
) with (fillfactor = 80);

create index thread_written on minutebook.thread (tenant, written desc, thread desc) where length > 0;

create table minutebook.entry (
  thread text collate "C" not null,
  tenant text collate "C" not null,
  seq integer not null,
  id bytea not null,
  -- Text and not json: keys in their order, escapes as they came.
  payload text not null,
  checksum bytea not null,
  written timestamptz not null,
  -- The sender's own id for what was sent, as a key; none where the entry was not sent, or is erased.
  key text collate "C",
  primary key (thread, tenant, seq)
);

create unique index entry_id on minutebook.entry (thread, tenant, id);

create index entry_key on minutebook.entry (thread, tenant, key) where key is not null;

create table minutebook.snapshot (
  thread text collate "C" not null,
  tenant text collate "C" not null,
  name text collate "C" not null,
  seq integer not null,
  value text not null,
  primary key (thread, tenant, name, seq)
);

create table minutebook.record (
  -- Of a thread as everywhere, or an escape that no name gives: those of the tenant itself.
  thread text collate "C" not null,
  tenant text collate "C" not null,
  -- The whole names, where `thread` and `key` are only their digests.
  thread_name text,
  name text collate "C" not null,
  key text collate "C" not null,
  key_name text,
  value text not null,
  version integer not null,
  written timestamptz not null,
  primary key (thread, tenant, name, key)
) with (fillfactor = 80);

create index record_key on minutebook.record (tenant, name, key, written desc);

create index record_name on minutebook.record (tenant, name, written desc);

-- No samples of what was said in the planner's statistics: erasing does not reach them, and no plan depends on them.
alter table minutebook.thread alter name set statistics 0;
alter table minutebook.entry alter payload set statistics 0, alter checksum set statistics 0, alter key set statistics 0;
alter table minutebook.snapshot alter value set statistics 0;
alter table minutebook.record alter value set statistics 0, alter key set statistics 0, alter key_name set statistics 0, alter thread_name set statistics 0;

alter table minutebook.thread enable row level security;
alter table minutebook.thread force row level security;
create policy tenant on minutebook.thread using (tenant = current_setting('minutebook.tenant', true));

alter table minutebook.entry enable row level security;
alter table minutebook.entry force row level security;
create policy tenant on minutebook.entry using (tenant = current_setting('minutebook.tenant', true));

alter table minutebook.snapshot enable row level security;
alter table minutebook.snapshot force row level security;
create policy tenant on minutebook.snapshot using (tenant = current_setting('minutebook.tenant', true));

alter table minutebook.record enable row level security;
alter table minutebook.record force row level security;
create policy tenant on minutebook.record using (tenant = current_setting('minutebook.tenant', true));
