import { MinutebookError } from '../log/error.ts'
import type { OptionNames } from '../log/options.ts'
import { unlessAborted } from '../models/call-errors.ts'
import { turnOf, type NextStep } from '../log/next.ts'
import { awaitTurn, recordedEvents, type AskedTurn, type AwaitedTurn } from './await-turn.ts'
import { publishText } from './feed.ts'
import { isAtWork, pollLog } from './follow.ts'
import { admit, type RecordResult, type RequestContext, type SenderContext } from './record-message.ts'
import { runTurn } from './run-turn.ts'
import { createFence, fencedError } from './fence.ts'
import type { Tool } from './tool.ts'
import type { Admission } from './turn-queue.ts'
import type { LocalSender, ThreadHandle, TurnConfig, TurnRun } from './turn-run.ts'
import { resultOf } from './turn-result.ts'
import { busy, createTurn, failureOf, takenBack, type Turn, type TurnControl, type TurnResult } from './turn.ts'

/** How one turn runs. */
export interface RunOptions {
  /** Cancels the turn. */
  readonly signal?: AbortSignal | undefined
  /**
   * The tools of this turn, instead of the thread's. Not allowed in a book with a queue, because another process may
   * run the turn.
   */
  readonly tools?: readonly Tool[] | undefined
}

/** The names of the options above. */
export const runOptions: OptionNames<RunOptions> = { signal: true, tools: true }

/** What a caller asks of a thread: to answer a message, to give another answer, or to go on. */
export interface TurnRequest {
  /** What to do if a turn runs in this process. */
  readonly admission: Admission
  /**
   * Hears the turn of this process that already does what is asked. Returns undefined if that turn ended before it
   * began: then the request goes its own way.
   */
  readonly join?: ((control: TurnControl) => Promise<TurnResult | undefined>) | undefined
  /** Records the request while it waits for such a turn. */
  readonly pend?: (context: SenderContext) => Promise<void>
  /** Records the request. The log is up to date when this is called. */
  readonly put: (context: RequestContext) => Promise<RecordResult>
  /** Run turns until the thread has nothing left to do. Default: one turn. */
  readonly untilRest?: boolean
}

/**
 * Where does a turn run? Records the request and starts its turn. Without a queue, the turn runs in this process
 * (`runHere`). With a queue, any instance runs it, and this process follows it (`runAnywhere`). Throws if the caller
 * made a mistake.
 */
export function askTurn(handle: ThreadHandle, { signal, tools }: RunOptions, request: TurnRequest): Turn {
  if (tools && !handle.runsHere) throw toolsNotAllowedError()
  const config = handle.runsHere ? handle.config(tools) : undefined
  const control = createTurn(signal)
  const result = config ? runHere(handle, control, config, request) : runAnywhere(handle, control, request)
  void result.catch(failureOf).then((ended) => control.end(ended))
  return control.turn
}

function toolsNotAllowedError(): MinutebookError {
  return new MinutebookError(
    'tools_not_allowed',
    'A turn that a queue hands out cannot take tools of its own.',
    'Pass them to openBook, or to book.work({ options }).',
  )
}

/**
 * Runs the turn in this process. Lock, claim and refresh (`startTurn`); then the request is recorded (`put`); then the
 * turn runs (`runAsked`). The thread is held from the lock to the end of the turn.
 */
async function runHere(
  handle: ThreadHandle,
  control: TurnControl,
  config: TurnConfig,
  request: TurnRequest,
): Promise<TurnResult> {
  const { admission, join, pend, untilRest } = request
  // Without a turn to join, the lock must be asked for at once, in the order of the calls.
  const joined = join && (await join(control))
  if (joined) return joined
  const mustWait = admission.ifBusy === 'queue' && handle.locks.running(handle.thread) !== undefined
  const waiting = mustWait ? pend?.({ handle, control }) : undefined
  // A failure is thrown by `await waiting` below, once it is this turn's time to run.
  waiting?.catch(() => undefined)
  for (;;) {
    const ended = await startTurn(handle, control, config, admission, async (run) => {
      await waiting
      for (let result: TurnResult | undefined; ;) {
        if (untilRest && control.signal.aborted) return result ?? resultOf(run.log.position.turn)
        // While the last turn ran, a message that waits may have been erased.
        if (result) await handle.refresh()
        const put = await request.put({ handle, control, term: run.term })
        // Another turn waits for a decision. This one must not hold the thread meanwhile.
        if (put === 'wait') return put
        const asked = onRecord(put)
        if ('status' in asked) return result ?? asked
        result = await runAsked(handle, run, asked)
        if (!untilRest) return result
      }
    })
    if (ended !== 'wait') return ended ?? busy(admission.advice)
    const { erasures } = handle.log.past
    // The message may be erased before the decision comes.
    await untilNext(
      handle,
      control.signal,
      ({ do: needed }) => needed !== 'wait' || handle.log.past.erasures !== erasures,
    )
  }
}

/**
 * Runs `work` while no other runner has this thread: waits in the queue of this process, claims a new term, refreshes
 * the log, and publishes the turn's text until it ends. Returns undefined if a turn runs and `admission` rejects.
 */
export async function startTurn<T>(
  handle: ThreadHandle,
  control: TurnControl,
  config: TurnConfig,
  admission: Admission,
  work: (run: TurnRun) => Promise<T>,
): Promise<T | undefined> {
  const { thread, store, locks, log, feed, refresh, around, clock } = handle
  const leave = await locks.enter(thread, control.turn, admission)
  if (!leave) return undefined
  let stopPublishing = (): void => undefined
  try {
    const claimed = clock.now()
    // The claim tells whether a log that was read before has grown since.
    const [standing] = await Promise.all([store.claim(thread), log.isBehind() ? refresh({ config }) : undefined])
    if (log.isBehind(standing)) await refresh()
    const { term } = standing
    stopPublishing = publishText(feed, control, {
      thread,
      term,
      turn: () => log.position.turn,
      length: () => log.length,
    })
    const fence = createFence({ store, log, term, control, clock, refresh, claimed })
    return await work({ store, log, term, fence, control, config, around })
  } finally {
    stopPublishing()
    log.checkout()
    leave()
  }
}

/** Records the request, which wakes the thread in the queue, and follows the turn that some instance then runs. */
async function runAnywhere(
  handle: ThreadHandle,
  control: TurnControl,
  { put, untilRest }: TurnRequest,
): Promise<TurnResult> {
  const local = handle.senders.add(handle, control)
  try {
    for (let result: TurnResult | undefined; ;) {
      if (control.signal.aborted && (result || !untilRest)) return result ?? takenBack
      const asked = await handle.exclusively(async () => {
        await handle.refresh()
        return put({ handle, control, local })
      })
      if (asked === 'wait') await untilNext(handle, control.signal, ({ do: needed }) => needed === 'rest')
      if (typeof asked === 'string') continue
      if ('status' in asked) return asked
      result = await hearOrFollow(handle, control, local, asked)
      if (!untilRest) return result
    }
  } finally {
    local.leave()
  }
}

/** Waits for the result: directly from the runner if this process runs the turn, or else by log and feed. */
async function hearOrFollow(
  handle: ThreadHandle,
  control: TurnControl,
  local: LocalSender,
  awaited: AwaitedTurn,
): Promise<TurnResult> {
  if ('pending' in awaited) control.record(awaited.pending)
  else control.record(awaited.recorded ?? awaited.asked, beginningOf(awaited))
  // This caller woke nothing, so a runner has the turn already.
  if (local.turn === undefined) return awaitTurn(handle, control, awaited)
  let isShown = false
  const stop = control.overhear((event) => (isShown ||= event.type === 'text'))
  const heard = await local.heard(handle.clock)
  stop()
  local.leave()
  if (heard) return heard
  if (!isShown) return awaitTurn(handle, control, awaited)
  // The runner in this process gave up in the middle, and another one continues: the text comes again.
  control.emit({ type: 'reset' })
  return awaitTurn(handle, control, 'pending' in awaited ? awaited : { ...awaited, since: handle.log.length - 1 })
}

/** Waits until what the thread needs next is as it should be, or the signal aborts. */
async function untilNext(
  handle: ThreadHandle,
  signal: AbortSignal,
  isAwaited: (coming: NextStep) => boolean,
): Promise<void> {
  for await (const _ of pollLog(handle, signal)) if (isAwaited(handle.log.position.next)) return
}

/** Runs the turn that was asked for. If it is over already, returns how it ended. */
export async function runAsked(handle: ThreadHandle, run: TurnRun, awaited: AwaitedTurn): Promise<TurnResult> {
  const { log, control, term } = run
  const found = 'pending' in awaited ? onRecord(await admit({ handle, control, term }, awaited.pending)) : awaited
  const { asked, recorded = asked } = found
  control.record(recorded, beginningOf(found))
  if (isAtWork(log, asked)) return runTurn({ ...run, config: await withWindow(handle, run) })
  const turn = turnOf(log.entries, asked)
  recordedEvents(turn).forEach((event) => control.emit(event))
  return resultOf(turn)
}

/** The configuration with the true window. The message is recorded before its server is asked: it may load the model. */
async function withWindow(handle: ThreadHandle, { config, control }: TurnRun): Promise<TurnConfig> {
  if (config.windowSource !== 'assumed') return config
  return unlessAborted(handle.discover(config), control.signal).catch(() => config)
}

/** The seq of the entry that began the turn: the question, or the request for another answer. */
function beginningOf({ asked, since, again }: AskedTurn): number {
  return again ? since : asked.seq
}

/** For a runner: it never has to wait, and if others wrote to its thread, they have taken it over. */
function onRecord<T>(put: T | 'wait' | 'again'): T {
  if (put === 'wait' || put === 'again') throw fencedError('overtaken')
  return put
}
