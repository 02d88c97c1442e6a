import type { Figures } from '../api/overview.ts'

/** How is a bar of tokens divided? Each part in tokens, from the bottom up: together they are all tokens that were sent. */
export interface TokenBar {
  readonly reused: number
  readonly fresh: number
  readonly cut: number
}

/**
 * What the server cut counts first: it may have been a part of what was reused.
 *
 * @example
 * tokenBar({ sentTokens: 100, reusedTokens: 60, cutTokens: 10 }) // { reused: 60, fresh: 30, cut: 10 }
 */
export function tokenBar({
  sentTokens,
  reusedTokens,
  cutTokens,
}: Pick<Figures, 'sentTokens' | 'reusedTokens' | 'cutTokens'>): TokenBar {
  const cut = Math.min(cutTokens, sentTokens)
  const reused = Math.min(reusedTokens, sentTokens - cut)
  return { reused, fresh: sentTokens - cut - reused, cut }
}

/**
 * A round number at or above the largest value, for the top of an axis.
 *
 * @example
 * axisTop(3569) // 4000
 */
export function axisTop(largest: number): number {
  if (largest <= 0) return 1
  const size = 10 ** Math.floor(Math.log10(largest))
  return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * size >= largest) ?? 10) * size
}

/** A number of tokens on an axis. */
export function shortCount(value: number): string {
  for (const [size, letter] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const)
    if (value >= size) return `${Number((value / size).toPrecision(3))}${letter}`
  return `${value}`
}

/**
 * When a step began, for the axis: the hour, or the day if a step has at least one.
 *
 * @example
 * stepLabel('2026-11-18T15:00:00.000Z', 3) // Wed 16:00, in the time of the reader
 */
export function stepLabel(from: string, step: number): string {
  const time = new Date(from)
  if (step >= 24) return time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const hour = time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return step === 1 ? hour : `${time.toLocaleDateString('en-GB', { weekday: 'short' })} ${hour}`
}
