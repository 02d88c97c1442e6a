import { LRUCache } from 'lru-cache'
import { MinutebookError, type Store } from 'minutebook'
import type { Standing, StoredEntry } from 'minutebook/store'
import { isReserved } from '../matching/directory.ts'
import { findSetup, isFrom } from '../stores/setup.ts'
import type { ArchivePage, Mark, ThreadList, ThreadSummary } from './archive.ts'

/**
 * A page of the threads of people, without internal ones. A query for marks looks at as many threads as its time
 * allows, so a page may be short and still have a `next`.
 */
export async function listThreads(
  store: Store,
  { limit = 100, after, marks = [] }: ArchivePage = {},
): Promise<ThreadList> {
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new MinutebookError(
      'invalid_limit',
      'A page cannot have that many threads.',
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
      const batch = marks.length === 0 ? some.slice(0, limit - found.length) : some
      const summaries = await eachInTurn(batch, ([, standing]) => threadSummary(store, standing.thread, standing))
      looked += batch.length
      for (const [offset, summary] of summaries.entries()) {
        if (!isWanted(summary)) continue
        if (found.length === limit) return { threads: found, next: `${batch[offset]![0]}.${place.after}` }
        found.push(summary)
      }
      if (batch.length < some.length) return { threads: found, next: `${some[batch.length]![0]}.${place.after}` }
    }
    if (next === undefined) return { threads: found }
    place = { skip: 0, after: next }
  }
}

const pageSize = 200
/** How many threads are read before the time is checked, and how many for one page. */
const bite = 50
const most = 2000

/** A few at a time: the threads may be large, and everything new of each is read. */
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
    throw new MinutebookError(
      'invalid_page',
      'There is no such page.',
      'Pass the value of `next` on the previous page.',
    )
  return { skip, after: after.slice(dot + 1) }
}

/** What is known of a thread up to an entry: plain JSON, kept next to the log of a long thread. */
interface Known {
  readonly title: string | null
  readonly model: string | null
  readonly time: string | null
  readonly questions: number
  readonly isRelayed: boolean
  readonly marks: readonly Mark[]
}

/**
 * A thread in a list. Only the first query of a long thread costs more: its result is kept.
 *
 * @example
 * const { title, marks } = await threadSummary(store, 'garden')
 */
export async function threadSummary(store: Store, thread: string, standing?: Standing): Promise<ThreadSummary> {
  const { length, erasures } = standing ?? (await store.standing(thread))
  const known = await knownOf(store, thread, { length, erasures })
  const { title, model, time, marks } = known
  // Once a gateway thread has a setup, its turns run here.
  const relayed = known.isRelayed && !(await findSetup(store, thread))
  return { thread, title, model, entries: length, time, marks, oneOff: relayed && isOneOff(known), relayed }
}

/**
 * A process does not read again what it has seen of a thread, however large its few entries are. It reads a page at a
 * time.
 */
async function knownOf(
  store: Store,
  thread: string,
  { length, erasures }: Pick<Standing, 'length' | 'erasures'>,
): Promise<Known> {
  const memory = memoryOf(store)
  const seen = memory.get(thread)
  const before = seen?.erasures === erasures ? seen : await loaded(store, thread, length)
  let { known } = before
  let last: StoredEntry | undefined
  for (let from = before.length; from < length; from += page) {
    const entries = await store.read(thread, { from, to: Math.min(length, from + page) })
    known = entries.reduce(withEntry, known)
    last = entries.at(-1) ?? last
  }
  if (last && length > short && length - before.length > worthKeeping) {
    await store.snapshots.save(
      thread,
      snapshotName,
      { id: last.id, seq: last.seq, value: known },
      { erasures, only: true },
    )
  }
  memory.set(thread, { length, erasures, known })
  return known
}

async function loaded(store: Store, thread: string, length: number): Promise<Pick<Seen, 'length' | 'known'>> {
  const kept = length > short ? await store.snapshots.load(thread, snapshotName) : undefined
  return kept ? { length: kept.seq + 1, known: kept.value as Known } : { length: 0, known: nothing }
}

interface Seen {
  readonly length: number
  readonly erasures: number
  readonly known: Known
}

const memories = new WeakMap<Store, LRUCache<string, Seen>>()
/** At most 10,000 threads. `max` would take 220 kB for each store at once. */
const memoryLimit = { maxSize: 10_000, sizeCalculation: () => 1 }

function memoryOf(store: Store): LRUCache<string, Seen> {
  const memory = memories.get(store) ?? new LRUCache<string, Seen>(memoryLimit)
  memories.set(store, memory)
  return memory
}

/** Entries that are read at a time. */
const page = 64
/** As many entries are read faster than the summary that was kept of them. */
const short = 32
const worthKeeping = 16
const snapshotName = 'summary'
const nothing: Known = { title: null, model: null, time: null, questions: 0, isRelayed: false, marks: [] }

/** A single question through the gateway that was not continued: a title, an autocomplete. */
function isOneOff({ questions, marks }: Known): boolean {
  return questions === 1 && marks.length === 0
}

function withEntry(known: Known, entry: StoredEntry): Known {
  const { kind, status, text } = entry
  const time = entry.time ?? known.time
  if (status === 'erased') return { ...known, time, questions: known.questions + (kind === 'user' ? 1 : 0) }
  const marked = { ...known, time, marks: withMarks(known.marks, marksOf(entry)) }
  if (kind === 'user') return { ...marked, title: known.title ?? titleOf(text), questions: known.questions + 1 }
  if (kind === 'settings') return { ...marked, model: textIn(fieldsOf(text), 'model') ?? known.model }
  if (kind === 'receipt')
    return { ...marked, isRelayed: known.isRelayed || textIn(fieldsOf(text), 'mode') !== undefined }
  return marked
}

function marksOf({ kind, status, text }: StoredEntry): readonly Mark[] {
  if (kind === 'receipt') return receiptMarks(fieldsOf(text))
  if (kind === 'assistant')
    return status === 'partial' || status === 'cancelled' ? ['partial'] : status === 'failed' ? ['failed'] : []
  if (kind !== 'stop') return []
  const code = textIn(fieldsOf(text), 'code') ?? ''
  return code.includes('overflow') ? ['overflow'] : status === 'failed' ? ['failed'] : []
}

function receiptMarks(receipt: Readonly<Record<string, unknown>>): readonly Mark[] {
  const isOurs = isFrom('console', textIn(receipt, 'key'))
  return [
    ...(textIn(receipt, 'truncated') === 'yes' ? ['truncated' as const] : []),
    ...(isOurs ? ['console' as const] : []),
  ]
}

function withMarks(marks: readonly Mark[], more: readonly Mark[]): readonly Mark[] {
  const added = more.filter((mark) => !marks.includes(mark))
  return added.length === 0 ? marks : [...marks, ...added]
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>
  } catch {
    return {}
  }
}

function textIn(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

const longestTitle = 120

function titleOf(text: string): string | null {
  const letters = Array.from(
    text
      .slice(0, longestTitle * 4)
      .split(/\s+/)
      .filter(Boolean)
      .join(' '),
  )
  if (letters.length === 0) return null
  return letters.length > longestTitle ? `${letters.slice(0, longestTitle - 1).join('')}…` : letters.join('')
}
