import type { Fold } from '../fold/fold.ts'
import { isEntry, type Entry } from '../log/entry.ts'
import { traits } from '../log/kind.ts'
import type { Message } from '../log/message.ts'
import { compose } from './compose.ts'
import type { Part } from './part.ts'
import { isTold, spansOf, type Span } from './span.ts'

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
 * The verdict of every entry, one by one. `entries`: those that the plan is of, so that its notes are known.
 *
 * @example
 * const kept = [...verdicts(plan, entries)].filter(({ verdict }) => verdict === 'verbatim')
 */
export function* verdicts(plan: Plan, entries: readonly (Message | Entry)[]): Generator<Omit<Span, 'from' | 'to' | 'notes'> & { readonly index: number }> {
  for (const { from, to, notes, ...span } of plan.spans) {
    for (let index = from; index < to; index++) {
      const entry = entries[index]
      const isUntold = notes > 0 && isTold(span.verdict) && entry !== undefined && isEntry(entry) && !traits[entry.kind].chained
      yield isUntold ? { index, ...span, verdict: 'omitted', tier: null, reason: 'no line speaks of notes' } : { index, ...span }
    }
  }
}
