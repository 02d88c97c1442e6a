import type { Store } from 'minutebook'
import { badOutcomes, callRowKey, type CallRow } from 'minutebook/inspect'
import { fewAtATime, recordNames } from 'minutebook/store'
import { isReserved } from '../matching/directory.ts'
import { threadSummary } from './list.ts'

/** What may be special of a call: its server cut the prompt, entries were left out or clipped, or it took long. */
export type CallFlag = 'cut' | 'omitted' | 'clipped' | 'slow'
/** All of them, in the order in which they are shown. */
export const callFlags: readonly CallFlag[] = ['cut', 'omitted', 'clipped', 'slow']

/** How a call may end, as its receipt says it. */
export const callOutcomes: readonly CallRow['outcome'][] = [
  'stop',
  'calls',
  'length',
  'filter',
  'unknown',
  'cancelled',
  'failed',
  'refused',
  'unfit',
]

/** A slow call takes at least this many milliseconds. */
const slowCall = 10_000

/** Which calls are listed: those that have one of the values of each field. Without a value, all. */
export interface CallFilter {
  /** Those that ended at this time or later, and before this one, as ISO 8601 texts in UTC. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly outcome?: readonly CallRow['outcome'][] | undefined
  readonly model?: readonly string[] | undefined
  readonly owner?: readonly string[] | undefined
  readonly flag?: readonly CallFlag[] | undefined
}

/** Which page of the calls. */
export interface CallPage extends CallFilter {
  /** Default: 100. */
  readonly limit?: number | undefined
  /** The value of `next` on the previous page. */
  readonly after?: string | undefined
}

/** A call in the list of the calls of all threads. */
export interface ListedCall extends Omit<CallRow, 'owner' | 'ended'> {
  readonly ended: string
  readonly thread: string
  readonly title: string | null
  /** Only for admins. */
  readonly owner?: string
}

/** A page of the calls of all threads, the newest first. */
export interface ListedCalls {
  readonly calls: readonly ListedCall[]
  /** Where the next page begins, if there may be more. */
  readonly next?: string
  /** When the oldest call that was looked at ended: a filter looks at a limited number of calls. */
  readonly from?: string
}

/** How many of the newest calls have each value. A value is counted among the calls that the other filters let through. */
export interface CallCounts {
  /** How many calls were looked at, and whether these are all of the range of time. */
  readonly looked: number
  readonly whole: boolean
  readonly outcome: readonly ValueCount[]
  readonly model: readonly ValueCount[]
  /** Only for admins. */
  readonly owner?: readonly ValueCount[]
  readonly flag: readonly ValueCount[]
}

export interface ValueCount {
  readonly value: string
  readonly count: number
}

/**
 * The model calls of all threads, the one that ended last first. What it costs is bounded: a page is looked for among a
 * limited number of calls, so it may be short and still have a `next`.
 */
export async function listCallRows(store: Store, page: CallPage): Promise<ListedCalls> {
  const { limit = 100, after } = page
  const found: KeyedRow[] = []
  let looked = 0
  let last: KeyedRow | undefined
  for await (const row of newest(store, page, after)) {
    if (found.length >= limit || looked >= mostLooked)
      return { calls: await titled(store, found), ...(last && { next: last.key, from: timeOf(last.row) }) }
    looked++
    last = row
    if (matches(row.row, page)) found.push(row)
  }
  return { calls: await titled(store, found), ...(last && { from: timeOf(last.row) }) }
}

/** Counts the values of the newest calls. */
export async function countCallRows(store: Store, filter: CallFilter): Promise<CallCounts> {
  const counts = { outcome: new Map(), model: new Map(), owner: new Map(), flag: new Map() } satisfies Record<
    Facet,
    Map<string, number>
  >
  let looked = 0
  let whole = true
  for await (const { row } of newest(store, { since: filter.since, until: filter.until }, undefined)) {
    if (looked >= mostCounted) {
      whole = false
      break
    }
    looked++
    for (const facet of facets)
      if (matches(row, { ...filter, [facet]: undefined }))
        for (const value of valuesOf(row, facet)) add(counts[facet], value)
  }
  const listed = (facet: Facet): readonly ValueCount[] =>
    [...counts[facet]]
      .map(([value, count]) => ({ value, count }))
      .toSorted((one, other) => other.count - one.count)
      .slice(0, mostValues)
  return {
    looked,
    whole,
    outcome: listed('outcome'),
    model: listed('model'),
    owner: listed('owner'),
    flag: listed('flag'),
  }
}

/** How many calls are looked at for one page, how many are counted, and how many are read at once. */
const mostLooked = 5000
const mostCounted = 1000
const pageSize = 500
/** Clients choose the names of models. */
const mostValues = 50

interface KeyedRow {
  readonly key: string
  readonly thread: string
  readonly row: CallRow
}

/** The calls of a range of time, the one that ended last first. */
async function* newest(store: Store, filter: CallFilter, after: string | undefined): AsyncGenerator<KeyedRow> {
  const since = filter.since === undefined ? '' : callRowKey(Date.parse(filter.since))
  const until = filter.until === undefined ? '~' : callRowKey(Date.parse(filter.until))
  const name = isOnlyBad(filter) ? recordNames.badCall : recordNames.call
  let below = after !== undefined && after < until ? after : until
  for (let limit = firstPage; ; limit = pageSize) {
    const records = await store.records.find({ name, below, from: since, limit })
    for (const { key, thread, value } of records)
      if (thread !== null && !isReserved(thread)) yield { key, thread, row: value as CallRow }
    if (records.length < limit) return
    below = records.at(-1)!.key
  }
}

const firstPage = 101

/** Whether all calls that match are among those that went wrong, of which there are few. */
function isOnlyBad({ outcome = [], flag = [] }: CallFilter): boolean {
  const isBad = outcome.length > 0 && outcome.every((each) => badOutcomes.has(each))
  return isBad || (flag.length > 0 && flag.every((each) => each === 'cut'))
}

const facets = ['outcome', 'model', 'owner', 'flag'] as const
type Facet = (typeof facets)[number]

function matches(row: CallRow, filter: CallFilter): boolean {
  return facets.every((facet) => {
    const wanted: readonly string[] = filter[facet] ?? []
    return wanted.length === 0 || valuesOf(row, facet).some((value) => wanted.includes(value))
  })
}

function valuesOf(row: CallRow, facet: Facet): readonly string[] {
  return facet === 'flag' ? flagsOf(row) : [row[facet] ?? '']
}

/** What is special of a call. */
export function flagsOf({
  cut,
  omitted,
  clipped,
  total,
}: Pick<CallRow, 'cut' | 'omitted' | 'clipped' | 'total'>): readonly CallFlag[] {
  return [
    ...(cut ? ['cut' as const] : []),
    ...(omitted > 0 ? ['omitted' as const] : []),
    ...(clipped > 0 ? ['clipped' as const] : []),
    ...(total >= slowCall ? ['slow' as const] : []),
  ]
}

function add(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1)
}

function timeOf({ ended }: CallRow): string {
  return new Date(ended).toISOString()
}

/** The rows with the titles of their threads. */
async function titled(store: Store, rows: readonly KeyedRow[]): Promise<readonly ListedCall[]> {
  const threads = [...new Set(rows.map(({ thread }) => thread))]
  const summaries = await fewAtATime(threads, (thread) => threadSummary(store, thread))
  const titles = new Map(summaries.map(({ thread, title }) => [thread, title]))
  return rows.map(({ thread, row }) => ({ ...row, ended: timeOf(row), thread, title: titles.get(thread) ?? null }))
}
