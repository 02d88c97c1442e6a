import { madeKey, senderKey, type EntryDraft } from '../log/draft.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { canonicalJson } from '../log/json.ts'
import { readMessage, recordable, type Message } from '../log/message.ts'
import { isUnfinished, newestTurn, turnOf } from '../log/next.ts'
import type { NewRecord } from '../log/records.ts'
import type { StoredEntry } from '../log/store.ts'
import { asImported, checkSent, lastOf, placeMessages, loadPlace, type Sent } from './place-messages.ts'
import type { RunOptions } from './resume.ts'
import { run, recordAndRun, revokePending } from './run-turn.ts'
import { alone, drive } from './start-turn.ts'
import { closeUnfinishedTurn, appendOrThrowFenced } from './stop-turn.ts'
import type { IfBusy } from './thread-locks.ts'
import type { ThreadHandle, TurnRun } from './turn-run.ts'
import { createTurn, resultOf, type Turn, type TurnControl, type TurnResult } from './turn.ts'

/** How a message is taken, and its turn run. */
export interface SendOptions extends RunOptions {
  /**
   * Your own id for this message: sending it again with the same one is not saying it again, and follows its turn where
   * that runs.
   */
  readonly id?: string | undefined
  /**
   * `reject` unless told: the turn ends at once as `busy`, and nothing is recorded. A message that is queued is on
   * record while it waits, unless it is a history or has its place elsewhere (`after`).
   */
  readonly ifBusy?: IfBusy | undefined
  /**
   * The entry to go on from, where it is not the newest: an edited message makes a branch. Null: from the beginning.
   */
  readonly after?: string | null | undefined
  /** Who says it, where several people do; kept with the entry. */
  readonly speaker?: string | undefined
  /** Vouches for the system messages of a history; without it they count as a user's words. */
  readonly trusted?: boolean | undefined
  /** Records of the thread that are written together with the message. */
  readonly records?: readonly NewRecord[] | undefined
}

/** Records a message and runs the turn that answers it. What the caller does wrong is thrown at once. */
export function send(handle: ThreadHandle, sent: Sent, options: SendOptions): Turn {
  const config = handle.config(options.tools)
  checkSent(sent)
  const control = createTurn(options.signal)
  const { ifBusy = 'reject' } = options
  const key = keyOf(options)
  const joins = ifBusy === 'reject' && key !== undefined && handle.locks.holds(handle.thread, key)
  const mustWait = ifBusy === 'queue' && handle.locks.running(handle.thread) !== undefined
  const waiting = mustWait ? recordPending(handle, control, sent, options) : Promise.resolve(key)
  // A failure is told when the turn's time has come.
  waiting.catch(() => undefined)
  const entering = {
    ifBusy: joins ? 'queue' : ifBusy,
    key,
    advice: 'send with ifBusy "queue" or "interrupt", or wait for it',
  } as const
  void drive(handle, control, config, entering, async (running) =>
    answer(handle, running, sent, options, await waiting),
  )
  return control.turn
}

/** Puts a message that must wait on record, and gives the key by which it will be admitted. */
async function recordPending(
  handle: ThreadHandle,
  control: TurnControl,
  sent: Sent,
  options: SendOptions,
): Promise<string | undefined> {
  const { log } = handle
  const { after, speaker, records } = options
  const own = keyOf(options)
  // Whoever admits it after a crash would not know where it belongs.
  if (Array.isArray(sent) || after !== undefined) return own
  await handle.refresh()
  const key = own ?? madeKey(`${log.length}.${await handle.unique()}`)
  const sentBefore = await log.sentAs(key)
  const draft: EntryDraft = {
    message: lastOf(sent),
    facts: { kind: 'pending', key, ...(speaker !== undefined && { speaker }) },
  }
  if (sentBefore.length === 0) log.checkRoom([draft])
  const [pending] =
    sentBefore.length > 0
      ? sentBefore
      : await appendOrThrowFenced(log.append([draft], { records: () => records ?? [] }))
  if (pending && isSaying(pending, sent)) control.record(pending)
  return key
}

async function answer(
  handle: ThreadHandle,
  running: TurnRun,
  sent: Sent,
  options: SendOptions,
  key: string | undefined,
): Promise<TurnResult> {
  const { log, control } = running
  const keyed = key === undefined ? [] : await log.sentAs(key)
  // The oldest has the id: two that came at once may both be waiting.
  if (keyed[0] && !isSaying(keyed[0], sent)) throw idTakenError()
  const known = keyed.find(({ kind }) => kind === 'user')
  if (known) control.record(known)
  if (known) return repeat(running, known)
  if (control.signal.aborted) return withdraw(running, key)
  await closeUnfinishedTurn(running)
  await loadPlace(sent, log, options.after)
  const facts = {
    ...(key !== undefined && { key }),
    ...(options.speaker !== undefined && { speaker: options.speaker }),
  }
  return recordAndRun(
    running,
    placeMessages(sent, log, { after: options.after, facts, trusted: options.trusted ?? false, system: handle.system }),
    key,
    options.records,
  )
}

/** The key of what is sent under an id. */
function keyOf({ id }: Pick<SendOptions, 'id'>): string | undefined {
  return id === undefined ? undefined : senderKey(id)
}

/** Whether an entry says what was sent. */
export function isSaying({ text, images }: Entry, sent: Sent): boolean {
  const content = readMessage(recordable(lastOf(sent)))
  return text === content.text && canonicalJson(images) === canonicalJson(content.images)
}

export function idTakenError(): MinutebookError {
  return new MinutebookError('id_taken', 'This id was used for another message; use a new one for each message.')
}

/** The message is on record already: goes on with its turn where that is unfinished, else tells how it ended. */
async function repeat(running: TurnRun, said: Entry): Promise<TurnResult> {
  const { log, control } = running
  const current = newestTurn(log.branch())
  if (current[0]?.id === said.id && isUnfinished(current)) return run(running, { found: true })
  const result = resultOf(turnOf(log.entries, said))
  if (result.text !== '') control.emit({ type: 'text', text: result.text })
  return result
}

/** Cancelled before its time came: a message that waits is taken back. */
async function withdraw(running: TurnRun, key: string | undefined): Promise<TurnResult> {
  await revokePending(running, key)
  return takenBack
}

export const takenBack: TurnResult = {
  status: 'cancelled',
  text: '',
  turn: null,
  answer: null,
  reason: { code: 'cancelled', message: 'The message was taken back before it was answered.' },
}

/** Puts messages from elsewhere on record. A turn that was cut short ends here. Throws `busy` where one runs. */
export async function adopt(
  handle: ThreadHandle,
  messages: readonly Message[],
  trusted: boolean,
): Promise<readonly StoredEntry[]> {
  const { log } = handle
  const entries = await alone(handle, createTurn().turn, { ifBusy: 'reject' }, async (term) => {
    const drafts = asImported(messages, trusted)
    log.checkRoom(drafts)
    if (messages.length > 0) await closeUnfinishedTurn({ log, term, config: { journal: false } })
    return appendOrThrowFenced(log.append(drafts, { term }))
  })
  if (!entries) throw adoptBusy()
  return entries
}

export function adoptBusy(): MinutebookError {
  return new MinutebookError('busy', 'A turn is running on this thread; wait for it before you add to the record.')
}
