import { MinutebookError, type Store } from 'minutebook'
import type { DeskPage, ThreadList, ThreadSummary } from '../desk.ts'
import { isReserved } from '../lineage/directory.ts'
import { summaryOf } from './summary.ts'

/**
 * A page of the threads of people: those that the gateway keeps for itself are passed over. Where marks are asked for,
 * so many threads are looked at as time allows: a page may be short, and still have a `next`.
 */
export async function listThreads(
  store: Store,
  { limit = 100, after, marks = [] }: DeskPage = {},
): Promise<ThreadList> {
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new MinutebookError(
      'invalid_limit',
      'A page cannot have so many threads.',
      'Pass a whole number from 1 to 1000.',
    )
  const found: ThreadSummary[] = []
  const isWanted = (summary: ThreadSummary): boolean =>
    marks.length === 0 || summary.marks.some((mark) => marks.includes(mark))
  let looked = 0
  let place = placeFrom(after)
  for (;;) {
    const { threads, next } = await store.list({ limit: pageSize, ...(place.after !== '' && { after: place.after }) })
    const people = [...threads.entries()].filter(([index, { thread }]) => index >= place.skip && !isReserved(thread))
    for (let start = 0; start < people.length; start += bite) {
      const some = people.slice(start, start + bite)
      if (found.length === limit || looked >= most) return { threads: found, next: `${some[0]![0]}.${place.after}` }
      const room = marks.length === 0 ? some.slice(0, limit - found.length) : some
      const summaries = await eachInTurn(room, ([, standing]) => summaryOf(store, standing.thread, standing))
      looked += room.length
      for (const [offset, summary] of summaries.entries()) {
        if (!isWanted(summary)) continue
        if (found.length === limit) return { threads: found, next: `${room[offset]![0]}.${place.after}` }
        found.push(summary)
      }
      if (room.length < some.length) return { threads: found, next: `${some[room.length]![0]}.${place.after}` }
    }
    if (next === undefined) return { threads: found }
    place = { skip: 0, after: next }
  }
}

const pageSize = 200
/** How many threads are looked at before it is asked whether that is enough, and for one page. */
const bite = 50
const most = 2000

/** A few at a time: the threads may be large, and of each all that is new is read. */
async function eachInTurn<T, R>(all: readonly T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let start = 0; start < all.length; start += atOnce)
    done.push(...(await Promise.all(all.slice(start, start + atOnce).map(work))))
  return done
}

const atOnce = 4

/** Where a page begins: the store's own page, and how many of its threads came before. */
function placeFrom(after = '0.'): { readonly skip: number; readonly after: string } {
  const dot = after.indexOf('.')
  const skip = Number(after.slice(0, Math.max(0, dot)))
  if (dot < 1 || !Number.isSafeInteger(skip))
    throw new MinutebookError('invalid_page', 'There is no such page.', 'Pass the `next` of the page before.')
  return { skip, after: after.slice(dot + 1) }
}
