import type { Entry } from './entry.ts'
import { traits } from './kind.ts'
import type { Call, Content } from './message.ts'

/**
 * Entries that stand or fall together: one entry, or an assistant's calls with all their results; with the notes that
 * hang off them.
 */
export interface Step {
  readonly from: number
  readonly to: number
  /** Calls that never got a result. In a prompt they get an "interrupted" one; in the log they stay as they are. */
  readonly dangling: readonly Call[]
}

/** A user entry and all that follows it up to the next user entry. The first may lack its user entry. */
export interface Exchange {
  readonly from: number
  readonly to: number
  readonly steps: readonly Step[]
}

/** Where an entry belongs, given the calls that are still open before it. */
export interface CallMatch {
  readonly startsStep: boolean
  /** The open call that this result answers. */
  readonly answers: Call | undefined
  /** A tool result that no open call asked for: it is quoted, never sent as a result. */
  readonly orphan: boolean
  /** The calls that are open after it. */
  readonly open: readonly Call[]
}

/**
 * Groups a log into exchanges. System entries and notes before the first other entry belong to none.
 *
 * @example
 * exchanges(entries).length // how many times a user spoke
 */
export function exchanges(entries: readonly Entry[]): Exchange[] {
  const found: { from: number; to: number; steps: Step[] }[] = []
  let open: readonly Call[] = []
  for (const [index, entry] of entries.entries()) {
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
 * Whether an entry opens an exchange where there are `before` already: a user's does, and so does the first that is
 * neither system entry nor note.
 */
export function startsExchange({ kind }: Content, before: number): boolean {
  const { opensExchange, chained, pinned } = traits[kind]
  return opensExchange || (before === 0 && chained && !pinned)
}

/**
 * The one rule of grouping, entry by entry. What hangs off the chain belongs to the step before it and leaves its calls
 * open.
 */
export function matchCall(entry: Content, open: readonly Call[]): CallMatch {
  if (!traits[entry.kind].chained) return { startsStep: false, answers: undefined, orphan: false, open }
  if (entry.kind !== 'tool') return { startsStep: true, answers: undefined, orphan: false, open: entry.calls }
  const answered = open.indexOf(answeredCall(entry, open) as Call)
  if (answered < 0) return { startsStep: true, answers: undefined, orphan: true, open: [] }
  return { startsStep: false, answers: open[answered], orphan: false, open: open.toSpliced(answered, 1) }
}

/** By id where both sides have one; else by name; else in order, as Ollama's clients mean it. */
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
