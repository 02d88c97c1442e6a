import type { Clock } from '../log/clock.ts'
import type { TurnRun } from './turn-run.ts'
import type { StopReason } from './turn.ts'

/** A signal that aborts with `outer`, or when the time is up. */
export interface Limit {
  readonly signal: AbortSignal
  /** True if the time was up before `outer` aborted. */
  readonly isUp: boolean
  /** Stops the timer. Call it when the work is done. */
  release(): void
}

/** Creates a limit. Without `milliseconds` only `outer` counts. */
export function createLimit(outer: AbortSignal, clock: Clock, milliseconds: number | undefined): Limit {
  const controller = new AbortController()
  const timer = new AbortController()
  let isUp = false
  const abort = (): void => controller.abort(outer.reason)
  outer.addEventListener('abort', abort, { once: true })
  if (outer.aborted) abort()
  if (milliseconds !== undefined && milliseconds <= longest) {
    void clock.after(milliseconds, timer.signal).then(() => {
      if (timer.signal.aborted || controller.signal.aborted) return
      isUp = true
      controller.abort()
    })
  }
  return {
    signal: controller.signal,
    get isUp() {
      return isUp
    },
    release: () => {
      outer.removeEventListener('abort', abort)
      timer.abort()
    },
  }
}

/** The longest time of a JavaScript timer: 24 days. A longer limit is no limit. */
const longest = 2 ** 31 - 1

/**
 * Stops the turn when its `deadline` is over. The time counts from when its message, or its newest retry, was recorded,
 * also if another runner takes the turn over. Returns a function that removes the timer.
 */
export function keepDeadline({ log, control, config }: TurnRun): () => void {
  const { clock, deadline } = config
  if (deadline === undefined) return () => undefined
  const turn = log.position.turn
  const since = (turn.findLast(({ kind }) => kind === 'retry') ?? turn[0])?.time
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

function overdue(deadline: number): StopReason {
  return {
    status: 'failed',
    code: 'deadline',
    reason: `The turn had no answer after ${deadline} ms. Retry it, or raise "deadline".`,
  }
}
