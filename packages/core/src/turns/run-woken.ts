import { isNotLoaded } from '../log/branch.ts'
import { MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import type { LiveLog } from '../log/log.ts'
import { isTransient } from '../log/store.ts'
import { runAsked } from './ask-turn.ts'
import type { AwaitedTurn } from './await-turn.ts'
import { findUnfinished } from './resume.ts'
import { failureOf, startTurn } from './start-turn.ts'
import type { ThreadHandle, TurnRun } from './turn-run.ts'
import { createTurn, type TurnResult } from './turn.ts'

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
  // The signal names a turn. If that turn is over, it must not cancel the one after it.
  const heed = (): void => {
    if (signal.aborted && signal.reason === turnIn(log)) control.turn.cancel()
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
    if (log.position.next.do !== 'rest') await queue.wake(thread, [])
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
function turnIn(log: LiveLog): string | undefined {
  try {
    return log.position.turn[0]?.id
  } catch (error) {
    if (!isNotLoaded(error)) throw error
    return log.entries.findLast(({ kind }) => traits[kind].opensExchange)?.id
  }
}
