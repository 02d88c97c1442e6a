import { history, MinutebookError } from 'minutebook'
import { metadataFrom, type Range, type Standing, type StoredEntry, type StoredThread } from 'minutebook/store'
import { nameFrom } from '../connection/key.ts'

/** A row of the table of threads. */
export interface ThreadRow {
  readonly head: string | null
  readonly length: number
  readonly term: number
  readonly erasures: number
}

/** One of a list, with what the list goes on from. */
export interface ListedRow extends ThreadRow {
  readonly thread: string
  readonly name: string | null
  readonly written: string
  /** Its metadata, as JSON: keys as they are kept, and values as JSON. */
  readonly pairs: string
}

export function standingOf(row: ThreadRow | undefined): Standing {
  return { head: row?.head ?? null, length: row?.length ?? 0, term: row?.term ?? 0, erasures: row?.erasures ?? 0 }
}

export function threadOf(row: ListedRow): StoredThread {
  const pairs = JSON.parse(row.pairs) as [key: string, value: string][]
  return {
    thread: nameFrom(row.thread, row.name),
    ...standingOf(row),
    metadata: metadataFrom(pairs.map(([key, value]) => [nameFrom(key, null), JSON.parse(value) as string])),
  }
}

/**
 * Where a page continues, as the page before returned it: when the last row of that page was written, and its `names`,
 * which tell rows of the same moment apart. Clients pass it on.
 */
export function pagePlace(next: string, names: number): string[] {
  const [, written, rest] = /^\["(\d{4,6}-[\d: .+-]{10,40})"((?:,"(?:[^"\\]|\\.)*"){1,2})\]$/s.exec(next) ?? []
  const place = rest === undefined ? [] : (JSON.parse(`[${rest.slice(1)}]`) as string[])
  if (written === undefined || place.length !== names)
    throw new MinutebookError(
      'invalid_page',
      'This is not the beginning of a page.',
      'Pass the value of `next` on the previous page, or nothing for the first page.',
    )
  return [written, ...place]
}

/** A number of rows, or a place in a log, as Postgres takes it. */
export function bounded(count: number): number {
  return count > 0 ? Math.min(Math.ceil(count), 2 ** 31 - 1) : 0
}

/**
 * Whether a number can be a place: of an entry in a log, or of a piece in a segment. Postgres may not accept others.
 */
export function isPlace(number: number): boolean {
  return Number.isInteger(number) && number >= 0 && number < 2 ** 31
}

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
