-- Records by their keys, the highest first.
select thread, thread_name, name, key, key_name, value, version, written::text from minutebook.record
where tenant = $tenant and name = $name and key < $below and key >= $from
order by key desc limit $most
