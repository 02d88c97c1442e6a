/** p50, p99 and the largest of some times, in milliseconds with one digit. */
export function spread(microseconds: readonly number[]): {
  readonly p50: string
  readonly p99: string
  readonly most: string
} {
  const sorted = microseconds.toSorted((one, other) => one - other)
  const at = (share: number): string => milli(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))])
  return { p50: at(0.5), p99: at(0.99), most: milli(sorted.at(-1)) }
}

export function milli(microseconds: number | undefined): string {
  return microseconds === undefined || Number.isNaN(microseconds) ? '–' : (microseconds / 1000).toFixed(1)
}
