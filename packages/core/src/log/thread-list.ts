import type { Entry } from './entry.ts'
import { checkMetadata, type Metadata } from './metadata.ts'
import type { Page, Standing, Store } from './store.ts'

/**
 * What is a thread in a list? Its title, its metadata and its times. All but the metadata is derived from the log, so
 * what was erased is in no list.
 */
export interface ListedThread extends ThreadGlance {
  readonly id: string
  /** The `title` in its metadata, or else the first words of its first question. Null if it has neither. */
  readonly title: string | null
  readonly metadata: Metadata
  /** The number of its entries. */
  readonly entries: number
}

/** One page of a book's threads, the most recently written first. */
export interface ThreadList {
  readonly threads: readonly ListedThread[]
  /** Set if there are more. Pass it as `after`. */
  readonly next?: string
}

/** What a look at the first and the newest entries of a log tells. */
export interface ThreadGlance {
  /** The first words of the first question. Null if it was erased, or is not among the first 64 entries. */
  readonly title: string | null
  /** The time of the first entry. Null if it has none. */
  readonly created: string | null
  /** The time of the newest entry. Null if no entry has one. */
  readonly written: string | null
}

/** The glance with one more entry. */
export function glanceWith(glance: ThreadGlance, { kind, status, text, time, seq }: Entry): ThreadGlance {
  const isQuestion = kind === 'user' && status !== 'erased' && seq < looked
  return {
    title: glance.title ?? (isQuestion ? firstWords(text) : null),
    created: seq === 0 ? (time ?? null) : glance.created,
    written: time ?? glance.written,
  }
}

const longestTitle = 120

function firstWords(text: string): string | null {
  const words = text
    .slice(0, longestTitle * 4)
    .split(/\s+/)
    .filter(Boolean)
  const letters = Array.from(words.join(' '))
  if (letters.length === 0) return null
  return letters.length > longestTitle ? `${letters.slice(0, longestTitle - 1).join('')}…` : letters.join('')
}

/** Does work for each, a few at a time: a thread may be large. */
export async function fewAtATime<T, R>(all: readonly T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let start = 0; start < all.length; start += atOnce)
    done.push(...(await Promise.all(all.slice(start, start + atOnce).map(work))))
  return done
}

const atOnce = 4

/** Lists the threads of a store. Of each thread that was not listed before it reads at most 65 entries. */
export function threadLister(store: Store): (asked: Page) => Promise<ThreadList> {
  const known = new Map<string, KnownGlance>()
  return async (asked) => {
    if (asked.metadata) checkMetadata(asked.metadata)
    const { threads, next } = await store.list(asked)
    const listed = await fewAtATime(threads, async ({ thread, metadata, length, erasures }) => {
      const seen = known.get(thread)
      const before = seen?.erasures === erasures ? seen : { glance: nothingSeen, length: 0 }
      const glance = await glanceAt(store, { thread, length }, before)
      known.delete(thread)
      known.set(thread, { glance, length, erasures })
      return { id: thread, ...glance, title: metadata['title'] ?? glance.title, metadata, entries: length }
    })
    for (const oldest of known.keys()) {
      if (known.size <= mostKnown) break
      known.delete(oldest)
    }
    return { threads: listed, ...(next !== undefined && { next }) }
  }
}

/** The glance of a thread, and of how many entries. */
interface KnownGlance extends Pick<Standing, 'length' | 'erasures'> {
  readonly glance: ThreadGlance
}

const nothingSeen: ThreadGlance = { title: null, created: null, written: null }

/** The number of threads of which title and times are kept in memory: those that were listed last. */
const mostKnown = 1000

/** Entries at the beginning of a log that are looked at. */
const looked = 64

/** Only the first entries and the newest one matter. `before`: what is known of the thread. */
async function glanceAt(
  store: Pick<Store, 'read'>,
  { thread, length }: { readonly thread: string; readonly length: number },
  before: Pick<KnownGlance, 'glance' | 'length'>,
): Promise<ThreadGlance> {
  const from = before.length
  const to = Math.min(length, looked)
  const first = from < to ? await store.read(thread, { from, to }) : []
  const newest = Math.max(from, to) < length ? await store.read(thread, { from: length - 1, to: length }) : []
  return [...first, ...newest].reduce(glanceWith, before.glance)
}
