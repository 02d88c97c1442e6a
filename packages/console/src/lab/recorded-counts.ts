import { estimator, type TokenCounter } from 'minutebook'
import type { Overhead } from 'minutebook/inspect'
import { sha256 } from 'minutebook/store'

/** The counts of a token counter that only the server has. */
export interface Counts {
  readonly counter: { readonly name: string; readonly overhead: Overhead } | null
  readonly counts: Readonly<Record<string, number>>
}

/** A token counter that records which of its counts are estimates. */
export interface RecordedCounts {
  readonly counter: TokenCounter
  /** Runs `make`, and returns how many texts and tokens it had to estimate. One after the other. */
  readonly watch: <T>(make: () => Promise<T>) => Promise<{ readonly value: T; readonly estimated: Estimated }>
  /** How far an estimate may be off, measured on texts with a known count. */
  readonly margin: number
}

export interface Estimated {
  readonly texts: number
  readonly tokens: number
}

/**
 * A counter that knows the server's counts and estimates new text. Estimates are scaled to the known counts of this
 * thread.
 *
 * @example
 * const { counter } = recordedCounts({ counter: null, counts: {} }, []) // the estimator itself
 */
export function recordedCounts({ counter: known, counts }: Counts, texts: readonly string[]): RecordedCounts {
  if (known === null)
    return {
      counter: estimator,
      watch: async (make) => ({ value: await make(), estimated: { texts: 0, tokens: 0 } }),
      margin: 0,
    }
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
  const watch: RecordedCounts['watch'] = async (make) => {
    used = new Map()
    const value = await make()
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

/** The ratio of all counts to all estimates, and the error that nine of ten texts stay below. */
function fitted(pairs: readonly Pair[]): { readonly scale: number; readonly margin: number } {
  const [counted, estimate] = pairs.reduce<Pair>(([left, right], pair) => [left + pair[0], right + pair[1]], [0, 0])
  if (estimate === 0) return { scale: 1, margin: 0.25 }
  const scale = counted / estimate
  const errors = pairs
    .map(([own, guess]) => Math.abs(own - guess * scale) / Math.max(1, own))
    .toSorted((left, right) => left - right)
  return { scale, margin: errors[Math.floor(errors.length * 0.9)] ?? 0.25 }
}
