import type { Compiled } from './compile.ts'
import type { TokenCounter } from './count/tokens.ts'
import type { Entry } from './log/entry.ts'
import type { Message } from './log/message.ts'
import type { Tier } from './plan/part.ts'
import { verdicts, type Plan } from './plan/plan.ts'
import type { Verdict } from './plan/span.ts'
import { messageTokens } from './receipt/reuse.ts'
import { sharesAsSent, sharesOf, type Share } from './shares.ts'
import type { ToolSchema } from './wire/model.ts'

/** A prompt as it is drawn: the window, every entry with its verdict, every message with where it comes from. */
export interface Inspected {
  readonly shares: readonly Share[]
  readonly entries: readonly InspectedEntry[]
  /** In the order of the prompt. */
  readonly messages: readonly InspectedMessage[]
}

/** An entry of the log, and what became of it. */
export interface InspectedEntry {
  readonly id: string
  readonly seq: number
  readonly kind: Entry['kind']
  readonly verdict: Verdict
  readonly tier: Tier | null
  /** What it costs whole, by the counter. */
  readonly tokens: number
  readonly reason: string
}

export interface InspectedMessage {
  readonly role: string
  readonly tokens: number
  readonly pieces: readonly InspectedPiece[]
}

/** A stretch of a message. */
export interface InspectedPiece {
  readonly label: string
  readonly tier: Tier | null
  /** The entries that it quotes or is. */
  readonly entries: readonly string[]
  readonly tokens: number
  readonly text: string
}

/** A prompt with the entries that its plan is of. */
export interface Inspectable {
  readonly plan: Plan
  readonly pieces: Compiled['pieces']
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  readonly entries: readonly Entry[]
  /** Whether it is what a client sent, as it came. */
  readonly asItCame: boolean
}

/**
 * Draws a prompt. `counter`: the one that it was made with.
 *
 * @example
 * const { shares, entries } = inspect({ ...prompt.compiled, ...prompt, entries: prompt.planned() }, estimator)
 */
export function inspect({ plan, pieces, messages, tools, entries, asItCame }: Inspectable, counter: TokenCounter): Inspected {
  const known = new Map<string, number>()
  const count = (text: string): number => {
    const tokens = known.get(text) ?? (text === '' ? 0 : Math.ceil(counter.count(text)))
    known.set(text, tokens)
    return tokens
  }
  return {
    shares: asItCame ? sharesAsSent({ plan, messages, tools }, counter) : sharesOf(plan),
    entries: [...verdicts(plan, entries)].map(({ index, verdict, tier, reason }) => {
      const { id, seq, kind, raw } = entries[index]!
      return { id, seq, kind, verdict, tier, tokens: messageTokens(counter, raw), reason }
    }),
    messages: messages.map((message, index) => ({
      role: message.role,
      tokens: messageTokens(counter, message),
      pieces: (pieces[index] ?? []).map(({ label, tier, entries: of = [], text }) => ({ label, tier: tier ?? null, entries: of.map((place) => entries[place]!.id), tokens: count(text), text })),
    })),
  }
}
