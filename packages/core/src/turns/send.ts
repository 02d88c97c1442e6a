import { attachedTexts } from '../log/attachment.ts'
import { unknownEntry } from '../log/log.ts'
import { madeKey, senderKey, type Entry, type EntryDraft, type EntryFacts } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { canonicalJson } from '../log/json.ts'
import type { LiveLog } from '../past/live-log.ts'
import { needsRunner, revokes } from '../log/next.ts'
import { readMessage, recordable, recordableContext, type Message } from '../log/message.ts'
import { checkNames, type OptionNames } from '../log/options.ts'
import type { NewRecord, StoredEntry } from '../log/store.ts'
import { askTurn, runOptions, type RunOptions } from './ask-turn.ts'
import { cancelTurn } from './await-turn.ts'
import { isOpen, isThere } from './follow.ts'
import { askOptions, recordableOptions, type AskOptions } from './model-options.ts'
import { checkedOutput } from './output.ts'
import { checkSent, lastOf, loadPlace, type SendInput } from './place-messages.ts'
import {
  closeLeftovers,
  recordMessage,
  revokePending,
  waking,
  type MessageDraft,
  type RecordResult,
  type RequestContext,
  type RunnerContext,
  type SenderContext,
} from './record-message.ts'
import type { BusyPolicy } from './turn-queue.ts'
import type { ThreadHandle } from './turn-run.ts'
import { answerIn, busy, takenBack, type Turn, type TurnControl, type TurnResult } from './turn.ts'

/** How `thread.send` records a message, asks the model and runs the turn. */
export interface SendOptions extends RunOptions, AskOptions {
  /**
   * Your own id for this message. Sending it again with the same id does not record it twice: you get the same turn,
   * running or finished.
   */
  readonly id?: string | undefined
  /**
   * What to do if a turn is running. `reject`: end at once as `busy`; nothing is recorded. `queue`: wait for the turn;
   * the message is recorded meanwhile, unless it is a history or has `after`. `interrupt`: cancel the running turn,
   * then answer this message. Default: `reject`.
   *
   * A turn that a crash cut short: without a queue, it ends as `cancelled` with the code `interrupted`, and this
   * message is answered. With a queue, it counts as running, because another instance may go on with it.
   */
  readonly ifBusy?: BusyPolicy | undefined
  /**
   * The id of the entry that the message follows. An edited message makes a branch there. Null: the beginning of the
   * thread. Default: the newest entry.
   */
  readonly after?: string | null | undefined
  /** The name of the person who says it, if several people talk in one thread. It is recorded with the entry. */
  readonly speaker?: string | undefined
  /**
   * What the tools of this turn get as `context`: who asks, for example. It is recorded with the message as JSON, so
   * that a turn has it on any instance, also after a crash. It is in no prompt, and people do not see it.
   */
  readonly context?: unknown
  /** Accept the system messages of a history as such. If not, they count as a user's words. Default: false. */
  readonly trusted?: boolean | undefined
  /** Records of the thread to write in the same transaction as the message. */
  readonly records?: readonly NewRecord[] | undefined
}

const sendOptions: OptionNames<SendOptions> = {
  ...runOptions,
  ...askOptions,
  id: true,
  ifBusy: true,
  after: true,
  speaker: true,
  context: true,
  trusted: true,
  records: true,
}

/** Records a message and asks for the turn that answers it. Throws if the caller made a mistake. */
export function send(handle: ThreadHandle, sent: SendInput, options: SendOptions, edited?: string): Turn {
  checkSent(sent)
  checkNames('thread.send', options, sendOptions)
  const { id, ifBusy = 'reject' } = options
  const own = id === undefined ? undefined : senderKey(id)
  const { speaker } = options
  const [context, asked] = [recordableContext(options.context), recordableOptions(options)]
  const facts = {
    ...(speaker !== undefined && { speaker }),
    ...(context !== undefined && { context }),
    ...(asked && { options: asked }),
  }
  const message: Outgoing = { sent, options, key: own, facts, edited }
  // The turn that answers the same message in this process, if there is one.
  const running = ifBusy === 'reject' && own !== undefined ? handle.locks.find(handle.thread, own) : undefined
  return askTurn(handle, options, {
    admission: { ifBusy: running ? 'queue' : ifBusy, key: own, advice },
    ...(running
      ? { join: (control) => joinTurn(running, message, control) }
      : { pend: (context) => pend(context, message) }),
    put: (context) => (context.term === undefined ? putAsSender(context, message) : putAsRunner(context, message)),
  })
}

/** Sends a message in the place of a user entry. */
export function edit(handle: ThreadHandle, edited: string, sent: string | Message, options: SendOptions): Turn {
  return send(handle, sent, options, edited)
}

const advice = 'Send it with ifBusy "queue" or "interrupt", or wait for the running turn.'

const waits = busy('Decide with thread.decide, or send it with ifBusy "interrupt".', 'A call waits for a decision.')

/** The answer to a message: its text, or its value if the message asks for a form. */
export async function ask<T>(handle: ThreadHandle, sent: SendInput, sending: SendOptions): Promise<T> {
  const text = answerIn(await send(handle, sent, sending).done)
  return (sending.output === undefined ? text : await checkedOutput(text, sending.output)) as T
}

/**
 * Emits all events of the turn that answers the same message, from its first one on, and returns its result. Cancels
 * that turn if this one is cancelled. Returns undefined if there is nothing to hear: the message has other words, or its
 * turn ended before it began.
 */
async function joinTurn(running: Turn, message: Outgoing, control: TurnControl): Promise<TurnResult | undefined> {
  const { signal } = control
  // It was cancelled before it was sent, so it asks for nothing.
  if (signal.aborted) return takenBack
  const recorded = await running.recorded
  if (!recorded || !isSaying(recorded, message.sent)) return undefined
  message.known = recorded
  control.record(recorded)
  const cancel = (): void => running.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    return await hearTurn(running, control)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

async function hearTurn(running: Turn, control: TurnControl): Promise<TurnResult | undefined> {
  let hasBegun = false
  for await (const event of running) {
    if (event.type === 'end') return hasBegun || event.result.turn !== null ? event.result : undefined
    control.emit(event)
    hasBegun = true
  }
  return undefined
}

/** A message that is about to be recorded. */
interface Outgoing {
  readonly sent: SendInput
  readonly options: SendOptions
  readonly facts: Pick<EntryFacts, 'speaker' | 'context' | 'options'>
  /** The id of the user entry in whose place it goes. */
  readonly edited: string | undefined
  /** The sender's id, or a generated key if the message must be told apart from others with the same words. */
  key: string | undefined
  /** The entry that was already recorded under that key when the message had to wait: its waiting copy, for example. */
  known?: Pick<Entry, 'id' | 'seq'> | undefined
}

/**
 * How the runner of a thread records a message, or finds that it is recorded already. It holds the thread, so an
 * unfinished turn was cut short and is ended, unless it waits for a decision.
 */
async function putAsRunner(context: RunnerContext, message: Outgoing): Promise<RecordResult> {
  const { handle, control } = context
  const { log } = handle
  const { sent, options, key } = message
  if (message.known && (await isGone(log, message.known))) return takenBack
  const after = await placeFor(log, message)
  await loadPlace(sent, log, after)
  const { asked, pending } = await findSent(log, sent, key)
  if (asked) return { asked, since: asked.seq }
  if (control.signal.aborted) {
    await revokePending(context, key)
    return takenBack
  }
  if (log.position.next.do === 'wait' && options.ifBusy !== 'interrupt')
    return putBehindWait(context, message, after, pending)
  await closeLeftovers(context)
  // The log may have let go of its older part then.
  await loadPlace(sent, log, after)
  // A waiting copy has the newest message of a history, but not the others.
  const hasRoom = pending !== undefined && !Array.isArray(sent)
  return recordMessage(context, { ...recordingOf(message, after), hasRoom })
}

/**
 * How a sender records a message for the runner that the queue wakes. It cannot know whether another instance runs an
 * unfinished turn, so behind one the message waits. Others may write at any time: then it reads the log again.
 */
async function putAsSender(context: SenderContext, message: Outgoing): Promise<RecordResult> {
  const { handle, control } = context
  const { log } = handle
  const { sent, options } = message
  if (message.known && (await isGone(log, message.known))) return takenBack
  const after = await placeFor(log, message)
  message.key ??= madeKey(await handle.unique())
  await loadPlace(sent, log, after)
  const { length } = log
  // A key that was made for this very message is on no entry yet.
  const { asked, pending } = await findSent(log, sent, options.id === undefined ? undefined : message.key)
  const { next } = log.position
  if (needsRunner(next)) await wakeIfStalled(handle)
  if (asked) return { asked, since: asked.seq }
  if (pending) return { pending }
  if (control.signal.aborted) return takenBack
  const isBusy = next.do !== 'rest'
  if (!isBusy) {
    await closeLeftovers(context)
    await loadPlace(sent, log, after)
  }
  // The log has grown since it was searched: the same message may be recorded by now.
  if (log.length !== length) return 'again'
  return isBusy ? putInQueue(context, message, after) : recordMessage(context, recordingOf(message, after))
}

function recordingOf({ sent, options: { trusted, records }, facts, key }: Outgoing, after: PlaceAfter): MessageDraft {
  return { sent, after, key, facts, trusted, records }
}

/** Records a message that comes while a turn waits for a decision. A runner must not hold the thread meanwhile. */
async function putBehindWait(
  context: RunnerContext,
  message: Outgoing,
  after: PlaceAfter,
  known: StoredEntry | undefined,
): Promise<RecordResult> {
  message.key ??= madeKey(`${context.handle.log.length}.${await context.handle.unique()}`)
  const put = known ? { pending: known } : await putInQueue(context, message, after)
  if (typeof put === 'string' || !('pending' in put)) return put
  message.known = put.pending
  context.control.record(put.pending)
  return 'wait'
}

/** The id of the entry that a message follows. Null: the root. Undefined: the head. */
type PlaceAfter = string | null | undefined

/** An edited message follows the same entry as the message that it replaces. */
async function placeFor(log: LiveLog, { edited: id, options }: Outgoing): Promise<PlaceAfter> {
  if (id === undefined) return options.after
  await log.past.whole()
  const edited = log.entries.find((entry) => entry.id === id)
  if (!edited) throw unknownEntry(id)
  if (edited.kind !== 'user')
    throw new MinutebookError('not_editable', 'Only a user entry can be edited.', 'Pass the id of one.')
  return edited.parent
}

/** Finds the entries that are recorded under the key of a message: the message itself, or its waiting copy. */
async function findSent(
  log: LiveLog,
  sent: SendInput,
  key: string | undefined,
): Promise<{ readonly asked?: StoredEntry | undefined; readonly pending?: StoredEntry | undefined }> {
  const keyed = key === undefined ? [] : await log.past.sentUnder(key)
  // The oldest entry owns the id: two messages that came at once may both be waiting under it.
  if (keyed[0] && !isSaying(keyed[0], sent)) throw idTakenError()
  return {
    asked: keyed.find(({ kind }) => kind === 'user'),
    pending: keyed.find((entry) => entry.kind === 'pending' && !isRevoked(log, entry)),
  }
}

function isRevoked(log: LiveLog, message: StoredEntry): boolean {
  return log.since(message.seq).some((entry) => revokes(entry, message))
}

/** True if the entry was erased, or its thread was removed: what it says must not be recorded again. */
async function isGone(log: LiveLog, known: Pick<Entry, 'id' | 'seq'>): Promise<boolean> {
  if (!log.past.has(known.id)) await log.past.whole()
  return !isThere(log, known) || log.since(known.seq)[0]?.status === 'erased'
}

/** True if the entry has the text, the images and the attachments of what was sent. */
export function isSaying(entry: Entry, sent: SendInput): boolean {
  const content = readMessage(recordable(lastOf(sent)))
  return entry.text === content.text && canonicalJson(attachedTexts(entry)) === canonicalJson(attachedTexts(content))
}

export function idTakenError(): MinutebookError {
  return new MinutebookError('id_taken', 'This id was used for another message.', 'Use a new one for each message.')
}

/** Records a message that has to wait for a turn in this process, so that a crash does not lose it. */
async function pend(context: SenderContext, message: Outgoing): Promise<void> {
  const { handle, control } = context
  const { log, unique } = handle
  await handle.refresh()
  const after = await placeFor(log, message)
  message.key ??= madeKey(`${log.length}.${await unique()}`)
  const { asked, pending } = await findSent(log, message.sent, message.key)
  const put = asked || pending ? undefined : await putInQueue(context, message, after)
  const waits = pending ?? (typeof put === 'object' && 'pending' in put ? put.pending : undefined)
  message.known = asked ?? waits
  if (waits) control.record(waits)
}

/**
 * Handles a message that comes while a turn runs, here or on another instance: rejects it, or records it as waiting.
 */
async function putInQueue(
  context: RequestContext,
  { sent, options, facts, key }: Outgoing,
  after: PlaceAfter,
): Promise<RecordResult> {
  const { handle } = context
  const { log, runsHere } = handle
  const { ifBusy = 'reject', records = [] } = options
  if (ifBusy === 'reject') return log.position.next.do === 'wait' ? waits : busy(advice)
  const [running] = log.position.turn
  if (ifBusy === 'interrupt' && running && isOpen(log, running)) void cancelTurn(handle, running).catch(() => undefined)
  // A waiting message is later recorded at the head. These belong elsewhere, so only their sender can record them.
  if (Array.isArray(sent) || after !== undefined) return 'wait'
  const draft: EntryDraft = {
    message: lastOf(sent),
    facts: { ...facts, kind: 'pending', ...(key !== undefined && { key }) },
  }
  // The same message waited here before and was revoked: a second entry would have the same id.
  if ((await log.said([draft])).length > 0) return 'wait'
  log.checkRoom([draft])
  const appended = await log.append([draft], {
    ...(!runsHere && { write: waking(context) }),
    ...(records.length > 0 && { records: () => records }),
  })
  const pending = appended.ok ? appended.entries.at(-1) : undefined
  return pending ? { pending } : 'again'
}

/** Milliseconds without a new entry after which a turn may have lost its runner. */
const longQuiet = 10_000

/** Wakes the thread if its unfinished turn wrote nothing for 10 s, so that a failed run does not block it for good. */
async function wakeIfStalled({ log, queue, clock, thread }: ThreadHandle): Promise<void> {
  const time = log.entries.at(-1)?.time
  const quiet = time === undefined ? Infinity : Date.parse(clock.now()) - Date.parse(time)
  if (!(quiet < longQuiet)) await queue.wake(thread, [])
}
