import { estimator, type TokenCounter } from 'minutebook'
import type { Overhead } from 'minutebook/inspect'
import { sha256 } from 'minutebook/store'

/** What the server tells of a counter that only it has. */
export interface Counts {
  readonly counter: { readonly name: string; readonly overhead: Overhead } | null
  readonly counts: Readonly<Record<string, number>>
}

/** A counter, and how much of what it counted was an estimate. */
export interface RecordedCounts {
  readonly counter: TokenCounter
  /** Runs something, and says how many texts and tokens it needed that nobody had counted before. */
  readonly watch: <T>(make: () => T) => { readonly value: T; readonly estimated: Estimated }
  /** How far an estimate may be off, either way: as far as it is for texts whose count is known. */
  readonly margin: number
}

export interface Estimated {
  readonly texts: number
  readonly tokens: number
}

/**
 * A counter that knows what the server counted, and estimates what is new. Estimates are scaled to what is known of
 * this thread.
 *
 * @example
 * const { counter } = recordedCounts({ counter: null, counts: {} }, []) // the estimator itself
 */
export function recordedCounts({ counter: known, counts }: Counts, texts: readonly string[]): RecordedCounts {
  if (known === null)
    return { counter: estimator, watch: (make) => ({ value: make(), estimated: { texts: 0, tokens: 0 } }), margin: 0 }
  const guessed = new Map<string, number>()
  let used = new Map<string, number>()
  const found = new Map<string, number>()
  const lookUp = (text: string): number | undefined => {
    const tokens = found.get(text) ?? counts[sha256(text).slice(0, 16)]
    if (tokens !== undefined) found.set(text, tokens)
    return tokens
  }
  const { scale, margin } = fitted(texts.flatMap((text) => pairOf(text, lookUp(text))))
  const guess = (text: string): number => {
    const tokens = guessed.get(text) ?? Math.ceil(estimator.count(text) * scale)
    guessed.set(text, tokens)
    used.set(text, tokens)
    return tokens
  }
  const watch: RecordedCounts['watch'] = (make) => {
    used = new Map()
    const value = make()
    return {
      value,
      estimated: { texts: used.size, tokens: [...used.values()].reduce((sum, tokens) => sum + tokens, 0) },
    }
  }
  return {
    counter: { name: known.name, overhead: known.overhead, count: (text) => lookUp(text) ?? guess(text) },
    watch,
    margin,
  }
}

type Pair = readonly [counted: number, estimate: number]

function pairOf(text: string, counted: number | undefined): Pair[] {
  return counted === undefined || text.length < 20 ? [] : [[counted, estimator.count(text)]]
}

/** All counts over all estimates, and how far nine of ten texts lie from that. */
function fitted(pairs: readonly Pair[]): { readonly scale: number; readonly margin: number } {
  const [counted, estimate] = pairs.reduce<Pair>(([left, right], pair) => [left + pair[0], right + pair[1]], [0, 0])
  if (estimate === 0) return { scale: 1, margin: 0.25 }
  const scale = counted / estimate
  const errors = pairs
    .map(([own, guess]) => Math.abs(own - guess * scale) / Math.max(1, own))
    .toSorted((left, right) => left - right)
  return { scale, margin: errors[Math.floor(errors.length * 0.9)] ?? 0.25 }
}
