import type { Fold } from '../fold/fold.ts'
import { compose } from './compose.ts'
import type { Part } from './part.ts'
import { spansOf, type Span } from './span.ts'

/** One verdict for every entry, with reason and tokens: what the prompt will be, and why. Plain data. */
export interface Plan {
  readonly policy: string
  readonly counter: string
  readonly window: number
  readonly reserve: number
  /** What the whole prompt costs: tools, prompt overhead and all parts. */
  readonly tokens: number
  readonly tools: number
  readonly overhead: number
  /** How many entries the log has. */
  readonly entries: number
  readonly exchanges: number
  /** The epoch that the prompt is of, from 0, and how many entries the log had when it began. */
  readonly epoch: { readonly number: number; readonly since: number }
  /** Tokens above the budget; 0 unless the policy keeps a floor that does not fit. */
  readonly overflow: number
  /** What the prompt is made of, in its order. */
  readonly parts: readonly Part[]
  /** The verdicts, in the order of the log: every entry is in exactly one span. */
  readonly spans: readonly Span[]
}

export function planOf(fold: Fold): Plan {
  const { settings } = fold
  const { prices, tools } = settings
  const composition = compose(fold)
  const { parts } = composition
  return {
    policy: settings.policy.name,
    counter: prices.counter.name,
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

/**
 * The verdict of every entry, one by one.
 *
 * @example
 * const kept = [...verdicts(plan)].filter(({ verdict }) => verdict === 'verbatim')
 */
export function* verdicts(plan: Plan): Generator<Omit<Span, 'from' | 'to'> & { readonly index: number }> {
  for (const { from, to, ...span } of plan.spans) {
    for (let index = from; index < to; index++) yield { index, ...span }
  }
}
