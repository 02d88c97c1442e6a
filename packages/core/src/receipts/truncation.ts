// Did the model's server read the whole prompt? What its own count of this one call shows.
import { tokensRead, type Usage } from '../models/model.ts'
import type { SentPrompt } from '../tokens/prediction.ts'

/** Whether a server left out a part of a prompt. */
export type TruncationFinding = 'yes' | 'no' | 'unknown'

/** A call that a server has answered: what was sent, and the server's counts. */
export interface AnsweredCall extends SentPrompt {
  readonly usage: Usage
  /** What the calibrated counter predicted. */
  readonly predicted: number
  /** What this call shows by itself. */
  readonly alone: TruncationFinding
}

/** Compares an answered call with earlier calls of the same server, and decides whether the prompt was truncated. */
export type ReadObserver = (call: AnsweredCall) => TruncationFinding

/** What is known about a call that an upstream (model server) has answered. */
export interface CheckedCall {
  /** The range in which its count must be. Undefined if the counter does not know its margin. */
  readonly low?: number | undefined
  readonly high?: number | undefined
  readonly predicted: number
  /**
   * Whether texts are counted as the model does. If they are estimated, a count below the range means nothing by
   * itself, because the next prompt may be of another kind of text. Default: true.
   */
  readonly isExact?: boolean | undefined
  /** Tokens of the prompt that are the beginning of the previous one. */
  readonly reused: number
  readonly usage: Usage
  readonly upstream?: UpstreamFacts | undefined
}

/** What is known about an upstream. */
export interface UpstreamFacts {
  /** The window that it runs with, and how many tokens of the beginning it keeps when it shifts (`num_keep`). */
  readonly window?: number | undefined
  readonly keep?: number | undefined
  /**
   * Whether its count is of the whole prompt, or only of the part that was not in its cache. Default: `whole` if it
   * reports cached tokens, or else `unsure`.
   */
  readonly counts?: 'whole' | 'uncached' | 'unsure' | undefined
  /** Decides whether the prompt was truncated. Default: the call is judged by itself. */
  readonly onUsage?: ReadObserver | undefined
}

/**
 * Did an upstream truncate this prompt, by its own count of this call alone? Yes, if the count is below the expected
 * range, or if it is exactly what remains when an upstream shifts its window. If the count may be of the uncached part
 * only, the result is `unknown`.
 *
 * @example
 * const upstream = { window: 4096 }
 * findTruncation({ low: 3900, high: 4200, predicted: 4000, reused: 0, usage: { prompt: 2048 }, upstream }) // 'yes'
 */
export function findTruncation({
  low,
  high,
  predicted,
  isExact = true,
  reused,
  usage,
  upstream = {},
}: CheckedCall): TruncationFinding {
  const { prompt, cached } = usage
  if (prompt === undefined || low === undefined || high === undefined) return 'unknown'
  const reported = tokensRead(usage) ?? prompt
  const isBeside = reported > prompt
  if (reported >= low) return 'no'
  if (shiftLimits(upstream).includes(reported)) return 'yes'
  const { counts = cached === undefined ? 'unsure' : 'whole' } = upstream
  // Nothing of it can have been in a cache, and the count is exactly what is left of a window of a usual size.
  if ((reused === 0 || counts === 'whole') && counts !== 'uncached' && usualLimits.has(reported)) return 'yes'
  if (counts === 'uncached' || !isExact) return 'unknown'
  if (counts === 'whole' || isBeside) return 'yes'
  const rest = reused > 0 ? high - Math.floor((reused * low) / Math.max(1, predicted)) : 0
  return reported <= Math.max(rest, predicted / 5) ? 'unknown' : 'yes'
}

/**
 * What remains of a full window after half of it is thrown away. One token more, if the model's prompts begin with a
 * token of their own.
 */
export function shiftLimits({ window, keep }: UpstreamFacts): readonly number[] {
  if (window === undefined) return []
  const kept = keep === undefined ? [0, usualKeep] : [keep]
  return kept.flatMap((count) => [count, count + 1]).map((count) => window - Math.floor((window - count) / 2))
}

/** What Ollama keeps by default. */
const usualKeep = 4
const usualLimits: ReadonlySet<number> = new Set(
  [2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072].flatMap((window) => shiftLimits({ window })),
)
