import { recordTexts, type NewRecord, type RecordQuery, type Records, type StoredRecord } from './records.ts'

/** The records of a memory store, kept as texts. */
export interface MemoryRecords {
  readonly records: Records
  /** Whether all records have the versions that are expected. */
  holds(thread: string | null, records: readonly NewRecord[]): boolean
  write(thread: string | null, records: readonly NewRecord[]): StoredRecord[]
  /** Forgets the records of a thread, but not those of the names in `keep`. */
  forget(thread: string, keep: readonly string[]): number
}

interface Row {
  readonly thread: string | null
  readonly name: string
  readonly key: string
  text: string
  version: number
  /** Its place among all writes. */
  written: number
}

export function memoryRecords(): MemoryRecords {
  const rows = new Map<string, Row>()
  let writes = 0
  const placeOf = (thread: string | null, name: string, key: string): string => JSON.stringify([thread, name, key])

  const memory: MemoryRecords = {
    holds: (thread, records) =>
      recordTexts(records).every(({ name, key, expected }) => expected === undefined || expected === (rows.get(placeOf(thread, name, key))?.version ?? 0)),
    write: (thread, records) =>
      recordTexts(records).map(({ name, key, text, expected }) => {
        const place = placeOf(thread, name, key)
        const known = rows.get(place)
        if (known?.text === text && expected === undefined) return storedFrom(known)
        const row = { thread, name, key, text, version: (known?.version ?? 0) + 1, written: ++writes }
        rows.set(place, row)
        return storedFrom(row)
      }),
    forget: (thread, keep) => removeRows((row) => row.thread === thread && !keep.includes(row.name)),
    records: {
      put: async (thread, records) => (memory.holds(thread, records) ? { ok: true, records: memory.write(thread, records) } : { ok: false, reason: 'conflict' }),
      find: async (query) => {
        const found = [...rows.values()].filter((row) => isAsked(row, query)).toSorted((one, other) => other.written - one.written)
        return found.slice(0, Math.max(0, query.limit ?? Infinity)).map(storedFrom)
      },
      remove: async (thread, name, key) => removeRows((row) => row.thread === thread && row.name === name && (key === undefined || row.key === key)),
    },
  }
  const removeRows = (isGone: (row: Row) => boolean): number => {
    const gone = [...rows].filter(([, row]) => isGone(row))
    for (const [place] of gone) rows.delete(place)
    return gone.length
  }
  return memory
}

function isAsked(row: Row, { name, key, thread }: RecordQuery): boolean {
  return row.name === name && (key === undefined || row.key === key) && (thread === undefined || row.thread === thread)
}

function storedFrom({ thread, name, key, text, version }: Row): StoredRecord {
  return { thread, name, key, value: JSON.parse(text) as unknown, version }
}
