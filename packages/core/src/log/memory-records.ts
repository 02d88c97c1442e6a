import { recordTexts, type NewRecord, type Records, type StoredRecord } from './store.ts'
import { recordNames } from './record-names.ts'

/** The records of a memory store, kept as texts. */
export interface MemoryRecords {
  readonly records: Records
  /** True if all records have the expected versions. */
  holds(thread: string | null, records: readonly NewRecord[]): boolean
  write(thread: string | null, records: readonly NewRecord[]): StoredRecord[]
  /** Removes the records of a thread, except those of the names in `keep`. */
  forget(thread: string, keep: readonly string[]): number
  /** The metadata of each thread that has some. */
  metadata(): ReadonlyMap<string, ReadonlyMap<string, string>>
}

interface Row {
  readonly thread: string | null
  readonly name: string
  readonly key: string
  readonly text: string
  readonly version: number
  /** Its place among all writes. */
  readonly written: number
  /** True if it was removed, or if a new value replaced it. */
  isGone: boolean
}

export function memoryRecords(): MemoryRecords {
  const rows = new Map<string, Row>()
  const byName = rowIndex(({ name }) => name)
  const byThread = rowIndex(({ thread, name }) => threadPlace(thread, name))
  let writes = 0

  const drop = (place: string): void => {
    const row = rows.get(place)
    if (!row) return
    rows.delete(place)
    row.isGone = true
    for (const index of [byName, byThread]) index.forget(row)
  }
  const write = (row: Row): void => {
    const place = placeOf(row.thread, row.name, row.key)
    drop(place)
    rows.set(place, row)
    for (const index of [byName, byThread]) index.add(row)
  }
  const dropAll = (gone: readonly Row[]): number => {
    for (const { thread, name, key } of gone) drop(placeOf(thread, name, key))
    return gone.length
  }
  const memory: MemoryRecords = {
    holds: (thread, records) =>
      recordTexts(records).every(
        ({ name, key, expected }) =>
          expected === undefined || expected === (rows.get(placeOf(thread, name, key))?.version ?? 0),
      ),
    write: (thread, records) =>
      recordTexts(records).flatMap(({ name, key, text, expected }) => {
        const place = placeOf(thread, name, key)
        const known = rows.get(place)
        if (text === null) {
          drop(place)
          return []
        }
        if (known?.text === text && expected === undefined) return storedFrom(known)
        const row = { thread, name, key, text, version: (known?.version ?? 0) + 1, written: ++writes, isGone: false }
        write(row)
        return storedFrom(row)
      }),
    metadata: () => {
      const about = new Map<string, Map<string, string>>()
      for (const { thread, key, text } of byName.newest(recordNames.metadata)) {
        if (thread === null) continue
        about.set(thread, (about.get(thread) ?? new Map<string, string>()).set(key, JSON.parse(text) as string))
      }
      return about
    },
    forget: (thread, keep) =>
      dropAll([...rows.values()].filter((row) => row.thread === thread && !keep.includes(row.name))),
    records: {
      put: async (thread, records) =>
        memory.holds(thread, records)
          ? { ok: true, records: memory.write(thread, records) }
          : { ok: false, reason: 'conflict' },
      find: async ({ name, key, thread, limit = Infinity, after, below, from = '' }) => {
        if (below !== undefined)
          return [...byName.newest(name)]
            .filter((row) => row.key < below && row.key >= from)
            .toSorted((one, other) => (one.key < other.key ? 1 : -1))
            .slice(0, Math.max(0, limit))
            .map(storedFrom)
        const before = after === undefined ? Infinity : Number(after)
        const found: StoredRecord[] = []
        const listed =
          thread === undefined ? byName.newest(name, before) : byThread.newest(threadPlace(thread, name), before)
        for (const row of listed) {
          if (found.length >= limit) break
          if (key === undefined || row.key === key) found.push(storedFrom(row))
        }
        return found
      },
      remove: async (thread, name, key) =>
        dropAll([...byThread.newest(threadPlace(thread, name))].filter((row) => key === undefined || row.key === key)),
    },
  }
  return memory
}

function threadPlace(thread: string | null, name: string): string {
  return JSON.stringify([thread, name])
}

function placeOf(thread: string | null, name: string, key: string): string {
  return JSON.stringify([thread, name, key])
}

function storedFrom({ thread, name, key, text, version, written }: Row): StoredRecord {
  return { thread, name, key, value: JSON.parse(text) as unknown, version, position: String(written) }
}

/** Rows by a text, in the order of writing: a page costs by its size, however many rows there are. */
interface RowIndex {
  add(row: Row): void
  /** Called after a row was marked as gone. */
  forget(row: Row): void
  /** The rows that were written before this place, the newest first. */
  newest(of: string, before?: number): Iterable<Row>
}

function rowIndex(textOf: (row: Row) => string): RowIndex {
  /** A row that is gone stays in its list until half of the list is gone. */
  const lists = new Map<string, { rows: Row[]; gone: number }>()
  return {
    add: (row) => {
      const list = lists.get(textOf(row)) ?? { rows: [], gone: 0 }
      list.rows.push(row)
      lists.set(textOf(row), list)
    },
    forget: (row) => {
      const list = lists.get(textOf(row))!
      if (++list.gone * 2 <= list.rows.length) return
      const rows = list.rows.filter(({ isGone }) => !isGone)
      if (rows.length === 0) lists.delete(textOf(row))
      else lists.set(textOf(row), { rows, gone: 0 })
    },
    newest: function* (of, before = Infinity) {
      const { rows = [] } = lists.get(of) ?? {}
      for (let at = firstFrom(rows, before) - 1; at >= 0; at--) if (!rows[at]!.isGone) yield rows[at]!
    },
  }
}

/** The index of the first row that was not written before this place. */
function firstFrom(rows: readonly Row[], place: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (rows[middle]!.written < place) low = middle + 1
    else high = middle
  }
  return low
}
