-- Long images, each kept once for a thread: the payloads of its entries refer to them by the SHA-256 of what they are.

create table minutebook.image (
  thread text collate "C" not null,
  tenant text collate "C" not null,
  hash bytea not null,
  content text not null,
  primary key (thread, tenant, hash)
);

-- Images hardly get any shorter.
alter table minutebook.image alter content set storage external;

-- As with what was said itself.
alter table minutebook.image alter content set statistics 0, alter hash set statistics 0;

alter table minutebook.image enable row level security;
alter table minutebook.image force row level security;
create policy tenant on minutebook.image using (tenant = current_setting('minutebook.tenant', true));
