-- Adds entries that the thread does not have, under its terms. No row: the thread is not there, or its terms do not hold.
-- append-after does the same and also looks up parents that are not among these entries; here that would cost a plan
-- for each append, even for one without such parents. append-with does the same and also writes records.
-- An entry that is there already violates entry_id, which undoes the whole statement.
with advanced as (
  {advance-thread}
  returning head, length, term, erasures, written
), added as (
  {insert-entries}
)
select head, length, term, erasures from advanced
