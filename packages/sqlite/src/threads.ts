import type { Snapshot, Standing, WorkLeft } from 'minutebook/store'
import type { DatabaseSync } from 'node:sqlite'

export interface ThreadRow extends Standing {
  readonly number: number
  readonly unfinished: WorkLeft
}

export interface Threads {
  find(name: string): ThreadRow | undefined
  /** Finds it or makes it. */
  open(name: string): ThreadRow
  /** `written`: the number of its newest entry. */
  advance(thread: ThreadRow, written: number): void
  standing(name: string): Standing
  claim(name: string): Standing
  /** `unfinished`: the new number for what is left to do. */
  countErasure(number: number, unfinished: WorkLeft): void
  /** Makes it empty, and fences the runners of what was in it. */
  reset(number: number): void
  nameOf(number: number): string
}

export function createThreads(database: DatabaseSync): Threads {
  const columns = 'number, head, length, term, erasures, unfinished'
  const find = database.prepare(`select ${columns} from thread where name = ?`)
  const add = database.prepare(`insert into thread (name) values (?) returning ${columns}`)
  const advance = database.prepare(`
    update thread set head = ?, length = ?, unfinished = ?, written = ?, time = unixepoch('subsec') * 1000
    where number = ?
  `)
  const claim = database.prepare('update thread set term = term + 1 where number = ?')
  const countErasure = database.prepare('update thread set erasures = erasures + 1, unfinished = ? where number = ?')
  const reset = database.prepare(`
    update thread
    set head = null, length = 0, unfinished = 0, written = null, time = null, term = term + 1, erasures = erasures + 1
    where number = ? and (length > 0 or term > 0 or erasures > 0)
  `)
  const nameOf = database.prepare('select name from thread where number = ?')

  const findRow = (name: string): ThreadRow | undefined =>
    find.get(JSON.stringify(name)) as unknown as ThreadRow | undefined
  const openRow = (name: string): ThreadRow => findRow(name) ?? (add.get(JSON.stringify(name)) as unknown as ThreadRow)

  return {
    find: findRow,
    open: openRow,
    advance: ({ number, head, length, unfinished }, written) =>
      void advance.run(head, length, unfinished, written, number),
    standing: (name) => standingOf(findRow(name)),
    countErasure: (number, unfinished) => void countErasure.run(unfinished, number),
    reset: (number) => void reset.run(number),
    claim: (name) => {
      const row = openRow(name)
      claim.run(row.number)
      return { ...standingOf(row), term: row.term + 1 }
    },
    nameOf: (number) => JSON.parse((nameOf.get(number) as unknown as { name: string }).name) as string,
  }
}

export function standingOf(row: Standing | undefined): Standing {
  if (!row) return { head: null, length: 0, term: 0, erasures: 0 }
  const { head, length, term, erasures } = row
  return { head, length, term, erasures }
}

/** A number of rows as SQL takes it, for which a negative one would mean all. */
export function bounded(count: number): number {
  return count > 0 ? Math.min(Math.ceil(count), 2 ** 50) : 0
}

export interface SnapshotTable {
  /** `only`: forgets the older ones of that name. */
  save(thread: number, name: string, snapshot: Snapshot, only: boolean): void
  load(thread: number, name: string, to: number): Snapshot | undefined
  /** Returns how many there were. */
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
