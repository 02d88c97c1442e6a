import type { Recompiled } from './lab.ts'

/** What tokens cost, for a million of them; what is reused of a prompt may cost less. */
export interface Prices {
  readonly input: number
  readonly reused: number
  readonly output: number
}

/** A recorded call, as far as a plot needs it. */
export interface RecordedCall {
  readonly id: string
  readonly tokens: {
    readonly predicted: number
    readonly reused: number
    readonly reported: { readonly completion?: number | undefined }
  }
}

/** One value for each call; null where there is none. */
export interface Series {
  readonly recorded: readonly (number | null)[]
  readonly changed: readonly (number | null)[]
}

export interface AllSeries {
  readonly tokens: Series
  /** The part of each prompt that was reused, from 0 to 1. */
  readonly reuse: Series
  /** What all calls so far cost together. */
  readonly cost: Series
}

/**
 * Tokens, reuse and cost over all calls, as they were and as they would have been. The answers are taken to be as long
 * as they were.
 */
export function seriesOf(calls: readonly RecordedCall[], changed: readonly Recompiled[], prices: Prices): AllSeries {
  const by = new Map(changed.map((call) => [call.receipt, call]))
  const sizes = calls.map(({ id }) => sizeOf(by.get(id)))
  const before = calls.map(({ tokens: { predicted, reused } }) => ({ tokens: predicted, reused }))
  const answers = calls.map(({ tokens: { reported } }) => reported.completion ?? 0)
  const plot = (pick: (size: Size) => number): Series => ({
    recorded: before.map(pick),
    changed: sizes.map((size) => size && pick(size)),
  })
  return {
    tokens: plot(({ tokens }) => tokens),
    reuse: plot(({ tokens, reused }) => (tokens === 0 ? 0 : Math.min(1, reused / tokens))),
    cost: { recorded: sums(before, answers, prices), changed: sums(sizes, answers, prices) },
  }
}

interface Size {
  readonly tokens: number
  readonly reused: number
}

function sizeOf(call: Recompiled | undefined): Size | null {
  return call && 'tokens' in call ? call : null
}

/** A call that could not have been made costs nothing. */
function sums(
  sizes: readonly (Size | null)[],
  answers: readonly number[],
  { input, reused: cached, output }: Prices,
): (number | null)[] {
  let sum = 0
  return sizes.map((size, index) => {
    if (size)
      sum +=
        ((size.tokens - Math.min(size.tokens, size.reused)) * input +
          Math.min(size.tokens, size.reused) * cached +
          answers[index]! * output) /
        1e6
    return sum
  })
}

/** How many calls differ, cannot be made, and go over the window. */
export function tally(changed: readonly Recompiled[]): {
  readonly same: number
  readonly other: number
  readonly impossible: number
} {
  const impossible = changed.filter((call) => 'problem' in call).length
  const same = changed.filter((call) => 'same' in call && call.same).length
  return { same, other: changed.length - same - impossible, impossible }
}
