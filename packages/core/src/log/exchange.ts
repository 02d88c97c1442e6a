import { asEntries, type Entry } from './entry.ts'
import { traits } from './kind.ts'
import type { Call, Content, Message } from './message.ts'

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
  readonly open: readonly Call[]
}

/**
 * Where does an exchange begin and end? Groups a log, or plain messages, into exchanges. System entries and notes before
 * the first other entry belong to none.
 *
 * @example
 * exchanges(messages).length // how many times a user spoke
 */
export function exchanges(conversation: readonly (Message | Entry)[]): Exchange[] {
  const found: { from: number; to: number; steps: Step[] }[] = []
  let open: readonly Call[] = []
  for (const [index, entry] of asEntries(conversation).entries()) {
    const place = matchCall(entry, open)
    open = place.open
    if (startsExchange(entry, found.length)) found.push({ from: index, to: index, steps: [] })
    const exchange = found.at(-1)
    if (!exchange) continue
    const step = place.startsStep ? undefined : exchange.steps.pop()
    exchange.steps.push({ from: step?.from ?? index, to: index + 1, dangling: open })
    exchange.to = index + 1
  }
  return found
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
export function matchCall(entry: Content, open: readonly Call[]): CallMatch {
  if (!traits[entry.kind].chained) return { startsStep: false, answers: undefined, orphan: false, open }
  if (entry.kind !== 'tool') return { startsStep: true, answers: undefined, orphan: false, open: entry.calls }
  const answered = open.indexOf(answeredCall(entry, open) as Call)
  if (answered < 0) return { startsStep: true, answers: undefined, orphan: true, open: [] }
  return { startsStep: false, answers: open[answered], orphan: false, open: open.toSpliced(answered, 1) }
}

/** Finds the call by id if both sides have one, then by name, then in order, as Ollama's clients mean it. */
function answeredCall({ answers }: Content, open: readonly Call[]): Call | undefined {
  const { id, name } = answers ?? {}
  const byId = id === undefined ? undefined : open.find((call) => call.id === id)
  if (byId) return byId
  const unnumbered = id === undefined ? open : open.filter((call) => call.id === undefined)
  return (
    unnumbered.find((call) => call.name === name) ??
    (name === undefined || id !== undefined ? unnumbered[0] : undefined)
  )
}

/** True if each call has an id of its own. If not, results are matched by name, in the order of the calls. */
export function haveOwnIds(calls: readonly Call[]): boolean {
  return new Set(calls.flatMap(({ id }) => id ?? [])).size === calls.length
}
