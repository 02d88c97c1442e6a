import type { DatabaseSync } from 'node:sqlite'
import {
  recordTexts,
  type EraseOptions,
  type NewRecord,
  type RecordQuery,
  type Records,
  type StoredRecord,
} from 'minutebook/store'
import { bounded } from './threads.ts'
import type { Transaction } from './transaction.ts'

/** The table of records. All but `find` is to be run in a transaction. */
export interface RecordTable {
  /** Whether all records have the versions that are expected. */
  holds(thread: string | null, records: readonly NewRecord[]): boolean
  write(thread: string | null, records: readonly NewRecord[]): void
  /** Writes them, and returns them as they are then. */
  put(thread: string | null, records: readonly NewRecord[]): StoredRecord[]
  find(query: RecordQuery): StoredRecord[]
  remove(thread: string | null, name: string, key?: string): number
  /** What goes with the entries of these ids, or with the whole thread. */
  erase(thread: string, ids: readonly string[] | undefined, options: EraseOptions): number
}

export function createRecordTable(database: DatabaseSync): RecordTable {
  const columns = 'thread, name, key, value, version, written'
  const version = database.prepare('select version from record where thread = ? and name = ? and key = ?')
  const put = database.prepare(`
    insert into record (thread, name, key, value, version, written)
    values (:thread, :name, :key, :value, 1, (select ifnull(max(written), 0) + 1 from record))
    on conflict (thread, name, key) do update set value = excluded.value, version = version + 1, written = excluded.written
    where :always or value <> excluded.value
  `)
  const get = database.prepare(`select ${columns} from record where thread = ? and name = ? and key = ?`)
  const paged = 'and written < ? order by written desc limit ?'
  const ofThread = database.prepare(`select ${columns} from record where thread = ? and name = ? ${paged}`)
  const ofName = database.prepare(`select ${columns} from record where name = ? ${paged}`)
  const ofKey = database.prepare(`select ${columns} from record where name = ? and key = ? ${paged}`)
  const ofPlace = database.prepare(`select ${columns} from record where thread = ? and name = ? and key = ? ${paged}`)
  const belowKey = database.prepare(
    `select ${columns} from record where name = ? and key < ? and key >= ? order by key desc limit ?`,
  )
  const removeName = database.prepare('delete from record where thread = ? and name = ?')
  const remove = database.prepare('delete from record where thread = ? and name = ? and key = ?')
  const names = database.prepare('select distinct name from record where thread = ?')

  const rowsFor = ({ name, key, thread, limit = Infinity, after, below, from = '' }: RecordQuery): unknown[] => {
    if (below !== undefined) return belowKey.all(written(name), opened(below), opened(from), bounded(limit))
    const page = [after === undefined ? Infinity : Number(after), bounded(limit)] as const
    if (thread === undefined)
      return key === undefined ? ofName.all(written(name), ...page) : ofKey.all(written(name), written(key), ...page)
    return key === undefined
      ? ofThread.all(placeOf(thread), written(name), ...page)
      : ofPlace.all(placeOf(thread), written(name), written(key), ...page)
  }
  const table: RecordTable = {
    holds: (thread, records) =>
      records.every(({ expected }) => expected === undefined) ||
      recordTexts(records).every(
        ({ name, key, expected }) =>
          expected === undefined ||
          expected === (version.get(placeOf(thread), written(name), written(key))?.['version'] ?? 0),
      ),
    write: (thread, records) => {
      for (const { name, key, text, expected } of recordTexts(records)) {
        const place = { thread: placeOf(thread), name: written(name), key: written(key) }
        if (text === null) remove.run(place.thread, place.name, place.key)
        else put.run({ ...place, value: text, always: expected === undefined ? 0 : 1 })
      }
    },
    put: (thread, records) => {
      table.write(thread, records)
      return recordTexts(records).flatMap(({ name, key, text }) =>
        text === null ? [] : recordOf(get.get(placeOf(thread), written(name), written(key)) as unknown as Row),
      )
    },
    find: (query) => (rowsFor(query) as Row[]).map(recordOf),
    remove: (thread, name, key) =>
      Number(
        (key === undefined
          ? removeName.run(placeOf(thread), written(name))
          : remove.run(placeOf(thread), written(name), written(key))
        ).changes,
      ),
    erase: (thread, ids, { keep = [], records = [] }) => {
      if (ids !== undefined) return records.reduce((count, { name, key }) => count + table.remove(thread, name, key), 0)
      const gone = names
        .all(placeOf(thread))
        .map(({ name }) => read(String(name)))
        .filter((name) => !keep.includes(name))
      return gone.reduce((count, name) => count + table.remove(thread, name), 0)
    },
  }
  return table
}

interface Row {
  readonly thread: string
  readonly name: string
  readonly key: string
  readonly value: string
  readonly version: number
  readonly written: number
}

function recordOf({ thread, name, key, value, version, written: place }: Row): StoredRecord {
  return {
    thread: thread === '' ? null : read(thread),
    name: read(name),
    key: read(key),
    value: JSON.parse(value) as unknown,
    version,
    position: String(place),
  }
}

function placeOf(thread: string | null): string {
  return thread === null ? '' : written(thread)
}

function written(name: string): string {
  return JSON.stringify(name)
}

/** A name as it is written, but for the quote at its end, which would be compared with a letter. */
function opened(name: string): string {
  return written(name).slice(0, -1)
}

function read(name: string): string {
  return JSON.parse(name) as string
}

/** What belongs to no thread. */
export const noThread = ''

/** The only thread that is changed with these records. Undefined if one is removed: everybody may miss it. */
export function changedBy(thread: string | null, records: readonly NewRecord[] = []): string | undefined {
  return records.some(({ remove }) => remove) ? undefined : (thread ?? noThread)
}

/** The records of a store. `answer` runs a call; it is told of which threads the result says something. */
export function recordsOf(
  table: RecordTable,
  answer: <T>(work: () => T, about?: string | ((result: T) => readonly string[])) => Promise<T>,
  transaction: Transaction,
): Records {
  return {
    put: (thread, put) =>
      answer(
        () =>
          transaction(
            () =>
              table.holds(thread, put)
                ? { ok: true, records: table.put(thread, put) }
                : { ok: false, reason: 'conflict' },
            changedBy(thread, put),
          ),
        thread ?? noThread,
      ),
    find: (query) =>
      answer(
        () => table.find(query),
        (found) => found.map(({ thread }) => thread ?? noThread),
      ),
    remove: (thread, name, key) => answer(() => transaction(() => table.remove(thread, name, key))),
  }
}
