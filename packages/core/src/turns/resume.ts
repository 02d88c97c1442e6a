import { MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import { askTurn, type RunOptions } from './ask-turn.ts'
import type { AskedTurn } from './await-turn.ts'
import { askAgain, type RequestContext, type RecordResult } from './record-message.ts'
import { busy } from './start-turn.ts'
import { closingDrafts } from './stop-turn.ts'
import type { ThreadHandle } from './turn-run.ts'
import { cancelled, resultOf, type Turn } from './turn.ts'

/**
 * How does a thread go on after a crash? Finishes its unfinished turn, then answers the waiting messages one after the
 * other. Whether an open tool call runs again is decided by `runCall` in run-turn.ts. If a new message comes instead,
 * `closeLeftovers` in record-message.ts ends the turn.
 */
export function resume(handle: ThreadHandle, options: RunOptions): Turn {
  return askTurn(handle, options, { admission: { ifBusy: 'reject' }, put: findUnfinished, untilRest: true })
}

/**
 * What a thread needs: its unfinished turn, or else the message that has waited longest. If it needs nothing, returns
 * the result of its last turn.
 */
export async function findUnfinished({
  handle: { log, queue, thread },
  term,
}: RequestContext): Promise<Exclude<RecordResult, string>> {
  const { next: coming, turn } = log.position
  if (coming.do === 'rest') return resultOf(turn)
  if (term === undefined) await queue.wake(thread, [])
  return coming.do === 'admit' ? { pending: coming.pending } : standingTurn({ log })
}

/** The newest turn of a log, with its entries so far counted as known. */
function standingTurn({ log }: Pick<ThreadHandle, 'log'>): AskedTurn {
  return { asked: log.position.turn[0]!, since: log.length - 1 }
}

/** Answers the newest user entry again. If its turn is unfinished, that turn goes on. */
export function retry(handle: ThreadHandle, options: RunOptions): Turn {
  return askTurn(handle, options, { admission: { ifBusy: 'reject' }, put: putRetry })
}

async function putRetry(context: RequestContext): Promise<RecordResult> {
  const { handle, control, term } = context
  const { log, queue, thread } = handle
  const turn = log.position.turn
  const [asked] = turn
  if (!asked || !traits[asked.kind].opensExchange || asked.status === 'erased') throw nothingToAnswerError()
  if (log.position.step) {
    if (term === undefined) await queue.wake(thread, [])
    return standingTurn(handle)
  }
  if (term === undefined && log.position.next.do === 'admit') return busy()
  // Nothing has begun, so there is nothing to record.
  if (control.signal.aborted) {
    const reason = { code: cancelled.code, message: cancelled.reason }
    return { status: 'cancelled', text: '', turn: asked.id, answer: null, reason }
  }
  return askAgain(context, resultOf(turn).answer === null ? { results: closingDrafts(log, true) } : { place: asked.id })
}

function nothingToAnswerError(): MinutebookError {
  return new MinutebookError('nothing_to_answer', 'There is no user message to answer again.', 'Send one.')
}
