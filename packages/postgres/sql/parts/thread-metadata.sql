(
  select coalesce(json_agg(json_build_array(record.key, record.value)), '[]')::text from minutebook.record
  where record.thread = page.thread and record.tenant = $tenant and record.name = 'metadata'
)
