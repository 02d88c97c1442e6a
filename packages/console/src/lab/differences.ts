import type { Verdict } from '../api/calls.ts'
import type { Recompiled } from './lab.ts'

/** An entry whose verdict would change. */
interface VerdictChange {
  readonly id: string
  readonly before: Verdict | null
  readonly after: Verdict | null
}

type Judged = { readonly id: string; readonly verdict: Verdict }

/** The entries whose verdict would change, in the order of the log. */
export function verdictChanges(before: readonly Judged[], after: readonly Judged[]): VerdictChange[] {
  const [earlier, later] = [byId(before), byId(after)]
  const ids = [...new Set([...before, ...after].map(({ id }) => id))]
  return ids
    .map((id) => ({ id, before: earlier.get(id) ?? null, after: later.get(id) ?? null }))
    .filter((change) => change.before !== change.after)
}

function byId(entries: readonly Judged[]): Map<string, Verdict> {
  return new Map(entries.map(({ id, verdict }) => [id, verdict]))
}

/** Prices for a million tokens. Reused tokens of a prompt may cost less. */
export interface Prices {
  readonly input: number
  readonly reused: number
  readonly output: number
}

/** The fields of a recorded call that a plot needs. */
interface RecordedCall {
  readonly id: string
  readonly tokens: {
    readonly predicted: number
    readonly reused: number
    readonly reported: { readonly completion?: number | undefined }
  }
}

/** One value for each call. Null for a call that is not possible. */
export interface Series {
  readonly recorded: readonly (number | null)[]
  readonly changed: readonly (number | null)[]
}

interface AllSeries {
  readonly tokens: Series
  /** The part of each prompt that was reused, from 0 to 1. */
  readonly reuse: Series
  /** What all calls so far cost together. */
  readonly cost: Series
}

/** Tokens, reuse and cost of all calls, as recorded and as changed. Answers are assumed to keep their length. */
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

/** A call that is not possible costs nothing. */
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
