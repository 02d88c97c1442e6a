-- Adds entries that the thread does not have, under its terms, writes records of the thread with them, and counts. No row:
-- the thread is not there, its terms do not hold, or a parent is not in it; then nothing is counted either.
-- An entry that is there already violates entry_id, which undoes the whole statement.
with advanced as (
  {advance-thread}
    and {parents-exist}
  returning head, length, term, erasures, written
), added as (
  {insert-entries}
), put as (
  {insert-records}
), counted as (
  {insert-figures}
)
select head, length, term, erasures from advanced
