/** What a plot shows from bottom to top. */
export interface Range {
  readonly low: number
  readonly high: number
}

/** All values and lines, with a little air. */
export function rangeOf(values: readonly (number | null)[], lines: readonly number[]): Range {
  let [low, high] = [Infinity, -Infinity]
  for (const value of [...values, ...lines]) {
    if (value === null) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) return { low: 0, high: 1 }
  const air = low === high ? Math.max(1, Math.abs(low) * 0.1) : (high - low) * 0.08
  return { low: low - air, high: high + air }
}

/** How far from the top a value stands. */
export function heightOf(value: number, { low, high }: Range, height: number): number {
  return Math.round((1 - (value - low) / (high - low)) * height * 100) / 100
}

/**
 * The part of a line that runs through one column: from the middle of the one before to the middle of the one behind.
 * What is outside of the column is for its neighbours to show.
 *
 * @example
 * partOfLine([0, 10], 1, { low: 0, high: 10 }, { width: 100, before: 100, after: 100, height: 50 }) // 'M-50 50L50 0'
 */
export function partOfLine(
  values: readonly (number | null)[],
  index: number,
  range: Range,
  {
    width,
    before,
    after,
    height,
  }: { readonly width: number; readonly before: number; readonly after: number; readonly height: number },
): string {
  const points = [
    [index - 1, -before / 2],
    [index, width / 2],
    [index + 1, width + after / 2],
  ] as const
  let path = ''
  for (const [at, x] of points) {
    const value = values[at]
    if (value === null || value === undefined) {
      // A line that is broken in the middle has no parts to either side.
      if (at === index) return ''
      continue
    }
    path += `${path === '' ? 'M' : 'L'}${x} ${heightOf(value, range, height)}`
  }
  return path
}
