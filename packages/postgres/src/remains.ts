/** What Postgres keeps of rows that were overwritten or removed, and how to end that. */
export const remains: readonly string[] = [
  'Postgres keeps the old rows in the files of its tables, also after a plain VACUUM: VACUUM FULL minutebook.entry, minutebook.snapshot, minutebook.word and minutebook.thread, then CHECKPOINT.',
  'The write-ahead log keeps them until its segments are recycled: pg_switch_wal(), then CHECKPOINT; archived segments go by your own retention.',
  'Standbys follow when they have replayed that; base backups and dumps keep them until they expire: delete those, or restore and erase again.',
]
