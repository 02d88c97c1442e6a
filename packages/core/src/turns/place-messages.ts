import { systemDraft, type EntryDraft } from '../log/draft.ts'
import type { Entry, EntryFacts } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { matchCall } from '../log/exchange.ts'
import { isOperatorMessage } from '../log/log-reader.ts'
import type { LiveLog } from '../log/log.ts'
import { readMessage, type Call, type Message } from '../log/message.ts'
import { openCalls } from '../log/next.ts'
import { reconcile } from './reconcile.ts'

/** What is sent: one message, or a client's whole history. */
export type Sent = string | Message | readonly Message[]

/** Where what was sent goes in the log, and what of it is new. */
export interface Placement {
  /** The entry it follows; null at the root. */
  readonly after: string | null
  readonly drafts: readonly EntryDraft[]
}

export interface PlacementOptions {
  readonly after?: string | null | undefined
  readonly facts: EntryFacts
  readonly trusted: boolean
  readonly system: string | undefined
}

/** Throws `nothing_to_answer` unless what was sent ends with something that a model can answer. */
export function checkSent(sent: Sent): void {
  const last = messagesOf(sent).at(-1)
  if (last !== undefined && ['user', 'tool'].includes(readMessage(last).kind)) return
  throw new MinutebookError(
    'nothing_to_answer',
    'There is nothing to answer; send a text, or messages that end with one of the user.',
  )
}

/** The message that is to be answered. */
export function lastOf(sent: Sent): Message {
  return messagesOf(sent).at(-1)!
}

/** Makes sure that the log tells where this belongs. */
export async function loadPlace(sent: Sent, log: LiveLog, after: string | null | undefined): Promise<void> {
  if (isHistory(sent)) await log.whole()
  else await log.reach(after === undefined ? log.head : after)
}

/** To be called when `reachPlace` has done its work. */
export function placeMessages(
  sent: Sent,
  log: LiveLog,
  { after = log.head, facts, trusted, system }: PlacementOptions,
): Placement {
  if (!isHistory(sent)) return withSystem({ after, drafts: [saidNow(sent, facts)] }, log, system)
  const messages = asImported(sent, trusted).map(({ message }) => message)
  const { parent, fresh, known } = reconcile(messages, log.entries, { known: true })
  const drafts = asImported(fresh, trusted)
  const last = drafts.at(-1)
  if (last && !known.at(-1)) drafts.splice(-1, 1, saidNow(last.message, facts))
  return withSystem({ after: parent?.id ?? null, drafts }, log, system)
}

/** A user's own words. A result that somebody sends us is not what a tool of ours gave. */
export function saidNow(sent: string | Message, facts: EntryFacts): EntryDraft {
  const message = lastOf(sent)
  return { message, facts: readMessage(message).kind === 'user' ? facts : { ...facts, origin: 'import' } }
}

/**
 * Puts the thread's system text before what is said, where the branch does not have it yet or has another one by now.
 * Only results may stand before it, of calls that the branch ends with.
 */
function withSystem({ after, drafts }: Placement, log: LiveLog, system: string | undefined): Placement {
  if (drafts.length === 0) return { after, drafts }
  const branch = after === null ? [] : log.branch(after)
  const results = resultsFirst(drafts, openCalls(branch))
  // An empty text takes one back that was said before, and is none where there is none.
  if (system === undefined || (newestText(branch, log) ?? '') === system) return { after, drafts }
  return { after, drafts: drafts.toSpliced(results, 0, systemDraft(system)) }
}

/** How many results come first that answer open calls. Throws `open_calls` where they do not answer all of them. */
function resultsFirst(drafts: readonly EntryDraft[], calls: readonly Call[]): number {
  let open = calls
  let results = 0
  for (const { message } of drafts) {
    const place = matchCall(readMessage(message), open)
    if (!place.answers) break
    open = place.open
    results++
  }
  if (open.length === 0) return results
  throw new MinutebookError(
    'open_calls',
    'The entry to go on from has calls without results; go on from the user entry before it, or from its last result.',
  )
}

/** What an operator said last on a branch; before its beginning is known, what the log's start says. */
export function newestText(branch: readonly Entry[], { start }: LiveLog): string | null | undefined {
  const text = branch.findLast(isOperatorMessage)
  return text ? text.text : start?.system
}

function messagesOf(sent: Sent): readonly Message[] {
  if (typeof sent === 'string') return [{ role: 'user', content: sent }]
  return isHistory(sent) ? sent : [sent]
}

function isHistory(sent: Sent): sent is readonly Message[] {
  return Array.isArray(sent)
}

/**
 * Messages from elsewhere as a log may take them. What they say of themselves proves nothing: their origin is `import`,
 * and a system message counts as a user's words unless whoever passes it on vouches for it.
 */
export function asImported(messages: readonly Message[], trusted: boolean): EntryDraft[] {
  return messages.map((message) => {
    const { kind } = readMessage(message)
    if (kind !== 'system') return { message, facts: { origin: 'import' } }
    return trusted ? { message } : { message: { ...message, role: 'user' }, facts: { origin: 'import' } }
  })
}
