import type { DatabaseSync } from 'node:sqlite'
import { payloadOf, clientKeyOf, sha256, tombstone, traits, type Range, type StoredEntry } from 'minutebook/store'
import { createBranchReader } from './branch.ts'
import type { Line, NewLine, NumberedLine } from './line.ts'
import { bounded } from './threads.ts'

/** The table of entries. Threads are given by their numbers. */
export interface Lines {
  find(thread: number, id: string): NumberedLine | undefined
  seqOf(thread: number, id: string): number | undefined
  /** `parent`: its seq. Returns the number of the new row. */
  add(thread: number, parent: number | null, line: NewLine): number
  read(thread: number, range: Range): Line[]
  byNumber(number: number): Line & { readonly thread: number }
  /** In order, read one by one: each may be changed before the next is read. */
  all(thread: number): Iterable<NumberedLine>
  at(thread: number, seq: number): NumberedLine
  /** Which entry each later one follows or hangs off: seqs only, in order. */
  after(thread: number, seq: number): Iterable<{ readonly seq: number; readonly parent: number | null }>
  /** Those that hang off the entry. */
  hanging(thread: number, seq: number): NumberedLine[]
  /** What was sent under the key. */
  withKey(thread: number, key: string): NumberedLine[]
  /** Makes a tombstone of it. */
  bury(number: number, entry: StoredEntry): void
  remove(number: number): void
}

export function createLines(database: DatabaseSync): Lines {
  const select = 'select number, seq, payload, checksum from entry where thread = ?'
  const find = database.prepare(`${select} and id = ?`)
  const place = database.prepare('select seq from entry where thread = ? and id = ?')
  const add = database.prepare(
    'insert into entry (thread, seq, id, parent, chained, key, payload, checksum) values (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const range = database.prepare(
    'select seq, payload, checksum from entry where thread = ? and seq >= ? and seq < ? order by seq desc limit ?',
  )
  const single = database.prepare('select seq, payload, checksum from entry where thread = ? and seq = ?')
  const byNumber = database.prepare('select thread, seq, payload, checksum from entry where number = ?')
  const next = database.prepare(`${select} and seq >= ? order by seq limit 1`)
  const later = database.prepare('select seq, parent from entry where thread = ? and seq > ? order by seq limit ?')
  const hanging = database.prepare(`${select} and parent = ? and chained = 0 order by seq`)
  const keyed = database.prepare(`${select} and key = ? and seq >= ? and seq < ? order by seq desc limit ?`)
  const bury = database.prepare('update entry set key = null, payload = ?, checksum = ? where number = ?')
  const remove = database.prepare('delete from entry where number = ?')
  const seqOf = (thread: number, id: string): number | undefined => place.get(thread, id)?.['seq'] as number | undefined
  const withKey = (
    thread: number,
    key: string,
    { from = 0, to = Infinity, last = Infinity }: Range = {},
  ): NumberedLine[] =>
    (keyed.all(thread, JSON.stringify(key), from, to, bounded(last)) as unknown as NumberedLine[]).reverse()
  const withSeqs = (thread: number, seqs: readonly number[]): Line[] =>
    [...new Set(seqs)]
      .sort((one, other) => one - other)
      .flatMap((seq) => (single.get(thread, seq) as unknown as Line | undefined) ?? [])
  const readBranch = createBranchReader(database, seqOf)

  return {
    find: (thread, id) => find.get(thread, id) as unknown as NumberedLine | undefined,
    seqOf,
    add: (thread, parent, { seq, payload, checksum, entry }) => {
      const key = clientKeyOf(entry)
      return Number(
        add.run(
          thread,
          seq,
          entry.id,
          parent,
          traits[entry.kind].chained ? 1 : 0,
          key === undefined ? null : JSON.stringify(key),
          payload,
          checksum,
        ).lastInsertRowid,
      )
    },
    read: (thread, { head, key, seqs, id, ...asked }) => {
      if (seqs) return withSeqs(thread, seqs)
      if (id !== undefined) return find.all(thread, id) as unknown as Line[]
      if (key !== undefined) return withKey(thread, key, asked)
      if (head !== undefined) return readBranch(thread, head, asked)
      const { from = 0, to = Infinity, last = Infinity } = asked
      return (range.all(thread, from, to, bounded(last)) as unknown as Line[]).reverse()
    },
    byNumber: (number) => byNumber.get(number) as unknown as Line & { thread: number },
    all: function* (thread) {
      for (let seq = 0; ; seq++) {
        const line = next.get(thread, seq) as unknown as NumberedLine | undefined
        if (!line) return
        seq = line.seq
        yield line
      }
    },
    at: (thread, seq) => next.get(thread, seq) as unknown as NumberedLine,
    after: function* (thread, seq) {
      for (let [from, isOver] = [seq, false]; !isOver;) {
        const page = later.all(thread, from, afterPage) as unknown as { seq: number; parent: number | null }[]
        yield* page
        from = page.at(-1)?.seq ?? from
        isOver = page.length < afterPage
      }
    },
    hanging: (thread, seq) => hanging.all(thread, seq) as unknown as NumberedLine[],
    withKey,
    bury: (number, entry) => {
      const payload = payloadOf(tombstone(entry))
      bury.run(payload, sha256(payload), number)
    },
    remove: (number) => void remove.run(number),
  }
}

/** How many later entries are read at once. */
const afterPage = 1000
