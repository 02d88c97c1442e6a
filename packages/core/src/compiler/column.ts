import { MinutebookError } from '../log/error.ts'

/** A list that only grows, and may have forgotten its beginning but for single places. */
export interface Column<T> {
  /** The place of the first of `values`. */
  readonly from: number
  readonly values: T[]
  /** What is still known before them. */
  readonly older: Known<T>
}

/** Values by their places, in order of these. */
export type Known<T> = readonly (readonly [place: number, value: T])[]

export function columnOf<T>(...values: T[]): Column<T> {
  return { from: 0, values, older: [] }
}

/** What stands in a place that the column has. Throws `forgotten` where that is forgotten. */
export function at<T>({ from, values, older }: Column<T>, place: number): T {
  if (place >= from) return values[place - from]!
  const value = knownAt(older, place)
  if (value === undefined) throw forgotten()
  return value
}

export function knownAt<T>(known: Known<T>, place: number): T | undefined {
  const [found, value] = known[lastBy(known, known.length, ([each]) => each <= place)] ?? []
  return found === place ? value : undefined
}

export function push<T>({ values }: Column<T>, value: T): void {
  values.push(value)
}

/** Where the next value will stand. */
export function endOf({ from, values }: Column<unknown>): number {
  return from + values.length
}

/** The values between two places. */
export function between<T>(column: Column<T>, from: number, to: number): T[] {
  if (from >= to) return []
  if (from < column.from) throw forgotten()
  return column.values.slice(from - column.from, to - column.from)
}

/** The place of the last of the first `count` numbers, which rise, that is not after `number`; -1 before the first. */
export function lastNotAfter(column: Column<number>, count: number, number: number): number {
  const { from, values, older } = column
  const newest = from + lastBy(values, count - from, (value) => value <= number)
  if (newest >= from) return newest
  const [place] = older[lastBy(older, older.length, ([, value]) => value <= number)] ?? [-1]
  // What comes next must be known too: else one of those between may be the last.
  if (place + 1 < count && at(column, place + 1) <= number) throw forgotten()
  return place
}

/** The first `count` values, copied. */
export function upTo<T>({ from, values, older }: Column<T>, count: number): Column<T> {
  return { from, values: values.slice(0, count - from), older }
}

/** The column with other values in the same places. */
export function mapped<T, U>({ from, values, older }: Column<T>, change: (value: T) => U): Column<U> {
  return { from, values: values.map(change), older: older.map(([place, value]) => [place, change(value)] as const) }
}

/** The column without what stands before `from`, but for the `places`, which rise. */
export function keeping<T>(column: Column<T>, count: number, from: number, places: readonly number[]): Column<T> {
  const first = Math.max(0, Math.min(from, count))
  return {
    from: first,
    values: between(column, first, count),
    older: places.filter((place) => place >= 0 && place < first).map((place) => [place, at(column, place)] as const),
  }
}

export function forgotten(): MinutebookError {
  return new MinutebookError(
    'not_loaded',
    'This fold was condensed and no longer knows what is asked of it; fold the whole log again with advance().',
  )
}

/** The last of the first `count` items that holds, where all before it do; -1 where none does. */
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
