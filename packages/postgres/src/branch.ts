import { history } from 'minutebook'
import type { Range, StoredEntry } from 'minutebook/store'

/** Reads entries of the log between two places, in order. */
export type ReadLog = (from: number, to: number) => Promise<StoredEntry[]>

/**
 * The entries of one branch. A branch mostly lies in one piece, with what hangs off it: so the log is read backwards,
 * in pieces that grow, until enough of the branch is there.
 */
export async function readBranch(
  readLog: ReadLog,
  length: number,
  head: StoredEntry,
  { from = 0, to = Infinity, last = Infinity }: Omit<Range, 'head'>,
): Promise<StoredEntry[]> {
  const inRange = ({ seq }: StoredEntry): boolean => seq >= from && seq < to
  let read: StoredEntry[] = []
  for (let bottom = length, size = firstSize; ; size *= 4) {
    const next = Math.max(0, bottom - size)
    read = [...(await readLog(next, bottom)), ...read]
    bottom = next
    const branch = bottom === 0 ? history(read, { head: head.id }) : endOf(read, head)
    const found = branch.filter(inRange)
    if (bottom === 0 || found.length >= last) return last > 0 ? found.slice(-Math.min(last, found.length)) : []
  }
}

const firstSize = 256

/** The part of a branch that is certain from these entries: whatever is before them comes before it. */
function endOf(read: readonly StoredEntry[], head: StoredEntry): StoredEntry[] {
  const parents = new Map(read.map(({ id, parent }) => [id, parent]))
  let after: string | null = head.id
  while (after !== null && parents.has(after)) after = parents.get(after)!
  return history(read, { head: head.id, after })
}
