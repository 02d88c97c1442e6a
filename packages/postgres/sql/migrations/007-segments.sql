-- Segments: parts of indexes over a thread's log, each made of pieces. They are worked out from entries, and can be lost.

create table minutebook.segment (
  thread text collate "C" not null,
  tenant text collate "C" not null,
  segment text collate "C" not null,
  -- The whole name, where `segment` is only its digest.
  name text,
  primary key (thread, tenant, segment)
);

-- Pieces are written and removed with their segment, and never change.
create table minutebook.piece (
  thread text collate "C" not null,
  tenant text collate "C" not null,
  segment text collate "C" not null,
  number integer not null,
  content bytea not null,
  primary key (thread, tenant, segment, number)
) with (
  -- Most have 1 to 4 kB. They are read one by one, so up to two on a page stay in the row; Postgres's own limit is four.
  toast_tuple_target = 4080,
  -- Segments are replaced by larger ones. If their space is free soon, the next ones are written there, piece by piece.
  autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05
);

-- Not compressed: the numbers in them are short already.
alter table minutebook.piece alter content set storage external;

-- As with what was said itself.
alter table minutebook.segment alter name set statistics 0;
alter table minutebook.piece alter content set statistics 0;

alter table minutebook.segment enable row level security;
alter table minutebook.segment force row level security;
create policy tenant on minutebook.segment using (tenant = current_setting('minutebook.tenant', true));

alter table minutebook.piece enable row level security;
alter table minutebook.piece force row level security;
create policy tenant on minutebook.piece using (tenant = current_setting('minutebook.tenant', true));
