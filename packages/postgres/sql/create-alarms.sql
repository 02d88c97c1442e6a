-- Threads that are to be woken at a time. A name is beside its key if the key does not contain it.
create table if not exists {table} (
  queue text not null,
  at timestamptz not null,
  tenant text not null,
  thread text not null,
  tenant_name text,
  thread_name text,
  primary key (queue, at, tenant, thread)
)
