import { MinutebookError } from 'minutebook'
import type { Standing } from 'minutebook/store'

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
}

export function standingOf(row: ThreadRow | undefined): Standing {
  return { head: row?.head ?? null, length: row?.length ?? 0, term: row?.term ?? 0, erasures: row?.erasures ?? 0 }
}

/** Where a page of a list goes on, as the page before said it. Clients pass it on. */
export function pagePlace(next: string): [written: string, thread: string] {
  const [, written, thread] = /^\["(\d{4,6}-[\d: .+-]{10,40})",("(?:[^"\\]|\\.)*")\]$/s.exec(next) ?? []
  if (written === undefined || thread === undefined)
    throw new MinutebookError(
      'invalid_page',
      'This is not where a page goes on.',
      'Pass the `next` of the page before, or nothing for the first.',
    )
  return [written, JSON.parse(thread) as string]
}

/** A number of rows, or a place in a log, as Postgres takes it. */
export function bounded(count: number): number {
  return count > 0 ? Math.min(Math.ceil(count), 2 ** 31 - 1) : 0
}
