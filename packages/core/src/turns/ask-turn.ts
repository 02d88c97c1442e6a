import { MinutebookError } from '../log/error.ts'
import { turnOf } from '../log/next.ts'
import { awaitTurn, type AwaitedTurn } from './await-turn.ts'
import { isAtWork, pollLog } from './follow.ts'
import { admit, type RequestContext, type Put } from './record-message.ts'
import { runTurn } from './run-turn.ts'
import { busy, failureOf, startTurn } from './start-turn.ts'
import { fencedError } from './stop-turn.ts'
import type { Admission } from './thread-locks.ts'
import type { Tool } from './tool.ts'
import type { LocalSender, ThreadHandle, TurnConfig, TurnRun } from './turn-run.ts'
import { createTurn, resultOf, takenBack, type Turn, type TurnControl, type TurnResult } from './turn.ts'

/** How one turn is run. */
export interface RunOptions {
  /** Cancels the turn. */
  readonly signal?: AbortSignal | undefined
  /** The tools of this turn, instead of the thread's. Only for a book without a queue, whose turns run where they are asked for. */
  readonly tools?: readonly Tool[] | undefined
}

/** What somebody wants of a thread: that a message is answered, another answer, or that it goes on. */
export interface TurnRequest {
  /** What becomes of it if a turn runs in this process. */
  readonly admission: Admission
  /** Puts it on record while it waits for such a turn. */
  readonly pend?: (context: RequestContext) => Promise<void>
  /** Puts it on record. Called on a log that is up to date. */
  readonly put: (context: RequestContext) => Promise<Put>
  /** Set if the thread is to go on until nothing is left to do. Default: one turn. */
  readonly untilRest?: boolean
}

/**
 * Puts a request on record and has its turn run: here if the book has no queue, else by whoever the queue wakes, and
 * followed from here. Throws what the caller did wrong.
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
    'A turn that a queue hands out cannot take tools of its own; pass them to openBook, or to book.work({ options }).',
  )
}

/** In this process, by one who holds the thread from before the request is recorded until its turn is over. */
async function runHere(
  handle: ThreadHandle,
  control: TurnControl,
  config: TurnConfig,
  { admission, pend, put, untilRest }: TurnRequest,
): Promise<TurnResult> {
  const mustWait = admission.ifBusy === 'queue' && handle.locks.running(handle.thread) !== undefined
  const waiting = mustWait ? pend?.({ handle, control }) : undefined
  // A failure is reported when the turn's time has come.
  waiting?.catch(() => undefined)
  const ended = await startTurn(handle, control, config, admission, async (run) => {
    await waiting
    for (let result: TurnResult | undefined; ;) {
      if (untilRest && control.signal.aborted) return result ?? resultOf(run.log.position.turn)
      const asked = onRecord(await put({ handle, control, term: run.term }))
      if ('status' in asked) return result ?? asked
      result = await runAsked(handle, run, asked)
      if (!untilRest) return result
    }
  })
  return ended ?? busy(admission.advice)
}

/** By whoever is woken. Here the request is recorded, and its turn followed. */
async function runAnywhere(
  handle: ThreadHandle,
  control: TurnControl,
  { put, untilRest }: TurnRequest,
): Promise<TurnResult> {
  const local = handle.senders.add(handle, control)
  try {
    for (let result: TurnResult | undefined; ;) {
      if (control.signal.aborted && (result || !untilRest)) return result ?? takenBack
      const asked = await handle.inTurn(async () => {
        await handle.refresh()
        return put({ handle, control, local })
      })
      if (asked === 'wait') await untilAtRest(handle, control.signal)
      if (typeof asked === 'string') continue
      if ('status' in asked) return asked
      result = await hearOrFollow(handle, control, local, asked)
      if (!untilRest) return result
    }
  } finally {
    local.leave()
  }
}

/** How the turn ended: heard directly if this process runs it, else followed by log and feed. */
async function hearOrFollow(
  handle: ThreadHandle,
  control: TurnControl,
  local: LocalSender,
  awaited: AwaitedTurn,
): Promise<TurnResult> {
  control.record('pending' in awaited ? awaited.pending : (awaited.recorded ?? awaited.asked))
  // Nothing was asked of the queue: somebody else runs the turn already.
  if (local.turn === undefined) return awaitTurn(handle, control, awaited)
  let isShown = false
  const stop = control.overhear((event) => (isShown ||= event.type === 'text'))
  const heard = await local.heard(handle.clock)
  stop()
  local.leave()
  if (heard) return heard
  if (!isShown) return awaitTurn(handle, control, awaited)
  // The runner here could not go on, and somebody else does.
  control.emit({ type: 'reset' })
  return awaitTurn(handle, control, 'pending' in awaited ? awaited : { ...awaited, since: handle.log.length - 1 })
}

async function untilAtRest(handle: ThreadHandle, signal: AbortSignal): Promise<void> {
  for await (const _ of pollLog(handle, signal)) if (handle.log.position.next.do === 'rest') return
}

/** Runs the turn that was asked for. If it is over already, returns how it ended. */
export async function runAsked(handle: ThreadHandle, run: TurnRun, awaited: AwaitedTurn): Promise<TurnResult> {
  const { log, control, term } = run
  const { asked, recorded = asked } =
    'pending' in awaited ? onRecord(await admit({ handle, control, term }, awaited.pending)) : awaited
  control.record(recorded)
  if (isAtWork(log, asked)) return runTurn(run)
  const result = resultOf(turnOf(log.entries, asked))
  if (result.text !== '') control.emit({ type: 'text', text: result.text })
  return result
}

/** A runner waits for nobody, and whoever is faster than it has taken over. */
function onRecord<T>(put: T | 'wait' | 'again'): T {
  if (put === 'wait' || put === 'again') throw fencedError('overtaken')
  return put
}
