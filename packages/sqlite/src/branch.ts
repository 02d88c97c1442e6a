import type { DatabaseSync } from 'node:sqlite'
import { unknownEntry, type Range } from 'minutebook/store'
import type { Line } from './line.ts'
import { bounded } from './threads.ts'

/** Reads a branch backwards, page by page, and no further than asked. */
export type BranchReader = (thread: number, head: string, range: Range) => Line[]

/**
 * The entry at :start and those before it on its branch, at most :size, each with what hangs off it: the newest first.
 * `cross` makes SQLite go from the branch to the entries, and not through the thread to the branch.
 */
const branchPage = `
  with recursive branch (seq, parent, chained) as (
    select seq, parent, chained from entry where thread = :thread and seq = :start
    union all
    select entry.seq, entry.parent, entry.chained from branch cross join entry on entry.thread = :thread and entry.seq = branch.parent
    limit :size
  )
  select branch.seq as base, branch.parent as next, branch.chained, entry.seq as seq, payload, checksum
    from branch cross join entry on entry.thread = :thread and entry.seq = branch.seq
  union all
  select branch.seq, branch.parent, branch.chained, entry.seq as seq, payload, checksum
    from branch cross join entry on entry.thread = :thread and entry.parent = branch.seq and entry.chained = 0
  order by base desc, seq desc
`

export function createBranchReader(
  database: DatabaseSync,
  seqOf: (thread: number, id: string) => number | undefined,
): BranchReader {
  const page = database.prepare(branchPage)
  const oldestParent = database.prepare(
    'select min(+parent) as seq from entry where thread = ? and seq >= ? and seq < ? and chained = 0',
  )
  const rootless = database.prepare(
    'select seq, payload, checksum from entry where thread = ? and parent is null and chained = 0 order by seq desc',
  )

  return (thread, head, { from = 0, to = Infinity, last = Infinity }) => {
    const start = seqOf(thread, head)
    if (start === undefined) throw unknownEntry(head)
    // An entry that hangs off another may have come late, so that its parent is before the range.
    const late = from > 0 ? (oldestParent.get(thread, from, to)?.['seq'] as number | null) : null
    const bottom = Math.min(from, late ?? from)
    const found: Line[] = []
    const take = (line: Line): void => {
      if (found.length < last && line.seq >= from && line.seq < to) found.push(line)
    }
    for (let next: number | null = start; next !== null && next >= bottom && found.length < last;) {
      // Seqs fall from an entry to its parent, so that no more than these can be in the range.
      const size = bounded(Math.min(last, next - bottom + 1, pageSize))
      const rows = page.all({ thread, start: next, size }) as unknown as (Line & {
        chained: 0 | 1
        next: number | null
      })[]
      for (const row of rows) if (row.chained) take(row)
      const before: number | null = rows.at(-1)?.next ?? null
      // In a file that another program changed, the way back may be a cycle.
      next = before !== null && before < next ? before : null
    }
    if (found.length < last) for (const line of rootless.all(thread) as unknown as Line[]) take(line)
    return found.reverse()
  }
}

const pageSize = 500
