-- The planner does not know that few threads are behind, and rather reads them all. It does not if it needs their order.

drop index minutebook.thread_unsearched;

create index thread_unsearched on minutebook.thread (tenant, searched) where searched < length;
