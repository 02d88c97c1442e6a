import type { Usage } from '../models/model.ts'
import { tokensRead, type NoteReading, type Truncated } from './truncation.ts'

/** What is known of a call that an upstream has answered. */
export interface Tripped {
  /** Between what its count must lie. Undefined: the counter cannot tell. */
  readonly low?: number | undefined
  readonly high?: number | undefined
  readonly predicted: number
  /**
   * Whether texts are counted as the model does. If they are estimated, a count below the interval alone says nothing:
   * the next prompt may be of another kind of text. Default: true.
   */
  readonly isExact?: boolean | undefined
  /** Tokens of the prompt that stood at the beginning of the one before. */
  readonly reused: number
  readonly usage: Usage
  readonly upstream?: UpstreamFacts | undefined
}

/** What is known of an upstream. */
export interface UpstreamFacts {
  /** The window that it runs with, and how many tokens of the beginning it keeps when it shifts (`num_keep`). */
  readonly window?: number | undefined
  readonly keep?: number | undefined
  /** Whether its count of a prompt is of all of it, or only of what it had not in its cache. Default: `unsure`. */
  readonly counts?: 'whole' | 'uncached' | 'unsure' | undefined
  /** Looks at the call on the curve of all calls, and has the last word. Without one, the call is judged by itself. */
  readonly note?: NoteReading | undefined
}

/**
 * Whether an upstream left out a part of a prompt, by its own count: yes, if that is below the interval, or is what
 * remains when an upstream shifts while the interval lies above that. A count that may be of the uncached part alone
 * says nothing.
 *
 * @example
 * tripwire({ low: 3900, high: 4200, predicted: 4000, reused: 0, usage: { prompt: 2048 }, upstream: { window: 4096 } }) // 'yes'
 */
export function tripwire({ low, high, predicted, isExact = true, reused, usage, upstream = {} }: Tripped): Truncated {
  const { prompt, cached } = usage
  if (prompt === undefined || low === undefined || high === undefined) return 'unknown'
  const reported = tokensRead(usage) ?? prompt
  const isBeside = reported > prompt
  if (reported >= low) return 'no'
  if (shiftLimits(upstream).includes(reported)) return 'yes'
  const { counts = cached === undefined ? 'unsure' : 'whole' } = upstream
  // Nothing of it can have been in a cache, and it is to the token what is left of a window of the usual sizes.
  if ((reused === 0 || counts === 'whole') && counts !== 'uncached' && usualLimits.has(reported)) return 'yes'
  if (counts === 'uncached' || !isExact) return 'unknown'
  if (counts === 'whole' || isBeside) return 'yes'
  const rest = reused > 0 ? high - Math.floor((reused * low) / Math.max(1, predicted)) : 0
  return reported <= Math.max(rest, predicted / 5) ? 'unknown' : 'yes'
}

/**
 * What remains of a full window when half of it is thrown away; one token more is kept where the model's prompts begin
 * with one of their own.
 */
export function shiftLimits({ window, keep }: UpstreamFacts): readonly number[] {
  if (window === undefined) return []
  const kept = keep === undefined ? [0, usualKeep] : [keep]
  return kept.flatMap((count) => [count, count + 1]).map((count) => window - Math.floor((window - count) / 2))
}

/** What Ollama keeps if the request does not say. */
const usualKeep = 4
const usualLimits: ReadonlySet<number> = new Set(
  [2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072].flatMap((window) => shiftLimits({ window })),
)
