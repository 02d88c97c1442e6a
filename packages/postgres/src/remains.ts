/** What Postgres keeps of rows that were overwritten or removed, and how to end that. */
export const remains: readonly string[] = [
  'Postgres keeps the old rows in the files of its tables, also after a plain VACUUM: when no older transaction is open, VACUUM FULL minutebook.entry, minutebook.image, minutebook.snapshot, minutebook.word, minutebook.record, minutebook.thread; then CHECKPOINT.',
  'The write-ahead log keeps them, also in files that it uses again: SELECT pg_switch_wal(); CHECKPOINT; once more than pg_wal has files. Archived files go by your own retention.',
  'Standbys follow as they replay that; base backups and dumps keep them until they expire: delete those, or restore and erase again.',
  'What was told live while it was written may be in the server’s queue of notifications (pg_notify): it is written over as more is told, and gone after a restart.',
]

/** What else is kept of threads that were removed. */
export const namesRemain =
  'The planner keeps samples of the names of threads: ANALYZE the same tables, then VACUUM FULL pg_statistic.'
