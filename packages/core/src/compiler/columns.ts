import { MinutebookError } from '../log/error.ts'
import { digestStep, questionOf, type Digest, type DigestLine } from './digest.ts'
import { startsExchange, type CallMatch } from '../log/exchange.ts'
import { traits, type Kind } from '../log/kind.ts'
import type { Message } from '../log/message.ts'
import type { Cost, PinCost } from './cost.ts'
import { entryTitle, type FoldedEntry } from './framing.ts'
import type { OutlineLine } from './outline.ts'
import { isApart } from './policy.ts'
import { createIndex, forkIndex, type StemIndex } from './stem-index.ts'
import type { Settings } from './settings.ts'

/**
 * How can a list forget its beginning? A column is a list that only grows. It may have dropped its first values, except
 * those at a few places.
 */
export interface Column<T> {
  /** The place of the first of `values`. */
  readonly from: number
  readonly values: T[]
  /** The values that are still known from before `from`. */
  readonly older: ColumnData<T>
}

/** Values by their places, in ascending order. */
export type ColumnData<T> = readonly (readonly [place: number, value: T])[]

export function columnOf<T>(...values: T[]): Column<T> {
  return { from: 0, values, older: [] }
}

/** Returns the value at a place that the column has. Throws `not_loaded` if the value was dropped. */
export function at<T>({ from, values, older }: Column<T>, place: number): T {
  if (place >= from) return values[place - from]!
  const value = knownAt(older, place)
  if (value === undefined) throw droppedError()
  return value
}

export function knownAt<T>(known: ColumnData<T>, place: number): T | undefined {
  const [found, value] = known[lastBy(known, known.length, ([each]) => each <= place)] ?? []
  return found === place ? value : undefined
}

export function push<T>({ values }: Column<T>, value: T): void {
  values.push(value)
}

/** The place that the next value will get. */
export function nextPlace({ from, values }: Column<unknown>): number {
  return from + values.length
}

/** The values from one place up to another. Throws `not_loaded` if some of them were dropped. */
export function between<T>(column: Column<T>, from: number, to: number): T[] {
  if (from >= to) return []
  if (from < column.from) throw droppedError()
  return column.values.slice(from - column.from, to - column.from)
}

/** Of the first `count` numbers, which are ascending, returns the place of the last that is at most `number`, or -1. */
export function lastNotAfter(column: Column<number>, count: number, number: number): number {
  const { from, values, older } = column
  const newest = from + lastBy(values, count - from, (value) => value <= number)
  if (newest >= from) return newest
  const [place] = older[lastBy(older, older.length, ([, value]) => value <= number)] ?? [-1]
  // The next place must be known, too. If not, a dropped number in between could be the right one.
  if (place + 1 < count && at(column, place + 1) <= number) throw droppedError()
  return place
}

/** What the values between two places add up to, in a column of running sums. */
export function sumBetween(sums: Column<number>, from: number, to: number): number {
  return at(sums, to) - at(sums, from)
}

/** A copy of the first `count` values. */
export function upTo<T>({ from, values, older }: Column<T>, count: number): Column<T> {
  return { from, values: values.slice(0, count - from), older }
}

/** The column with each value changed by a function. */
export function mapped<T, U>({ from, values, older }: Column<T>, change: (value: T) => U): Column<U> {
  return { from, values: values.map(change), older: older.map(([place, value]) => [place, change(value)] as const) }
}

/** The column without the values before `from`, except those at `places`, which are ascending. */
export function keeping<T>(column: Column<T>, count: number, from: number, places: readonly number[]): Column<T> {
  const first = Math.max(0, Math.min(from, count))
  return {
    from: first,
    values: between(column, first, count),
    older: places.filter((place) => place >= 0 && place < first).map((place) => [place, at(column, place)] as const),
  }
}

function droppedError(): MinutebookError {
  return new MinutebookError(
    'not_loaded',
    'This fold was condensed, and the part that is needed here was dropped.',
    'Fold the whole log again with advance().',
  )
}

/**
 * Returns the last of the first `count` items for which `holds` is true, or -1. Once false, `holds` must stay false.
 */
function lastBy<T>(items: readonly T[], count: number, holds: (item: T) => boolean): number {
  let low = 0
  let high = Math.max(0, count)
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(items[middle]!)) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** What is known about each entry and exchange, in lists that only grow. Counted once, when the entry is added. */
export interface Lists {
  /** Tokens of each entry: its text, its reasoning, everything else. */
  readonly text: Column<number>
  readonly reasoning: Column<number>
  readonly rest: Column<number>
  /** Running sums over the entries before each index, without system entries: with reasoning, and without. */
  readonly full: Column<number>
  readonly withoutReasoning: Column<number>
  /** The index at which each exchange and each step starts. */
  readonly exchanges: Column<number>
  readonly steps: Column<number>
  /** The digest and the title of each finished exchange. */
  readonly digests: Column<DigestLine>
  readonly titles: Column<string>
  /** Running sums over the digests before each exchange. */
  readonly digestSums: Column<number>
  /** The system entries, with running sums of their tokens: of all, and of each text once. Never dropped. */
  readonly systems: Column<number>
  readonly systemSums: Column<number>
  readonly systemOnceSums: Column<number>
  /** The pinned entries, with running sums of what they cost if they are quoted. Never dropped. */
  readonly pins: Column<number>
  readonly pinSums: Column<PinCost>
  /** The notes and journal entries, with running sums of their cost under one heading. */
  readonly notes: Column<number>
  readonly noteSums: Column<number>
}

/** How far a view reads. */
export interface Counts {
  readonly length: number
  readonly exchanges: number
  readonly steps: number
  readonly systems: number
  readonly pins: number
  readonly notes: number
  /** The index of the first user entry, and of the first chained entry after it; or -1. */
  readonly firstUser: number
  readonly afterFirst: number
}

/** A copy of the lists, as far as the counts go. */
export function listsUpTo(lists: Lists, { length, exchanges, steps, systems, pins, notes }: Counts): Lists {
  const finished = Math.max(0, exchanges - 1)
  return {
    text: upTo(lists.text, length),
    reasoning: upTo(lists.reasoning, length),
    rest: upTo(lists.rest, length),
    full: upTo(lists.full, length + 1),
    withoutReasoning: upTo(lists.withoutReasoning, length + 1),
    exchanges: upTo(lists.exchanges, exchanges),
    steps: upTo(lists.steps, steps),
    digests: upTo(lists.digests, finished),
    titles: upTo(lists.titles, finished),
    digestSums: upTo(lists.digestSums, finished + 1),
    systems: upTo(lists.systems, systems),
    systemSums: upTo(lists.systemSums, systems + 1),
    systemOnceSums: upTo(lists.systemOnceSums, systems + 1),
    pins: upTo(lists.pins, pins),
    pinSums: upTo(lists.pinSums, pins + 1),
    notes: upTo(lists.notes, notes),
    noteSums: upTo(lists.noteSums, notes + 1),
  }
}

/** The lists, the entries themselves, and indexes of them. */
export interface Columns<M extends Message = Message> extends Lists {
  readonly entries: Column<FoldedEntry<M>>
  readonly remains: FoldMemory
  /** For each system text, the index of the first entry that has it. */
  readonly systemTexts: Map<string, number>
  /** The search index of recall. Updated only when a recall needs it. */
  readonly index: StemIndex
  /** A cache. It can be dropped at any time. */
  readonly memory: Memory
}

/** What is still known of entries that were dropped, by index. */
export interface FoldMemory {
  /** The first words of entries that may be the first of a span. */
  readonly openings: ColumnData<string>
  /** The digests of steps that a prompt of the newest turn may still show. */
  readonly steps: ColumnData<Digest>
}

/** Lines of outlines by the exchanges they cover, the cost of an entry when recalled, and entries that were read again. */
interface Memory {
  readonly outline: Map<string, OutlineLine>
  readonly recalled: Map<number, number>
  readonly older: Map<number, OlderEntry>
}

/** What was read again of an entry that had been dropped. */
interface OlderEntry {
  readonly entry: FoldedEntry | undefined
  /** The number of its exchange, and of the notes before it. */
  readonly exchange: number
  readonly notes: number
}

/** Remembers entries that were read again. Forgets those that were read long ago. */
export function remember(
  { memory: { older } }: Columns,
  read: readonly (readonly [index: number, entry: OlderEntry])[],
): void {
  for (const [index, entry] of read) {
    older.delete(index)
    older.set(index, entry)
  }
  for (const index of older.keys()) {
    if (older.size <= read.length + mostOlder) break
    older.delete(index)
  }
}

const mostOlder = 512

/** The entry at an index that is in memory, or was read again. */
export function entryAt<M extends Message>({ columns: { entries, memory } }: View<M>, index: number): FoldedEntry {
  return memory.older.get(index)?.entry ?? at(entries, index)
}

/**
 * A fold's view of the columns: the first entries of them. When the columns grow, older views stay valid, because each
 * reads only as far as its counts.
 */
export interface View<M extends Message = Message> extends Counts {
  readonly settings: Settings
  readonly columns: Columns<M>
}

export function emptyView<M extends Message>(settings: Settings): View<M> {
  return {
    settings,
    columns: createColumns(),
    length: 0,
    exchanges: 0,
    steps: 0,
    systems: 0,
    pins: 0,
    notes: 0,
    firstUser: -1,
    afterFirst: -1,
  }
}

/** Returns the view with one more entry. If another view has already grown the columns, they are copied first. */
export function appended<M extends Message>(
  view: View<M>,
  entry: FoldedEntry<M>,
  place: CallMatch,
  cost: Cost,
): View<M> {
  const { prices, policy } = view.settings
  const columns = nextPlace(view.columns.entries) === view.length ? view.columns : copied(view)
  const index = view.length
  const { pinned, chained } = traits[entry.kind]
  const own = cost.text + cost.rest
  // Each call is counted as interrupted until its result arrives. So a sum over whole steps is always exact.
  const repairs = (entry.calls.length - (place.answers ? 1 : 0)) * prices.interrupted
  push(columns.entries, entry)
  push(columns.text, cost.text)
  push(columns.reasoning, cost.reasoning)
  push(columns.rest, cost.rest)
  const isAside = isApart(entry.kind, policy)
  const inPlace = isAside ? 0 : own + repairs
  push(columns.withoutReasoning, at(columns.withoutReasoning, index) + inPlace)
  push(columns.full, at(columns.full, index) + (isAside ? 0 : inPlace + cost.reasoning))
  if (startsExchange(entry, view.exchanges)) push(columns.exchanges, index)
  if (pinned) {
    const repeated = columns.systemTexts.has(entry.text)
    push(columns.systems, index)
    push(columns.systemSums, at(columns.systemSums, view.systems) + own)
    push(columns.systemOnceSums, at(columns.systemOnceSums, view.systems) + (repeated ? 0 : own))
    if (!repeated) columns.systemTexts.set(entry.text, index)
  } else if (place.startsStep) push(columns.steps, index)
  if (cost.pinned) {
    const { whole, least } = at(columns.pinSums, view.pins)
    push(columns.pins, index)
    push(columns.pinSums, { whole: whole + cost.pinned.whole, least: least + cost.pinned.least })
  }
  if (!chained) {
    push(columns.notes, index)
    push(columns.noteSums, at(columns.noteSums, view.notes) + cost.text + prices.note)
  }
  return grown(view, columns, entry.kind)
}

/** The view one entry further. The columns must already have that entry. */
export function grown<M extends Message>(view: View<M>, columns: Columns<M>, kind: Kind): View<M> {
  const { length, firstUser, afterFirst } = view
  const counted = (starts: Column<number>, count: number): number =>
    count < nextPlace(starts) && at(starts, count) === length ? count + 1 : count
  return {
    settings: view.settings,
    columns,
    length: length + 1,
    exchanges: counted(columns.exchanges, view.exchanges),
    steps: counted(columns.steps, view.steps),
    systems: counted(columns.systems, view.systems),
    pins: counted(columns.pins, view.pins),
    notes: counted(columns.notes, view.notes),
    firstUser: firstUser < 0 && kind === 'user' ? length : firstUser,
    afterFirst: firstUser >= 0 && afterFirst < 0 && traits[kind].chained ? length : afterFirst,
  }
}

/** The number of the exchange that has the entry at `index`. -1 before the first. */
export function exchangeOf(view: View, index: number): number {
  return view.columns.memory.older.get(index)?.exchange ?? lastNotAfter(view.columns.exchanges, view.exchanges, index)
}

/** The first index of an exchange. For the exchange after the last, the end of the log. */
export function exchangeStart(view: View, exchange: number): number {
  if (exchange < 0) return 0
  return exchange < view.exchanges ? at(view.columns.exchanges, exchange) : view.length
}

/** The system entries between two indexes. */
export function systemsBetween({ columns, systems }: View, from: number, to: number): readonly number[] {
  return indexesBetween(columns.systems, systems, from, to)
}

/** The notes between two indexes. */
export function notesBetween({ columns, notes }: View, from: number, to: number): readonly number[] {
  return indexesBetween(columns.notes, notes, from, to)
}

function indexesBetween(indexes: Column<number>, count: number, from: number, to: number): readonly number[] {
  return between(indexes, lastNotAfter(indexes, count, from - 1) + 1, lastNotAfter(indexes, count, to - 1) + 1)
}

/** The number of notes between two indexes. */
export function countNotes(view: View, from: number, to: number): number {
  return notesBefore(view, to) - notesBefore(view, from)
}

/** The number of notes before an index. */
export function notesBefore({ columns, notes }: View, index: number): number {
  return columns.memory.older.get(index)?.notes ?? lastNotAfter(columns.notes, notes, index - 1) + 1
}

/** The number of messages between two indexes: entries that are neither system entries nor notes. */
export function spokenBetween({ columns, systems, notes }: View, from: number, to: number): number {
  return from >= to
    ? 0
    : to - from - countBetween(columns.systems, systems, from, to) - countBetween(columns.notes, notes, from, to)
}

function countBetween(indexes: Column<number>, count: number, from: number, to: number): number {
  return lastNotAfter(indexes, count, to - 1) - lastNotAfter(indexes, count, from - 1)
}

/**
 * The step that has the call or result at `index`: the calls and all their results, without late system entries and
 * notes.
 */
export function spokenStep({ columns, length, steps }: View, index: number): number[] {
  const step = lastNotAfter(columns.steps, steps, index)
  const end = step + 1 < steps ? at(columns.steps, step + 1) : length
  const spoken: number[] = []
  for (let next = at(columns.steps, step); next < end; next++) {
    const { pinned, chained } = traits[at(columns.entries, next).kind]
    if (chained && !pinned) spoken.push(next)
  }
  return spoken
}

/** True for a result without a call. It is a step of its own. */
export function isStray({ columns, steps }: View, index: number): boolean {
  return (
    at(columns.entries, index).kind === 'tool' && at(columns.steps, lastNotAfter(columns.steps, steps, index)) === index
  )
}

/** How many calls of the entry never got a result. */
export function danglingCalls(view: View, index: number): number {
  const { calls } = at(view.columns.entries, index)
  return calls.length === 0 ? 0 : calls.length - (spokenStep(view, index).length - 1)
}

/** Columns over lists that were copied, condensed or loaded. */
export function columnsOver<M extends Message>(
  entries: Column<FoldedEntry<M>>,
  lists: Lists,
  remains: FoldMemory,
  index: StemIndex,
): Columns<M> {
  const systemTexts = new Map<string, number>()
  for (const system of lists.systems.values.toReversed()) systemTexts.set(at(entries, system).text, system)
  const memory: Memory = { outline: new Map(), recalled: new Map(), older: new Map() }
  return { ...lists, entries, remains, systemTexts, index, memory }
}

function copied<M extends Message>(view: View<M>): Columns<M> {
  const { columns, length } = view
  return columnsOver(
    upTo(columns.entries, length),
    listsUpTo(columns, view),
    columns.remains,
    forkIndex(columns.index, length),
  )
}

function createColumns<M extends Message>(): Columns<M> {
  const lists: Lists = {
    text: columnOf(),
    reasoning: columnOf(),
    rest: columnOf(),
    full: columnOf(0),
    withoutReasoning: columnOf(0),
    exchanges: columnOf(),
    steps: columnOf(),
    digests: columnOf(),
    titles: columnOf(),
    digestSums: columnOf(0),
    systems: columnOf(),
    systemSums: columnOf(0),
    systemOnceSums: columnOf(0),
    pins: columnOf(),
    pinSums: columnOf({ whole: 0, least: 0 }),
    notes: columnOf(),
    noteSums: columnOf(0),
  }
  return columnsOver(columnOf(), lists, { openings: [], steps: [] }, createIndex())
}

/** The first words of an entry. Empty for a note. */
export function openingOf(view: View, index: number): string {
  const known = knownAt(view.columns.remains.openings, index)
  if (known !== undefined) return known
  return entryTitle(entryAt(view, index))
}

/** The digest of the step between two indexes. */
export function stepDigest(view: View, from: number, to: number): Digest {
  const { entries, remains } = view.columns
  const known = knownAt(remains.steps, from)
  if (known) return known
  const first = at(entries, exchangeStart(view, exchangeOf(view, from)))
  return digestStep(between(entries, from, to), first.kind === 'user' ? questionOf(first) : '', view.settings.digesting)
}
