import { MinutebookError } from '../log/error.ts'
import type { DigestLine } from './digest.ts'

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
export function endOf({ from, values }: Column<unknown>): number {
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

/** What entries cost if they are quoted: whole, and as their smallest clips. */
export interface PinCost {
  readonly whole: number
  readonly least: number
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
