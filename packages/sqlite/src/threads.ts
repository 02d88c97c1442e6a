import { metadataFrom, metadataName, type Listing, type Page, type Snapshot, type Standing } from 'minutebook/store'
import type { DatabaseSync } from 'node:sqlite'

export interface ThreadRow extends Standing {
  readonly number: number
}

export interface Threads {
  find(name: string): ThreadRow | undefined
  /** Finds it or makes it. */
  open(name: string): ThreadRow
  /** `written`: the number of its newest entry. */
  advance(thread: ThreadRow, written: number): void
  standing(name: string): Standing
  claim(name: string): Standing
  countErasure(number: number): void
  /** Makes it empty, and fences the runners of what was in it. */
  reset(number: number): void
  list(page?: Page): Listing
  nameOf(number: number): string
}

export function createThreads(database: DatabaseSync): Threads {
  const find = database.prepare('select number, head, length, term, erasures from thread where name = ?')
  const add = database.prepare('insert into thread (name) values (?) returning number, head, length, term, erasures')
  const advance = database.prepare('update thread set head = ?, length = ?, written = ? where number = ?')
  const claim = database.prepare('update thread set term = term + 1 where number = ?')
  const listed = `select name, head, length, term, erasures, written, ${pairsOf('thread.name')} as pairs`
  const list = database.prepare(`${listed} from thread where written < ? order by written desc limit ?`)
  // A cross join is done in this order: from the pairs to the threads that have them.
  const listHaving = database.prepare(`
    with asked as (select value ->> 0 as key, value ->> 1 as value from json_each(:pairs)),
    having_all as (
      select record.thread from asked cross join record
      where record.name = '${recordName}' and record.key = asked.key and record.value = asked.value
      group by record.thread having count(*) = :count
    )
    ${listed} from having_all cross join thread on thread.name = having_all.thread
    where written < :before order by written desc limit :most
  `)
  const countErasure = database.prepare('update thread set erasures = erasures + 1 where number = ?')
  const reset = database.prepare(`
    update thread set head = null, length = 0, written = null, term = term + 1, erasures = erasures + 1
    where number = ? and (length > 0 or term > 0 or erasures > 0)
  `)
  const nameOf = database.prepare('select name from thread where number = ?')

  const findRow = (name: string): ThreadRow | undefined =>
    find.get(JSON.stringify(name)) as unknown as ThreadRow | undefined
  const openRow = (name: string): ThreadRow => findRow(name) ?? (add.get(JSON.stringify(name)) as unknown as ThreadRow)

  return {
    find: findRow,
    open: openRow,
    advance: ({ number, head, length }, written) => void advance.run(head, length, written, number),
    standing: (name) => standingOf(findRow(name)),
    countErasure: (number) => void countErasure.run(number),
    reset: (number) => void reset.run(number),
    claim: (name) => {
      const row = openRow(name)
      claim.run(row.number)
      return { ...standingOf(row), term: row.term + 1 }
    },
    list: ({ limit = 100, after, metadata = {} } = {}) => {
      const most = bounded(limit)
      const before = after === undefined ? Infinity : Number(after)
      const asked = Object.entries(metadata).map((pair) => pair.map((text) => JSON.stringify(text)))
      const rows = (asked.length === 0
        ? list.all(before, most + 1)
        : listHaving.all({
            pairs: JSON.stringify(asked),
            count: asked.length,
            before,
            most: most + 1,
          })) as unknown as ListedRow[]
      const page = rows.slice(0, most)
      const last = page.at(-1)
      const threads = page.map(({ name, pairs, ...row }) => ({
        thread: JSON.parse(name) as string,
        ...standingOf(row),
        metadata: metadataFrom(
          (JSON.parse(pairs) as [string, string][]).map(([key, value]) => [read(key), read(value)]),
        ),
      }))
      return { threads, ...(last && rows.length > most && { next: String(last.written) }) }
    },
    nameOf: (number) => JSON.parse((nameOf.get(number) as unknown as { name: string }).name) as string,
  }
}

interface ListedRow extends Standing {
  readonly name: string
  readonly written: number
  /** Its metadata, as JSON: keys and values are themselves JSON, as they are kept. */
  readonly pairs: string
}

const recordName = JSON.stringify(metadataName)

function pairsOf(thread: string): string {
  const ofThread = `select json_array(key, value) as pair from record where thread = ${thread} and name = '${recordName}'`
  return `(select json_group_array(json(pair)) from (${ofThread}))`
}

function read(text: string): string {
  return JSON.parse(text) as string
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
