/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const half = Math.floor(sorted.length / 2)
  const above = sorted[half] ?? NaN
  return sorted.length % 2 === 1 ? above : ((sorted[half - 1] ?? NaN) + above) / 2
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
