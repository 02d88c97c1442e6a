select thread, thread_name, name, key, key_name, value, version, written::text from minutebook.record
where tenant = $tenant and name = $name and ($key::text is null or key = $key)
  and (written, thread, key) < ($written::timestamptz, $after_thread, $after_key)
order by record.written desc, thread desc, key desc limit $most
