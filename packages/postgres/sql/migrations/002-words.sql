-- Which entries hold which words. It follows the log at a distance: `searched` says how far it has come in each thread.

alter table minutebook.thread add column searched integer not null default 0;

create index thread_unsearched on minutebook.thread (tenant) where searched < length;

create table minutebook.word (
  thread text collate "C" not null,
  tenant text collate "C" not null,
  seq integer not null,
  written timestamptz not null,
  -- Each word of the entry once, and its tenant as a word of its own.
  words text[] collate "C" not null,
  primary key (thread, tenant, seq)
);

create index word_words on minutebook.word using gin (words);

-- As with what was said itself.
alter table minutebook.word alter words set statistics 0;

alter table minutebook.word enable row level security;
alter table minutebook.word force row level security;
create policy tenant on minutebook.word using (tenant = current_setting('minutebook.tenant', true));

-- Beside a policy, only conditions that cannot leak may use an index, and containment is not one of them. So what is searched
-- for is said to a policy; where nothing is said, it lets every row pass.
create policy searched on minutebook.word as restrictive for select
  using (words @> string_to_array(coalesce(current_setting('minutebook.words', true), ''), ' '));
