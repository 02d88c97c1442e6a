/** Where a plot's lines run, in a box of this size. */
export interface PlotBox {
  readonly width: number
  readonly height: number
}

/**
 * A line through values, one after the other; where there is none, the line is broken. `top`: what stands at the upper
 * edge.
 *
 * @example
 * plotPath([0, 10], 10, { width: 100, height: 50 }) // 'M0 50L100 0'
 */
export function plotPath(values: readonly (number | null)[], top: number, { width, height }: PlotBox): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0
  let isOpen = false
  let path = ''
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isOpen = false
      continue
    }
    path += `${isOpen ? 'L' : 'M'}${round(index * step)} ${round(height - (Math.min(value, top) / (top || 1)) * height)}`
    isOpen = true
  }
  return path
}

/** A round number at or above the largest value. */
export function topOf(values: readonly (number | null)[]): number {
  const largest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)
  if (largest <= 0) return 1
  const size = 10 ** Math.floor(Math.log10(largest))
  return ([1, 1.5, 2, 3, 4, 5, 7.5, 10].find((factor) => factor * size >= largest - 1e-12) ?? 10) * size
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
