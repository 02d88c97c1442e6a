-- What threads hold, but for their words and images. The threads are locked.
with entries as (
  delete from minutebook.entry where thread = any ($1::text[]) and tenant = $2 returning 1
), snapshots as (
  delete from minutebook.snapshot where thread = any ($1) and tenant = $2 returning 1
), records as (
  delete from minutebook.record where thread = any ($1) and tenant = $2 returning 1
)
select (select count(*)::integer from entries) as entries, (select count(*)::integer from snapshots) as snapshots,
  (select count(*)::integer from records) as records
