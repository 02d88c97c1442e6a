import { sentAs, storedFrom, traits } from 'minutebook'
import type { Tables } from './append.ts'
import type { NumberedLine } from './line.ts'

/** Makes tombstones, to be run in a transaction. Gives the ids of the new ones. */
export function erase(tables: Tables, thread: number, ids: readonly string[] | undefined): string[] {
  const { threads, lines, index } = tables
  const erased: string[] = []
  for (const line of ids === undefined ? lines.all(thread) : chosen(tables, thread, ids)) {
    const entry = storedFrom(line)
    if (entry.status === 'erased') continue
    lines.bury(line.number, entry)
    index.remove(line.number)
    erased.push(entry.id)
  }
  if (erased.length > 0) {
    threads.countErasure(thread)
    index.rewrite()
  }
  return erased
}

/** The entries, what was sent under the same keys, and what was derived from either: in order of the log. */
function chosen({ lines }: Tables, thread: number, ids: readonly string[]): NumberedLine[] {
  const named = ids.map((id) => lines.find(thread, id)).filter((line) => line !== undefined)
  const keys = new Set(named.map((line) => sentAs(storedFrom(line))).filter((key) => key !== undefined))
  const sent = [...named, ...[...keys].flatMap((key) => lines.withKey(thread, key))]
  const derived = sent.flatMap(({ seq }) => lines.hanging(thread, seq)).filter((line) => traits[storedFrom(line).kind].derived)
  const bySeq = new Map([...sent, ...derived].map((line) => [line.seq, line]))
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq)
}
