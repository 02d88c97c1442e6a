import type { DatabaseSync } from 'node:sqlite'
import type { Snapshot } from 'minutebook/store'

export interface SnapshotTable {
  /** `only`: forgets the older ones of that name. */
  save(thread: number, name: string, snapshot: Snapshot, only: boolean): void
  load(thread: number, name: string, to: number): Snapshot | undefined
  /** Gives how many there were. */
  forget(thread: number): number
}

export function createSnapshotTable(database: DatabaseSync): SnapshotTable {
  const save = database.prepare('insert or replace into snapshot (thread, name, seq, value) values (?, ?, ?, ?)')
  const forgetOlder = database.prepare('delete from snapshot where thread = ? and name = ? and seq < ?')
  const load = database.prepare(
    'select value from snapshot where thread = ? and name = ? and seq < ? order by seq desc limit 1',
  )
  const forget = database.prepare('delete from snapshot where thread = ?')
  return {
    save: (thread, name, { id, seq, value }, only) => {
      if (only) forgetOlder.run(thread, JSON.stringify(name), seq)
      save.run(thread, JSON.stringify(name), seq, JSON.stringify({ id, seq, value }))
    },
    load: (thread, name, to) => {
      const row = load.get(thread, JSON.stringify(name), to)
      return row && (JSON.parse(String(row['value'])) as Snapshot)
    },
    forget: (thread) => Number(forget.run(thread).changes),
  }
}
