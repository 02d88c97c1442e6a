import { numberText } from './series.ts'

/** The values at the bottom and at the top of a plot. */
export interface Range {
  readonly low: number
  readonly high: number
}

/** The range of all values and lines, with some padding. */
export function rangeOf(values: readonly (number | null)[], lines: readonly number[]): Range {
  let [low, high] = [Infinity, -Infinity]
  for (const value of [...values, ...lines]) {
    if (value === null) continue
    low = Math.min(low, drawable(value))
    high = Math.max(high, drawable(value))
  }
  if (low > high) return { low: 0, high: 1 }
  const air = low === high ? Math.max(1, Math.abs(low) * 0.1) : (high - low) * 0.08
  return { low: low - air, high: high + air }
}

/** Differences of larger numbers are not finite. */
const largest = 1e300

function drawable(value: number): number {
  return Math.max(-largest, Math.min(largest, value))
}

/** The distance of a value from the top. */
export function heightOf(value: number, { low, high }: Range, height: number): number {
  return Math.round((1 - (drawable(value) - low) / (high - low)) * height * 100) / 100
}

export interface Tick {
  readonly value: number
  readonly text: string
}

/**
 * Round numbers within a range, at least two if there is room for them.
 *
 * @example
 * ticksOf({ low: -4, high: 54 }, 3).map(({ value }) => value) // [0, 20, 40]
 */
export function ticksOf({ low, high }: Range, most: number): readonly Tick[] {
  const step = stepOf((high - low) / most)
  const first = Math.ceil(low / step)
  const values = Array.from({ length: most + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
  const seen = [...new Set(values)].filter((value) => value >= low && value <= high)
  const short = seen.map(shortText)
  const texts = new Set(short).size === seen.length ? short : seen.map(numberText)
  return seen.map((value, index) => ({ value, text: texts[index]! }))
}

/** The next larger of 1, 2 and 5, times a power of ten. */
function stepOf(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw))
  const factor = [1, 2, 5].find((each) => each * power >= raw) ?? 10
  return factor * power
}

/**
 * Every how many rounds a number fits above the columns.
 *
 * @example
 * roundStep(2, 36) // 20
 */
export function roundStep(column: number, room: number): number {
  return column >= room ? 1 : Math.max(1, Math.round(stepOf(room / column)))
}

function shortText(value: number): string {
  const size = Math.abs(value)
  if (size < 10_000 || size >= 1e15) return numberText(value)
  return value.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: 4 })
}

/** A column of a plot, in pixels. */
export interface Place {
  readonly index: number
  readonly start: number
  readonly size: number
}

/**
 * A line through the middle of each column. It is broken if a value or a column is missing.
 *
 * @example
 * lineOf([0, 10], [{ index: 0, start: 0, size: 100 }, { index: 1, start: 100, size: 100 }], (value) => 50 - value * 5) // 'M50 50L150 0'
 */
export function lineOf(
  values: readonly (number | null)[],
  columns: readonly Place[],
  y: (value: number) => number,
): string {
  let path = ''
  let before: number | undefined
  for (const { index, start, size } of columns) {
    const value = values[index]
    if (value === null || value === undefined) continue
    path += `${before === index - 1 ? 'L' : 'M'}${Math.round((start + size / 2) * 100) / 100} ${y(value)}`
    before = index
  }
  return path
}

/**
 * The height of the text next to a point: above or below it, and away from the lines.
 *
 * @example
 * labelHeight(40, [34], 72) // 54: below, since a line runs through the place above
 */
export function labelHeight(point: number, lines: readonly number[], height: number): number {
  const isFree = (y: number): boolean =>
    y >= letters && y <= height - 1 && lines.every((line) => line < y - letters - 1 || line > y + 2)
  const [above, below] = [point - 6, point + 14]
  if (isFree(above)) return above
  return isFree(below) || above < letters ? below : above
}

/** The height of digits, in pixels. */
const letters = 8
