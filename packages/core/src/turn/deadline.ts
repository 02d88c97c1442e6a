import { newestTurn } from '../record/next.ts'
import { createLimit } from './limit.ts'
import type { Running } from './running.ts'
import type { Stopping } from './stopping.ts'

/**
 * Stops the turn when its time is up. That counts from when its message, or the wish for another answer, was recorded: so
 * also where another runner takes over. The answer gives the watch up.
 */
export function keepDeadline({ log, control, manner }: Running, again: boolean): () => void {
  const { clock, deadline } = manner
  if (!clock || deadline === undefined) return () => undefined
  const turn = newestTurn(log.branch())
  const since = again ? undefined : (turn.findLast(({ kind }) => kind === 'retry') ?? turn[0])?.time
  const gone = since === undefined ? 0 : Date.parse(clock.now()) - Date.parse(since)
  const left = deadline - (Number.isFinite(gone) ? gone : 0)
  if (left <= 0) {
    control.stop(overdue(deadline))
    return () => undefined
  }
  const limit = createLimit(control.signal, clock, left)
  limit.signal.addEventListener('abort', () => limit.isUp && control.stop(overdue(deadline)), { once: true })
  return () => limit.release()
}

function overdue(deadline: number): Stopping {
  return { status: 'failed', code: 'deadline', reason: `The turn came to no answer in ${deadline} ms. Retry it, or raise "deadline".` }
}
