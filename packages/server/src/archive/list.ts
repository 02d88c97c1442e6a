import { placeOfThread } from '@minutebook/experiment/run'
import { LRUCache } from 'lru-cache'
import { MinutebookError, type Store } from 'minutebook'
import type { CallRow } from 'minutebook/inspect'
import {
  checkMetadata,
  fewAtATime,
  glanceWith,
  readMetadata,
  sha256,
  recordNames,
  type StoredEntry,
  type StoredThread,
  type ThreadGlance,
} from 'minutebook/store'
import { isReserved } from '../matching/directory.ts'
import { findKept, findSetup, isFrom } from '../stores/setup.ts'
import { foldThread, type KnownFold, type ThreadFold } from './thread-fold.ts'
import type { ArchivePage, Mark, ThreadCounts, ThreadList, ThreadSort, ThreadSummary } from './thread-list.ts'

/**
 * A page of the threads of people, without internal ones. A query for marks looks at as many threads as its time
 * allows, so a page may be short and still have a `next`.
 */
export async function listThreads(
  store: Store,
  { limit = 100, after, marks = [], metadata = {}, hide = [], owners = false }: ArchivePage = {},
): Promise<ThreadList> {
  checkLimit(limit)
  checkMetadata(metadata)
  const found: ThreadSummary[] = []
  const isFiltered = marks.length > 0 || hide.includes('one-offs') || hide.includes('forks')
  const isWanted = (summary: ThreadSummary): boolean =>
    (marks.length === 0 || summary.marks.some((mark) => marks.includes(mark))) &&
    !sortsOf(summary).some((sort) => hide.includes(sort))
  const listed = async (next?: string): Promise<ThreadList> => ({
    threads: owners ? await fewAtATime(found, (summary) => withOwner(store, summary)) : found,
    ...(next !== undefined && { next }),
  })
  let looked = 0
  let pages = 0
  let place = placeFrom(after)
  for (;;) {
    const { threads, next } = await store.list({
      limit: pageSize,
      metadata,
      ...(place.after !== '' && { after: place.after }),
    })
    const people = [...threads.entries()].filter(
      ([index, { thread }]) =>
        index >= place.skip && !isReserved(thread) && !(hide.includes('runs') && isOfRun(thread)),
    )
    for (let start = 0; start < people.length; start += bite) {
      const some = people.slice(start, start + bite)
      if (found.length === limit || looked >= most) return listed(`${some[0]![0]}.${place.after}`)
      const batch = isFiltered ? some : some.slice(0, limit - found.length)
      const summaries = await fewAtATime(batch, ([, listed]) => threadSummary(store, listed.thread, listed))
      looked += batch.length
      for (const [offset, summary] of summaries.entries()) {
        if (!isWanted(summary)) continue
        if (found.length === limit) return listed(`${batch[offset]![0]}.${place.after}`)
        found.push(summary)
      }
      if (batch.length < some.length) return listed(`${some[batch.length]![0]}.${place.after}`)
    }
    if (next === undefined) return listed()
    if (++pages >= mostPages) return listed(`0.${next}`)
    place = { skip: 0, after: next }
  }
}

/** Throws `invalid_limit` if a page cannot have that many threads. */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new MinutebookError(
      'invalid_limit',
      'A page cannot have that many threads.',
      'Pass a whole number from 1 to 1000.',
    )
}

const pageSize = 200
/** How many threads are read before the time is checked, and how many for one page. */
const bite = 50
const most = 2000
/** How many pages of the store are read for one page: whole pages may be hidden. */
const mostPages = 50

/** Counts the newest threads of people. `hide`: as for the list that the counts are shown with. */
export async function countThreads(store: Store, hide: readonly ThreadSort[] = []): Promise<ThreadCounts> {
  const sorts: Record<ThreadSort, number> = { runs: 0, 'one-offs': 0, forks: 0 }
  const marks: Record<Mark, number> = { truncated: 0, overflow: 0, failed: 0, partial: 0, console: 0 }
  const { threads, next } = await store.list({ limit: mostCounted })
  const people = threads.filter(({ thread }) => !isReserved(thread))
  const summaries = await fewAtATime(people, (listed) => threadSummary(store, listed.thread, listed))
  for (const summary of summaries) {
    const its = sortsOf(summary)
    for (const sort of its) sorts[sort]++
    if (!its.some((sort) => hide.includes(sort))) for (const mark of summary.marks) marks[mark]++
  }
  return { looked: people.length, whole: next === undefined, sorts, marks }
}

const mostCounted = 500

function sortsOf({ thread, oneOff, fork }: ThreadSummary): readonly ThreadSort[] {
  return [
    ...(isOfRun(thread) ? ['runs' as const] : []),
    ...(oneOff ? ['one-offs' as const] : []),
    ...(fork === undefined ? [] : ['forks' as const]),
  ]
}

/** By the name alone, so that a list can leave out many of them without reading them. */
function isOfRun(thread: string): boolean {
  return placeOfThread(thread)?.participant !== undefined
}

/** With the name of the key of its newest model call, or of the one that sent its newest message. */
export async function withOwner<T extends ThreadSummary>(store: Store, summary: T): Promise<T> {
  const { thread } = summary
  const [call] = await store.records.find({ name: recordNames.call, thread, limit: 1 })
  const owner = call ? (call.value as CallRow).owner : (await findKept(store, thread))?.owner
  return owner === undefined || owner === '' ? summary : { ...summary, owner }
}

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
interface Known extends ThreadGlance {
  readonly model: string | null
  /** The models of the settings that were used last, by their hash: a later call may name settings again. */
  readonly models: readonly ModelOfSettings[]
  readonly questions: number
  readonly isRelayed: boolean
  readonly marks: readonly Mark[]
}

type ModelOfSettings = readonly [settings: string, model: string]

/** The value is kept for each thread. */
const mostModels = 16

/**
 * A thread in a list. Only the first query of a long thread costs more: its result is kept.
 *
 * @example
 * const { title, marks } = await threadSummary(store, 'garden')
 */
export async function threadSummary(store: Store, thread: string, listed?: StoredThread): Promise<ThreadSummary> {
  const { length, erasures, metadata } = listed ?? {
    ...(await store.standing(thread)),
    metadata: await readMetadata(store, thread),
  }
  const known = await foldThread(store, { thread, length, erasures }, fold, memoryOf(store))
  const { model, created, written, marks } = known
  const title = metadata['title'] ?? known.title
  // Once a gateway thread has a setup, its turns run here.
  const relayed = known.isRelayed && !(await findSetup(store, thread))
  const oneOff = relayed && isOneOff(known)
  const [forked] = await store.records.find({ name: recordNames.fork, thread, limit: 1 })
  const fork = (forked?.value as { readonly thread: string } | undefined)?.thread
  const summary = { thread, title, metadata, model, entries: length, created, written, marks, oneOff, relayed }
  return fork === undefined ? summary : { ...summary, fork }
}

const memories = new WeakMap<Store, LRUCache<string, KnownFold<Known>>>()
/** At most 10,000 threads. `max` would take 220 kB for each store at once. */
const memoryLimit = { maxSize: 10_000, sizeCalculation: () => 1 }

/** A process does not read again what it has seen of a thread, however large its few entries are. */
function memoryOf(store: Store): LRUCache<string, KnownFold<Known>> {
  const memory = memories.get(store) ?? new LRUCache<string, KnownFold<Known>>(memoryLimit)
  memories.set(store, memory)
  return memory
}

const fold: ThreadFold<Known> = {
  empty: {
    title: null,
    created: null,
    written: null,
    model: null,
    models: [],
    questions: 0,
    isRelayed: false,
    marks: [],
  },
  add: withEntry,
  // The second form: a snapshot in the first, 'summary', has no `models`.
  snapshot: 'summary 2',
}

/** A single question through the gateway that was not continued: a title, an autocomplete. */
function isOneOff({ questions, marks }: Known): boolean {
  return questions === 1 && marks.length === 0
}

function withEntry(before: Known, entry: StoredEntry): Known {
  const { kind, status, text } = entry
  const questions = before.questions + (kind === 'user' ? 1 : 0)
  const known = { ...before, ...glanceWith(before, entry), questions }
  if (status === 'erased') return known
  const marked = { ...known, marks: withMarks(known.marks, marksOf(entry)) }
  if (kind === 'settings') {
    const model = textIn(fieldsOf(text), 'model')
    return model === undefined ? marked : { ...marked, ...withModel(known, [sha256(text), model]) }
  }
  if (kind !== 'receipt') return marked
  const { settings, mode } = fieldsOf(text)
  const used = known.models.find(([hash]) => hash === settings)
  return {
    ...marked,
    ...(used && withModel(known, used)),
    isRelayed: known.isRelayed || typeof mode === 'string',
  }
}

/** With the model of the settings that are used now. */
function withModel({ models }: Known, used: ModelOfSettings): Pick<Known, 'model' | 'models'> {
  const [settings, model] = used
  if (models.at(-1)?.[0] === settings) return { model, models }
  return { model, models: [...models.filter(([hash]) => hash !== settings), used].slice(-mostModels) }
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
