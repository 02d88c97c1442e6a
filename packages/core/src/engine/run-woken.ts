import { isNotLoaded } from '../log/branch.ts'
import type { Clock } from '../log/clock.ts'
import { MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import type { createMutex, LiveLog } from '../log/log.ts'
import { newestTurn, next } from '../log/next.ts'
import { isTransient } from '../log/store.ts'
import { proceed } from '../turns/resume.ts'
import { alone, failureOf, told } from '../turns/start-turn.ts'
import type { ThreadHandle } from '../turns/turn-run.ts'
import { createTurn, type TurnResult } from '../turns/turn.ts'
import type { Engine } from './engine.ts'

/**
 * Does one turn of a thread that was woken, under a term of its own, and wakes it again where there is more to do.
 * Throws what may pass, so that it is tried again; any other error goes to `report`, and the thread waits to be woken.
 * Gives how the turn ended; undefined where there was none to run.
 */
export async function runWoken(
  hosted: Hosted,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<TurnResult | undefined> {
  const { log, thread, wake } = hosted
  const control = createTurn()
  // Meant for a turn that is over, it must not end the one that came after it.
  const heed = (): void => {
    if (signal.aborted && signal.reason === turnIn(log)) control.turn.cancel()
  }
  signal.addEventListener('abort', heed, { once: true })
  try {
    const config = hosted.config()
    const result = await alone(
      hosted,
      control.turn,
      { ifBusy: 'queue' },
      (term) => {
        heed()
        return told(hosted, control, term, config, (running) => proceed(hosted, running, true))
      },
      config,
    )
    // The log says that the model failed, not with what: that may hold keys.
    if (result?.status === 'failed' && result.error !== undefined) report(result.error)
    if (next(log.branch(), log.entries).do !== 'rest') await wake(thread, [])
    return result
  } catch (error) {
    if (isTransient(error)) throw error
    const code = MinutebookError.isInstance(error) ? error.code : undefined
    // Whoever was faster may not do what we were woken for; whoever sent what cannot be said is told.
    if (code === 'fenced' || code === 'erased_before') await wake(thread, [])
    else report(error)
    return failureOf(error)
  } finally {
    signal.removeEventListener('abort', heed)
  }
}

/**
 * The turn that a log stands in. While it is read anew its branch may be unknown for a moment: then its newest question
 * tells.
 */
function turnIn(log: LiveLog): string | undefined {
  try {
    return newestTurn(log.branch())[0]?.id
  } catch (error) {
    if (!isNotLoaded(error)) throw error
    return log.entries.findLast(({ kind }) => traits[kind].opensExchange)?.id
  }
}

/** A thread whose turns are run by whoever an engine wakes. */
export interface Hosted extends ThreadHandle {
  readonly engine: Engine
  /** The engine's, for whoever passes it on. */
  readonly wake: Engine['wake']
  readonly clock: Clock
  readonly journal: boolean
  /** Finding out how the thread stands and writing by it: one at a time, for this holder. */
  readonly inTurn: ReturnType<typeof createMutex>
}
