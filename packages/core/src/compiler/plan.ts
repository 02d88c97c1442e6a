import type { Steps } from '../log/time.ts'
import { composing } from './compose.ts'
import type { Fold } from './fold.ts'
import type { Part } from './parts.ts'
import type { RecallReader } from './recall.ts'
import { spansOf, type Span } from './span.ts'

/**
 * What will the prompt be, and why? A plan has one verdict for every entry, with reason and tokens. Plain data. Nothing
 * is decided here: `layoutOf` in layout.ts and `firstDigest` in outline.ts decide, and the verdicts are read off.
 */
export interface Plan {
  readonly policy: string
  readonly counter: string
  /** The digesters that were asked, by id. */
  readonly digesters: readonly string[]
  readonly window: number
  readonly reserve: number
  /** What the whole prompt costs: tools, prompt overhead and all parts. */
  readonly tokens: number
  readonly tools: number
  readonly overhead: number
  /** The number of entries in the log. */
  readonly entries: number
  readonly exchanges: number
  /**
   * The number of compactions so far, and how many entries the log had when the beginning of the prompt last changed.
   * While `since` is the same, each prompt begins with the one before it.
   */
  readonly epoch: { readonly number: number; readonly since: number }
  /** Tokens above the budget. 0 unless the policy keeps required messages that do not fit. */
  readonly overflow: number
  /** What the prompt is made of, in order. */
  readonly parts: readonly Part[]
  /** The verdicts, in the order of the log. Every entry is in exactly one span. */
  readonly spans: readonly Span[]
}

export function* planning(fold: Fold, read: RecallReader | undefined): Steps<Plan> {
  const { settings } = fold
  const { prices, tools } = settings
  const composition = yield* composing(fold, read)
  const { parts } = composition
  return {
    policy: settings.policy.name,
    counter: prices.counter.name,
    digesters: settings.digesting.digesters.map(({ id }) => id),
    window: settings.window,
    reserve: settings.reserve,
    tokens: parts.reduce((sum, part) => sum + part.tokens, tools + prices.prompt),
    tools,
    overhead: prices.prompt,
    entries: fold.length,
    exchanges: fold.exchanges,
    epoch: { number: fold.epoch.number, since: fold.epoch.since },
    overflow: composition.overflow,
    parts,
    spans: spansOf(fold, composition),
  }
}
