import type { Entry } from './entry.ts'
import { sizeOf } from './stored-entry.ts'
import { itemWork, type Pause } from './time.ts'

/** Which entries of a log are read, in order of seq. */
export interface Stretch {
  /** The first seq. */
  readonly from: number
  /** The seq to stop before. Default: the end of the log, also if it grows meanwhile. */
  readonly to?: number | undefined
  /** Stops after a page with which it was this much work (`readingWork`). Default: however much it is. */
  readonly work?: number | undefined
}

/** How many entries are read at once: the first time, at most, and how much work a page should be. */
const pages = { first: 64, most: 512, work: 250_000 }

/**
 * How is a long part of a log read? In pages of about the same work, and others run in between. It ends at the first page
 * that has fewer entries than were asked for. These may be fewer than the caller expects, or none: the thread may have
 * been removed. `read` reads a page: the entries from one seq up to another, without it.
 */
export async function readInPages<T extends Entry | undefined>(
  read: (from: number, to: number) => Promise<readonly T[]>,
  { from, to = Infinity, work: enough = Infinity }: Stretch,
  pause: Pause,
): Promise<T[]> {
  const all: T[] = []
  let done = 0
  for (let next = from, page = pages.first; next < to && done < enough; next = from + all.length) {
    const asked = Math.min(page, to - next)
    const entries = await read(next, next + asked)
    for (const entry of entries) all.push(entry)
    if (entries.length < asked) break
    const work = readingWork(entries)
    done += work
    await pause(work)
    page = Math.max(1, Math.min(pages.most, Math.floor((asked * pages.work) / work)))
  }
  return all
}

/** How much work it is to read these entries. */
function readingWork(entries: readonly (Entry | undefined)[]): number {
  return entries.reduce((work, entry) => work + itemWork + (entry ? sizeOf(entry.raw) : 0), 0)
}
