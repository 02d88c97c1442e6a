import type { Store } from 'minutebook'
import type { Standing, StoredEntry } from 'minutebook/store'
import { createBoundedMap, type BoundedMap } from '../bounded-map.ts'
import type { Mark, ThreadSummary } from '../desk.ts'
import { isFrom } from '../sender-id.ts'
import { findSetup } from '../turns/setup.ts'

/** What is known of a thread up to an entry: plain JSON, kept beside the log of a long one. */
interface Known {
  readonly title: string | null
  readonly model: string | null
  readonly time: string | null
  readonly questions: number
  readonly isRelayed: boolean
  readonly marks: readonly Mark[]
}

/**
 * A thread in a list. A long one costs no more than a short one, but for the first time: what was gathered from it is
 * kept.
 *
 * @example
 * const { title, marks } = await summaryOf(store, 'garden')
 */
export async function summaryOf(store: Store, thread: string, standing?: Standing): Promise<ThreadSummary> {
  const { length, erasures } = standing ?? (await store.standing(thread))
  const known = await knownOf(store, thread, { length, erasures })
  const { title, model, time, marks } = known
  // Whoever sets a thread up that came through the gateway has its turns run here from then on.
  const relayed = known.isRelayed && !(await findSetup(store, thread))
  return { thread, title, model, entries: length, time, marks, oneOff: relayed && isOneOff(known), relayed }
}

/**
 * What a process has seen of a thread it need not read again, however large its few entries are. A page of them is read
 * at a time.
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

const memories = new WeakMap<Store, BoundedMap<Seen>>()

function memoryOf(store: Store): BoundedMap<Seen> {
  const memory = memories.get(store) ?? createBoundedMap<Seen>({ entries: 10_000 })
  memories.set(store, memory)
  return memory
}

/** Entries that are read at a time. */
const page = 64
/** Entries that are read faster than what was kept of them. */
const short = 32
const worthKeeping = 16
const snapshotName = 'summary'
const nothing: Known = { title: null, model: null, time: null, questions: 0, isRelayed: false, marks: [] }

/** Asked once through the gateway, and nothing came of it: a title, an autocomplete, a question by the way. */
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
