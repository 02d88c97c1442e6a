import { systemDraft, type Entry, type EntryDraft, type EntryFacts } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { callsOf, matchCall } from '../log/exchange.ts'
import { isOperatorMessage } from '../past/checkpoint.ts'
import type { LiveLog } from '../past/live-log.ts'
import { kindOf, readMessage, ownMessage, type Message } from '../log/message.ts'
import { newestTurn } from '../log/next.ts'
import { openCalls } from '../log/open-call.ts'
import type { UnansweredCalls } from '../log/unanswered-calls.ts'
import { reconcile } from './match-history.ts'

/** What `thread.send` takes: a text, one message, or a client's whole history. */
export type SendInput = string | Message | readonly Message[]

/** Where a message or a history belongs in the log, and which part of it is new. */
export interface Placement {
  /** The id of the entry that it follows. Null: the root. */
  readonly after: string | null
  readonly drafts: readonly EntryDraft[]
}

export interface PlacementOptions {
  readonly after?: string | null | undefined
  readonly facts: EntryFacts
  readonly trusted: boolean
  readonly system: string | undefined
}

/** Throws `nothing_to_answer` if the last message is neither a user's message nor a tool result. */
export function checkSent(sent: SendInput): void {
  const messages = messagesOf(sent)
  messages.forEach(ownMessage)
  const last = messages.at(-1)
  if (last !== undefined && ['user', 'tool'].includes(kindOf(last))) return
  throw new MinutebookError(
    'nothing_to_answer',
    'There is nothing to answer.',
    'Send a text, or messages that end with a user message.',
  )
}

/** The last message: the one to answer. */
export function lastOf(sent: SendInput): Message {
  return messagesOf(sent).at(-1)!
}

/** Loads the part of the log that `placeMessages` needs. */
export async function loadPlace(sent: SendInput, log: LiveLog, after: string | null | undefined): Promise<void> {
  if (isHistory(sent)) await log.past.whole()
  else await log.past.reach(after === undefined ? log.head : after)
}

/** Finds the place of what was sent. Call `loadPlace` first. */
export function placeMessages(
  sent: SendInput,
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

/** The draft of a message that is sent now. A tool result in it is marked as imported, because no tool ran here. */
export function saidNow(sent: string | Message, facts: EntryFacts): EntryDraft {
  const message = lastOf(sent)
  return { message, facts: kindOf(message) === 'user' ? facts : { ...facts, origin: 'import' } }
}

/** Adds the thread's system text. Throws `open_calls` if the branch ends with calls without results. */
function withSystem({ after, drafts }: Placement, log: LiveLog, system: string | undefined): Placement {
  if (drafts.length === 0) return { after, drafts }
  const branch = after === null ? [] : log.branch(after)
  checkAnswered(drafts, callsOf({ calls: openCalls(newestTurn(branch)) }))
  return { after, drafts: withSystemText(drafts, newestText(branch, log), system) }
}

/**
 * Adds the thread's system text before the new messages, but after results at their beginning, if the branch has
 * another one (`newest`). An empty text revokes an earlier one. If there is no earlier one, there is nothing to revoke.
 */
export function withSystemText(
  drafts: readonly EntryDraft[],
  newest: string | null | undefined,
  system: string | undefined,
): readonly EntryDraft[] {
  if (system === undefined || (newest ?? '') === system) return drafts
  const first = drafts.findIndex(({ message }) => kindOf(message) !== 'tool')
  return drafts.toSpliced(first < 0 ? drafts.length : first, 0, systemDraft(system))
}

/** Throws `open_calls` if the results at the beginning do not answer all open calls. */
function checkAnswered(drafts: readonly EntryDraft[], calls: UnansweredCalls): void {
  let open = calls
  for (const { message } of drafts) {
    const place = matchCall(readMessage(message), open)
    if (!place.answers) break
    open = place.open
  }
  if (open.length > 0) throw openCallsError('Use the user entry before it, or its last result.')
}

export function openCallsError(fix: string): MinutebookError {
  return new MinutebookError('open_calls', 'What the message follows has calls without results.', fix)
}

/**
 * The newest system text on a branch. If only the end of the log is loaded and has none, the text that its checkpoint
 * remembers.
 */
function newestText(branch: readonly Entry[], { past }: LiveLog): string | null | undefined {
  const text = branch.findLast(isOperatorMessage)
  return text ? text.text : past.start?.system
}

function messagesOf(sent: SendInput): readonly Message[] {
  if (typeof sent === 'string') return [{ role: 'user', content: sent }]
  return isHistory(sent) ? sent : [sent]
}

function isHistory(sent: SendInput): sent is readonly Message[] {
  return Array.isArray(sent)
}

/**
 * The drafts of messages from another source. Their roles prove nothing, so their origin is `import`, and a system
 * message becomes a user's message. `trusted`: the caller vouches for them, and system messages stay.
 */
export function asImported(messages: readonly Message[], trusted: boolean): EntryDraft[] {
  return messages.map((message) => {
    if (kindOf(message) !== 'system') return { message, facts: { origin: 'import' } }
    return trusted ? { message } : { message: { ...message, role: 'user' }, facts: { origin: 'import' } }
  })
}
