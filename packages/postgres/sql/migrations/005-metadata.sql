-- Which threads have a pair of metadata, for lists of such threads. Stores refuse pairs that are longer than an index can hold.

create index record_metadata on minutebook.record (tenant, key, value, thread) where name = 'metadata';
