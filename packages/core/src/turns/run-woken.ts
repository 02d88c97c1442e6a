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
 * Does one turn of a thread that was woken, under a term of its own, and wakes it again where there is more to do.
 * Throws what may pass, so that it is tried again; any other error goes to `report`, and the thread waits to be woken.
 * Gives how the turn ended; undefined where there was none to run.
 */
export async function runWoken(
  handle: ThreadHandle,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<TurnResult | undefined> {
  const { log, thread, queue } = handle
  const control = createTurn()
  // Meant for a turn that is over, it must not end the one that came after it.
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
    // The log says that the model failed, not with what: that may hold keys.
    if (result?.status === 'failed' && result.error !== undefined) report(result.error)
    if (log.position.next.do !== 'rest') await queue.wake(thread, [])
    return result
  } catch (error) {
    if (isTransient(error)) throw error
    const code = MinutebookError.isInstance(error) ? error.code : undefined
    // Whoever was faster may not do what we were woken for; whoever sent what cannot be said is told.
    if (code === 'fenced' || code === 'erased_before') await queue.wake(thread, [])
    else report(error)
    return failureOf(error)
  } finally {
    signal.removeEventListener('abort', heed)
  }
}

/** Runs a turn. Those who wait for it in this process hear it directly. */
async function runHeard(handle: ThreadHandle, run: TurnRun, found: AwaitedTurn): Promise<TurnResult> {
  const { id } = 'pending' in found ? found.pending : found.asked
  const endHearing = handle.senders.join(handle.thread, id, run.control)
  try {
    const result = await runAsked(handle, run, found)
    // What was thrown is for the runner, which reports it.
    const { error: _, ...told } = result
    endHearing(told)
    return result
  } finally {
    endHearing()
  }
}

/**
 * The turn that a log stands in. While it is read anew its branch may be unknown for a moment: then its newest question
 * tells.
 */
function turnIn(log: LiveLog): string | undefined {
  try {
    return log.position.turn[0]?.id
  } catch (error) {
    if (!isNotLoaded(error)) throw error
    return log.entries.findLast(({ kind }) => traits[kind].opensExchange)?.id
  }
}
