import { asEntries, type Entry } from './entry.ts'
import { traits } from './kind.ts'
import type { Call, Content, Message } from './message.ts'
import { noCalls, UnansweredCalls } from './unanswered-calls.ts'

/**
 * Entries that are kept or dropped together: one entry, or an assistant's calls with all their results, each with the
 * notes that hang off it.
 */
export interface Step {
  readonly from: number
  readonly to: number
  /**
   * Calls without a result: of a history from elsewhere, or of a turn that still runs. In a prompt they get an
   * "interrupted" placeholder. Calls of a turn that was cut short get results in the log (`interruptions` in
   * turns/tool.ts).
   */
  readonly dangling: readonly Call[]
}

/** A user entry and everything after it, up to the next user entry. The first exchange may have no user entry. */
export interface Exchange {
  readonly from: number
  readonly to: number
  readonly steps: readonly Step[]
}

/** How an entry relates to the calls that were open before it. */
export interface CallMatch {
  readonly startsStep: boolean
  /** The open call that this result answers. */
  readonly answers: Call | undefined
  /** True for a tool result without an open call. It is quoted, never sent as a result. */
  readonly orphan: boolean
  /** The calls that are open after it. */
  readonly open: UnansweredCalls
}

/**
 * Where does an exchange begin and end? Groups a log, or plain messages, into exchanges. System entries and notes before
 * the first other entry belong to none.
 *
 * @example
 * exchanges(messages).length // how many times a user spoke
 */
export function exchanges(conversation: readonly (Message | Entry)[]): Exchange[] {
  const found: { from: number; to: number; steps: { from: number; to: number; open: UnansweredCalls }[] }[] = []
  let open = noCalls
  for (const [index, entry] of asEntries(conversation).entries()) {
    const place = matchCall(entry, open)
    open = place.open
    if (startsExchange(entry, found.length)) found.push({ from: index, to: index, steps: [] })
    const exchange = found.at(-1)
    if (!exchange) continue
    const step = place.startsStep ? undefined : exchange.steps.pop()
    exchange.steps.push({ from: step?.from ?? index, to: index + 1, open })
    exchange.to = index + 1
  }
  return found.map(({ steps, ...exchange }) => ({
    ...exchange,
    steps: steps.map(({ open: left, ...step }) => ({ ...step, dangling: left.calls })),
  }))
}

/**
 * True if an entry starts an exchange: a user entry does, and so does the first entry that is neither a system entry
 * nor a note. `before`: the number of exchanges so far.
 */
export function startsExchange({ kind }: Content, before: number): boolean {
  const { opensExchange, chained, pinned } = traits[kind]
  return opensExchange || (before === 0 && chained && !pinned)
}

/**
 * The one rule of grouping, applied entry by entry. An entry that hangs off the chain belongs to the step before it and
 * leaves that step's calls open.
 */
export function matchCall(entry: Content, open: UnansweredCalls): CallMatch {
  if (!traits[entry.kind].chained) return { startsStep: false, answers: undefined, orphan: false, open }
  if (entry.kind !== 'tool') return { startsStep: true, answers: undefined, orphan: false, open: callsOf(entry) }
  const answered = open.answeredBy(entry)
  if (!answered) return { startsStep: true, answers: undefined, orphan: true, open: noCalls }
  return { startsStep: false, answers: answered.call, orphan: false, open: answered.open }
}

/** The calls of an entry, none of them answered. */
export function callsOf({ calls }: Pick<Content, 'calls'>): UnansweredCalls {
  return calls.length === 0 ? noCalls : new UnansweredCalls(calls)
}
