import { tipOf } from '../past/live-log.ts'
import { ownText, type EntryDraft } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { ownMessage, kindOf, type Message } from '../log/message.ts'
import type { StoredEntry } from '../log/store.ts'
import { asImported } from './place-messages.ts'
import { closeLeftovers } from './record-message.ts'
import { stopDrafts } from './stop-turn.ts'
import type { ThreadHandle } from './turn-run.ts'
import { createTurn, type StopReason } from './turn.ts'

/**
 * How are messages from another source recorded? As imported, without answering them. If they end with a user's message,
 * a stop entry follows, so that no runner answers it later. Ends a turn that was cut short. Throws `busy` if a turn runs.
 */
export async function importMessages(
  handle: ThreadHandle,
  messages: readonly Message[],
  trusted: boolean,
): Promise<readonly StoredEntry[]> {
  if (!Array.isArray(messages))
    throw new MinutebookError('invalid_messages', 'There is nothing to import.', 'Pass an array of messages.')
  messages.forEach(ownMessage)
  const { log, locks, thread, runsHere } = handle
  const leave = runsHere ? await locks.enter(thread, createTurn().turn, { ifBusy: 'reject' }) : () => undefined
  if (!leave) throw importBusyError()
  try {
    return await handle.exclusively(async () => {
      for (;;) {
        await handle.refresh()
        const { next } = log.position
        if (next.do === 'wait' || (!runsHere && next.do !== 'rest')) throw importBusyError()
        if (messages.length > 0 && (await closeLeftovers({ handle }))) continue
        const drafts = withOwnText(asImported(messages, trusted), log.head === null)
        log.checkRoom(drafts)
        const unanswered = wantsAnswer(drafts) ? stopDrafts(log, { journal: false }, notAnswered) : []
        const appended = await log.append([...drafts, ...unanswered], { expected: tipOf(log) })
        if (!appended.ok) continue
        await handle.prompter()?.keepUp(log)
        return appended.entries.slice(0, drafts.length)
      }
    })
  } finally {
    leave()
  }
}

/**
 * A system message that opens the record of a thread is the thread's own text, which a later `system` of the thread
 * replaces: a program that brings its history along has its old system prompt there.
 */
function withOwnText(drafts: readonly EntryDraft[], isStart: boolean): readonly EntryDraft[] {
  const [first, ...rest] = drafts
  if (!first || !isStart || kindOf(first.message) !== 'system') return drafts
  return [{ ...first, facts: { ...first.facts, ...ownText } }, ...rest]
}

const notAnswered: StopReason = { status: 'cancelled', code: 'adopted', reason: 'This was recorded without an answer.' }

/** True if a runner that finds these entries at the end of a log would answer them. */
function wantsAnswer(drafts: readonly EntryDraft[]): boolean {
  const spoken = drafts.map(({ message }) => kindOf(message)).findLast((kind) => kind !== 'system')
  return spoken === 'user' || spoken === 'tool'
}

function importBusyError(): MinutebookError {
  return new MinutebookError(
    'busy',
    'A turn is running on this thread.',
    'Wait until it has ended, then add the messages.',
  )
}
