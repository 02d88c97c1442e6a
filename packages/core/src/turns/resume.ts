import { endOf, unknownEntry } from '../log/log.ts'
import type { Entry, EntryFacts, ModelOptions } from '../log/entry.ts'
import { isTransient, MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import type { LiveLog } from '../past/live-log.ts'
import { needsRunner, newestTurn } from '../log/next.ts'
import { checkNames, type OptionNames } from '../log/options.ts'
import { askTurn, runAsked, runOptions, startTurn, type RunOptions } from './ask-turn.ts'
import type { AskedTurn, AwaitedTurn } from './await-turn.ts'
import { refuseOverdue, wakeAtDeadline } from './decide.ts'
import { lostThread } from './fence.ts'
import { askAgain, closeLeftovers, type RecordResult, type RequestContext } from './record-message.ts'
import { askOptions, messageOptions, recordableOptions, type AskOptions } from './model-options.ts'
import { closingDrafts } from './stop-turn.ts'
import type { ThreadHandle, TurnRun } from './turn-run.ts'
import { resultOf } from './turn-result.ts'
import { busy, cancelled, createTurn, failureOf, type Turn, type TurnResult } from './turn.ts'

/**
 * How does a thread go on after a crash? Finishes its unfinished turn, then answers the waiting messages one after the
 * other. Whether an open tool call runs again is decided by `settleCall` and
 * `runCall` in run-calls.ts. If a new message comes instead,
 * `closeLeftovers` in record-message.ts ends the turn.
 */
export function resume(handle: ThreadHandle, options: RunOptions): Turn {
  checkNames('thread.resume', options, runOptions)
  return askTurn(handle, options, { admission: { ifBusy: 'reject' }, put: findUnfinished, untilRest: true })
}

/**
 * What a thread needs: its unfinished turn, or else the message that has waited longest. If it needs nothing, returns
 * the result of its last turn.
 */
async function findUnfinished(context: RequestContext): Promise<Exclude<RecordResult, string>> {
  const { handle, term } = context
  const { log, queue, thread } = handle
  await refuseOverdue(context)
  const { next: coming, turn } = log.position
  if (!needsRunner(coming)) return resultOf(turn)
  if (term === undefined) await queue.wake(thread, [])
  return coming.do === 'admit' ? { pending: coming.pending } : standingTurn({ log })
}

/** The newest turn of a log, with its entries so far counted as known. */
function standingTurn({ log }: Pick<ThreadHandle, 'log'>): AskedTurn {
  return { asked: log.position.turn[0]!, since: log.length - 1 }
}

/** How `thread.retry` answers again: as the message asked, except for the options that are set here. */
export interface RetryOptions extends RunOptions, AskOptions {
  /** The id of the user entry to answer again, or of an answer to it. Default: the newest user entry. */
  readonly of?: string | undefined
}

const retryOptions: OptionNames<RetryOptions> = { ...runOptions, ...askOptions, of: true }

/** Answers the newest user entry again. If its turn is unfinished, that turn goes on. */
export function retry(handle: ThreadHandle, retrying: RetryOptions): Turn {
  checkNames('thread.retry', retrying, retryOptions)
  const { of, ...options } = retrying
  const asked = recordableOptions(options)
  return askTurn(handle, options, {
    admission: { ifBusy: 'reject' },
    put: (context) => (of === undefined ? putRetry(context, asked) : putRetryOf(context, of, asked)),
  })
}

/** What is recorded with a retry: all that is asked, if it is not just what the message asked. */
function retryFacts(turn: readonly Entry[], asked: ModelOptions | undefined): Pick<EntryFacts, 'options'> {
  return asked ? { options: { ...messageOptions(turn), ...asked } } : {}
}

/** Answers the question of the turn that an entry belongs to. */
async function putRetryOf(
  context: RequestContext,
  of: string,
  options: ModelOptions | undefined,
): Promise<RecordResult> {
  const { handle, term } = context
  const { log } = handle
  await log.past.whole()
  const entry = log.entries.find(({ id }) => id === of)
  if (!entry) throw unknownEntry(of)
  // What hangs off an entry, such as a stop, belongs to the same turn.
  const head = traits[entry.kind].chained ? of : entry.parent
  const turn = head === null ? [] : newestTurn(log.branch(head))
  const [asked] = turn
  if (asked?.id === log.position.turn[0]?.id) return putRetry(context, options)
  if (!asked || !traits[asked.kind].opensExchange || asked.status === 'erased') throw nothingToAnswerError()
  // Another turn is unfinished. The runner ends it first, as if a new message had come, unless it waits for a decision.
  if (log.position.next.do === 'wait' || (term === undefined && log.position.next.do !== 'rest')) return busy()
  await closeLeftovers(context)
  return askAgain(context, { place: asked.id, facts: retryFacts(turn, options) })
}

async function putRetry(context: RequestContext, options: ModelOptions | undefined): Promise<RecordResult> {
  const { handle, control, term } = context
  const { log, queue, thread } = handle
  const turn = log.position.turn
  const [asked] = turn
  if (!asked || !traits[asked.kind].opensExchange || asked.status === 'erased') throw nothingToAnswerError()
  if (log.position.step?.do === 'wait') return resultOf(turn)
  const facts = retryFacts(turn, options)
  if (log.position.step) {
    // Another instance may run it, and would be asked otherwise in the middle.
    if (options && term === undefined) return busy()
    if (options) return askAgain(context, { facts })
    if (term === undefined) await queue.wake(thread, [])
    return standingTurn(handle)
  }
  if (term === undefined && log.position.next.do === 'admit') return busy()
  // Nothing has begun, so there is nothing to record.
  if (control.signal.aborted) {
    const reason = { code: cancelled.code, message: cancelled.reason }
    return { status: 'cancelled', text: '', turn: asked.id, answer: null, reason }
  }
  const isUnanswered = resultOf(turn).answer === null
  return askAgain(context, {
    ...(isUnanswered ? { results: closingDrafts(turn, true) } : { place: asked.id }),
    facts,
  })
}

function nothingToAnswerError(): MinutebookError {
  return new MinutebookError('nothing_to_answer', 'There is no user message to answer again.', 'Send one.')
}

/**
 * What does an instance do with a thread that the queue hands it? Runs one turn, under a new term, and wakes the thread
 * again if there is more to do. Throws transient store errors, so that the queue tries again. Other errors go to
 * `report`, and the thread waits to be woken. Returns the result of the turn, or undefined if there was none to run.
 */
export async function runWoken(
  handle: ThreadHandle,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<TurnResult | undefined> {
  const { log, thread, queue } = handle
  const control = createTurn()
  const heed = (): void => {
    if (!signal.aborted) return
    if (typeof signal.reason !== 'string') control.stop(lostThread)
    // If that turn is over, the one after it must not be cancelled.
    else if (signal.reason === turnIn(log)) control.turn.cancel()
  }
  signal.addEventListener('abort', heed, { once: true })
  try {
    const result = await startTurn(handle, control, handle.config(), { ifBusy: 'queue' }, async (run) => {
      heed()
      const found = await findUnfinished({ handle, control, term: run.term })
      return 'status' in found ? undefined : runHeard(handle, run, found)
    })
    // The log does not contain the error of the model, because it may hold keys.
    if (result?.status === 'failed' && result.error !== undefined) report(result.error)
    if (needsRunner(log.position.next)) await queue.wake(thread, [])
    await wakeAtDeadline(queue, thread, log.position.turn)
    return result
  } catch (error) {
    if (isTransient(error)) throw error
    const code = MinutebookError.isInstance(error) ? error.code : undefined
    // If another runner was faster, it may not do what this one was woken for. If a message was erased before, its
    // sender is told. In both cases the thread may need more.
    if (code === 'fenced' || code === 'erased_before') await queue.wake(thread, [])
    else report(error)
    return failureOf(error)
  } finally {
    signal.removeEventListener('abort', heed)
  }
}

/** Runs a turn. Senders in this process that wait for it hear it directly. */
async function runHeard(handle: ThreadHandle, run: TurnRun, found: AwaitedTurn): Promise<TurnResult> {
  const { id } = 'pending' in found ? found.pending : found.asked
  const endHearing = handle.senders.join(handle.thread, id, run.control)
  try {
    const result = await runAsked(handle, run, found)
    // The error is for the runner, which reports it.
    const { error: _, ...told } = result
    endHearing(told)
    return result
  } finally {
    endHearing()
  }
}

/**
 * The id of the newest turn. While the log is read again, its branch may be incomplete for a moment: then the newest
 * question is used.
 */
function turnIn({ entries, head }: LiveLog): string | undefined {
  const turn = head === null ? [] : newestTurn(endOf(entries, head))
  return (turn[0] ?? entries.findLast(({ kind }) => traits[kind].opensExchange))?.id
}
