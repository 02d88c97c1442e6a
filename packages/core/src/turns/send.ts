import { madeKey, senderKey, type EntryDraft } from '../log/draft.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { canonicalJson } from '../log/json.ts'
import type { LiveLog } from '../log/log.ts'
import { readMessage, recordable, type Message } from '../log/message.ts'
import type { NewRecord } from '../log/records.ts'
import type { StoredEntry } from '../log/store.ts'
import { askTurn, type RunOptions } from './ask-turn.ts'
import { cancelTurn } from './await-turn.ts'
import { isAtWork } from './follow.ts'
import { asImported, checkSent, lastOf, loadPlace, type Sent } from './place-messages.ts'
import {
  closeLeftovers,
  recordMessage,
  revokePending,
  waking,
  type RequestContext,
  type Put,
} from './record-message.ts'
import { busy } from './start-turn.ts'
import { stopDrafts } from './stop-turn.ts'
import type { IfBusy } from './thread-locks.ts'
import type { ThreadHandle } from './turn-run.ts'
import { createTurn, takenBack, type StopReason, type Turn } from './turn.ts'

/** How a message is taken, and its turn run. */
export interface SendOptions extends RunOptions {
  /**
   * Your own id for this message: sending it again with the same one is not saying it again, and follows its turn if
   * that runs.
   */
  readonly id?: string | undefined
  /**
   * What becomes of the message if a turn runs. `reject`: the turn ends at once as `busy`, and nothing is recorded.
   * `queue`: it is on record while it waits, unless it is a history or has its place elsewhere (`after`). `interrupt`:
   * the turn that runs is cancelled. Default: `reject`.
   */
  readonly ifBusy?: IfBusy | undefined
  /** The entry to go on from, if that is not the newest: an edited message makes a branch. Null: from the beginning. */
  readonly after?: string | null | undefined
  /** Who says it, if several people do; kept with the entry. */
  readonly speaker?: string | undefined
  /** Vouches for the system messages of a history; without it they count as a user's words. */
  readonly trusted?: boolean | undefined
  /** Records of the thread that are written together with the message. */
  readonly records?: readonly NewRecord[] | undefined
}

/** Records a message and has it answered. Throws what the caller did wrong. */
export function send(handle: ThreadHandle, sent: Sent, options: SendOptions): Turn {
  checkSent(sent)
  const { id, ifBusy = 'reject' } = options
  const own = id === undefined ? undefined : senderKey(id)
  const message: Outgoing = { sent, options, key: own }
  // Sent again with the same id while it is answered here: then it is followed.
  const joins = ifBusy === 'reject' && own !== undefined && handle.locks.holds(handle.thread, own)
  return askTurn(handle, options, {
    admission: { ifBusy: joins ? 'queue' : ifBusy, key: own, advice },
    ...(!joins && { pend: (context) => pend(context, message) }),
    put: (context) => putMessage(context, message),
  })
}

const advice = 'send with ifBusy "queue" or "interrupt", or wait for it'

interface Outgoing {
  readonly sent: Sent
  readonly options: SendOptions
  /** By which it is known: the sender's id, or one that is made if others must tell it from the same words. */
  key: string | undefined
}

async function putMessage(context: RequestContext, message: Outgoing): Promise<Put> {
  const { handle, control, term } = context
  const { log } = handle
  const { sent, options } = message
  const { after, speaker, trusted, records } = options
  if (term === undefined) message.key ??= madeKey(await handle.unique())
  await loadPlace(sent, log, after)
  const { length } = log
  const { asked, pending } = await findSent(log, message, term === undefined ? options.id : message.key)
  const isBusy = term === undefined && log.position.next.do !== 'rest'
  if (isBusy) await wakeIfStalled(handle)
  if (asked) return { asked, since: asked.seq }
  if (pending && term === undefined) return { pending }
  if (control.signal.aborted) {
    await revokePending(context, message.key)
    return takenBack
  }
  if (!isBusy) await closeLeftovers(context)
  // Somebody who only asks looks again: the same message may have been said meanwhile.
  if (term === undefined && log.length !== length) return 'again'
  if (isBusy) return putInQueue(context, message)
  const facts = speaker === undefined ? {} : { speaker }
  return recordMessage(context, { sent, after, key: message.key, facts, trusted, records })
}

/** What is on record under the key of a message, said or waiting. `known`: undefined if nothing can be. */
async function findSent(
  log: LiveLog,
  { sent, key }: Outgoing,
  known: string | undefined,
): Promise<{ readonly asked?: StoredEntry | undefined; readonly pending?: StoredEntry | undefined }> {
  const keyed = known === undefined || key === undefined ? [] : await log.sentAs(key)
  // The oldest has the id: two that came at once may both be waiting.
  if (keyed[0] && !isSaying(keyed[0], sent)) throw idTakenError()
  return {
    asked: keyed.find(({ kind }) => kind === 'user'),
    pending: keyed.find((entry) => entry.kind === 'pending' && !isRevoked(log, entry)),
  }
}

function isRevoked(log: LiveLog, { id, seq }: StoredEntry): boolean {
  return log.since(seq).some(({ kind, text }) => kind === 'revocation' && text === id)
}

/** Whether an entry says what was sent. */
export function isSaying({ text, images }: Entry, sent: Sent): boolean {
  const content = readMessage(recordable(lastOf(sent)))
  return text === content.text && canonicalJson(images) === canonicalJson(content.images)
}

export function idTakenError(): MinutebookError {
  return new MinutebookError('id_taken', 'This id was used for another message; use a new one for each message.')
}

/** A turn runs in this process: puts the message on record, so that it is not lost while it waits. */
async function pend(context: RequestContext, message: Outgoing): Promise<void> {
  const { handle, control } = context
  const { log, unique } = handle
  await handle.refresh()
  message.key ??= madeKey(`${log.length}.${await unique()}`)
  const { asked, pending } = await findSent(log, message, message.key)
  const put = asked || pending ? undefined : await putInQueue(context, message)
  const waits = pending ?? (typeof put === 'object' && 'pending' in put ? put.pending : undefined)
  if (waits) control.record(waits)
}

/** What becomes of a message while a turn runs, here or elsewhere. */
async function putInQueue(context: RequestContext, { sent, options, key }: Outgoing): Promise<Put> {
  const { handle } = context
  const { log, runsHere } = handle
  const { ifBusy = 'reject', after, speaker, records = [] } = options
  if (ifBusy === 'reject') return busy(advice)
  const [running] = log.position.turn
  if (ifBusy === 'interrupt' && running && isAtWork(log, running))
    void cancelTurn(handle, running).catch(() => undefined)
  // Whoever admits it would not know where it belongs.
  if (Array.isArray(sent) || after !== undefined) return 'wait'
  const draft: EntryDraft = {
    message: lastOf(sent),
    facts: { kind: 'pending', ...(key !== undefined && { key }), ...(speaker !== undefined && { speaker }) },
  }
  // Said here before, and taken back.
  if (log.said([draft]).length > 0) return 'wait'
  log.checkRoom([draft])
  const appended = await log.append([draft], {
    ...(!runsHere && { write: waking(context) }),
    ...(records.length > 0 && { records: () => records }),
  })
  const pending = appended.ok ? appended.entries.at(-1) : undefined
  return pending ? { pending } : 'again'
}

/** Milliseconds without a new entry after which a turn may have been given up. */
const longQuiet = 10_000

/** Wakes a thread whose unfinished turn wrote nothing for long, so that a run that failed does not block it for good. */
async function wakeIfStalled({ log, queue, clock, thread }: ThreadHandle): Promise<void> {
  const time = log.entries.at(-1)?.time
  const quiet = time === undefined ? Infinity : Date.parse(clock.now()) - Date.parse(time)
  if (!(quiet < longQuiet)) await queue.wake(thread, [])
}

/**
 * Puts messages from elsewhere on record, on a thread that rests and goes on resting. A turn that was cut short ends
 * here. Throws `busy` if one runs.
 */
export async function adopt(
  handle: ThreadHandle,
  messages: readonly Message[],
  trusted: boolean,
): Promise<readonly StoredEntry[]> {
  const { log, locks, thread, runsHere } = handle
  const leave = runsHere ? await locks.enter(thread, createTurn().turn, { ifBusy: 'reject' }) : () => undefined
  if (!leave) throw adoptBusyError()
  try {
    return await handle.inTurn(async () => {
      for (;;) {
        await handle.refresh()
        if (!runsHere && log.position.next.do !== 'rest') throw adoptBusyError()
        if (messages.length > 0 && (await closeLeftovers({ handle }))) continue
        const drafts = asImported(messages, trusted)
        log.checkRoom(drafts)
        const unanswered = wantsAnswer(drafts) ? stopDrafts(log, { journal: false }, notAnswered) : []
        const appended = await log.append([...drafts, ...unanswered], { expected: log.tip })
        if (appended.ok) return appended.entries.slice(0, drafts.length)
      }
    })
  } finally {
    leave()
  }
}

const notAnswered: StopReason = { status: 'cancelled', code: 'adopted', reason: 'This was recorded without an answer.' }

/** Whether somebody who finds these at the end of a log would answer them. */
function wantsAnswer(drafts: readonly EntryDraft[]): boolean {
  const spoken = drafts.map(({ message }) => readMessage(message).kind).findLast((kind) => kind !== 'system')
  return spoken === 'user' || spoken === 'tool'
}

function adoptBusyError(): MinutebookError {
  return new MinutebookError('busy', 'A turn is running on this thread; wait for it before you add to the record.')
}
