import type { Entry } from './entry.ts'
import { checkMetadata, type Metadata } from './metadata.ts'
import type { Page, Standing, Store, StoredEntry } from './store.ts'

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

/** The glance of a log without entries. */
export const emptyGlance: ThreadGlance = { title: null, created: null, written: null }

/** The glance with one more entry. */
export function glanceWith(glance: ThreadGlance, { kind, status, text, time, seq }: Entry): ThreadGlance {
  const isQuestion = kind === 'user' && status !== 'erased' && seq < page
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

/** A value that is computed from the entries of a log in order. It is plain JSON. */
export interface ThreadFold<T> {
  readonly empty: T
  add(value: T, entry: StoredEntry): T
  /** True if only the first 64 entries and the newest one matter. Then only these are read. */
  readonly ends?: boolean
  /** The name of the snapshot in which the value of a long thread is kept. Default: it is not kept. */
  readonly snapshot?: string
}

/** The values of threads that were read before. The caller owns it and limits its size. */
export interface FoldMemory<T> {
  get(thread: string): KnownFold<T> | undefined
  set(thread: string, known: KnownFold<T>): void
}

/** The value of a thread, and how far it was read for it. */
export interface KnownFold<T> extends Pick<Standing, 'length' | 'erasures'> {
  readonly value: T
}

/** Entries that are read at a time. */
const page = 64
/** As many entries are read faster than a snapshot of them. */
const short = 32
const worthKeeping = 16

/** Computes the value of a thread. What is in the memory is not read again, and the rest is read a page at a time. */
export async function foldThread<T>(
  store: Store,
  { thread, length, erasures }: Pick<Standing, 'length' | 'erasures'> & { readonly thread: string },
  fold: ThreadFold<T>,
  memory: FoldMemory<T>,
): Promise<T> {
  const seen = memory.get(thread)
  const before = seen?.erasures === erasures ? seen : await loaded(store, thread, length, fold)
  let { value } = before
  let last: StoredEntry | undefined
  for (let from = before.length; from < length;) {
    if (fold.ends && from >= page) from = length - 1
    const to = Math.min(length, from + page)
    const entries = await store.read(thread, { from, to })
    value = entries.reduce((known, entry) => fold.add(known, entry), value)
    last = entries.at(-1) ?? last
    from = to
  }
  if (last && fold.snapshot !== undefined && length > short && length - before.length > worthKeeping) {
    const { id, seq } = last
    await store.snapshots.save(thread, fold.snapshot, { id, seq, value }, { erasures, only: true })
  }
  memory.set(thread, { length, erasures, value })
  return value
}

async function loaded<T>(
  store: Store,
  thread: string,
  length: number,
  { empty, snapshot }: ThreadFold<T>,
): Promise<Pick<KnownFold<T>, 'length' | 'value'>> {
  const kept = snapshot !== undefined && length > short ? await store.snapshots.load(thread, snapshot) : undefined
  return kept ? { length: kept.seq + 1, value: kept.value as T } : { length: 0, value: empty }
}

/** Does work for each, a few at a time: a thread may be large. */
export async function fewAtATime<T, R>(all: readonly T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let start = 0; start < all.length; start += atOnce)
    done.push(...(await Promise.all(all.slice(start, start + atOnce).map(work))))
  return done
}

const atOnce = 4

/** Lists threads of a store. Of each thread that is not in the memory it reads at most 65 entries. */
export async function listThreads(store: Store, asked: Page, memory: FoldMemory<ThreadGlance>): Promise<ThreadList> {
  if (asked.metadata) checkMetadata(asked.metadata)
  const { threads, next } = await store.list(asked)
  const fold: ThreadFold<ThreadGlance> = { empty: emptyGlance, add: glanceWith, ends: true }
  const listed = await fewAtATime(threads, async ({ thread, metadata, length, erasures }) => {
    const glance = await foldThread(store, { thread, length, erasures }, fold, memory)
    return { id: thread, ...glance, title: metadata['title'] ?? glance.title, metadata, entries: length }
  })
  return { threads: listed, ...(next !== undefined && { next }) }
}

/** Keeps the values of the threads that were listed last, at most `most` of them. */
export function createFoldMemory<T>(most: number): FoldMemory<T> {
  const known = new Map<string, KnownFold<T>>()
  return {
    get: (thread) => known.get(thread),
    set: (thread, value) => {
      known.delete(thread)
      known.set(thread, value)
      for (const oldest of known.keys()) {
        if (known.size <= most) break
        known.delete(oldest)
      }
    },
  }
}
