import { MinutebookError } from '../log/error.ts'
import { newestTurn } from '../log/next.ts'
import { createTelling } from './feed.ts'
import type { Admission } from './thread-locks.ts'
import type { ThreadHandle, TurnConfig, TurnRun } from './turn-run.ts'
import type { Turn, TurnControl, TurnResult } from './turn.ts'

/**
 * Does something on a thread that no other turn may come between: in its lane, under a term of its own, on a log that
 * is up to date. Undefined where another turn runs.
 */
export async function alone<T>(
  handle: ThreadHandle,
  turn: Turn,
  entering: Admission,
  work: (term: number) => Promise<T>,
  config?: TurnConfig,
): Promise<T | undefined> {
  const { store, locks, log, thread } = handle
  const leave = await locks.enter(thread, turn, entering)
  if (!leave) return undefined
  try {
    const [standing] = await Promise.all([store.claim(thread), handle.refresh({ config })])
    // Where the log was read before the claim was made, others may have written in between.
    if (log.isBehind(standing)) await handle.refresh()
    return await work(standing.term)
  } finally {
    log.checkout()
    leave()
  }
}

/** Runs one turn's work when its time has come, and ends the turn whatever happens. */
export async function drive(
  handle: ThreadHandle,
  control: TurnControl,
  config: TurnConfig,
  entering: Admission,
  work: (running: TurnRun) => Promise<TurnResult>,
): Promise<void> {
  try {
    control.end(
      (await alone(handle, control.turn, entering, (term) => told(handle, control, term, config, work), config)) ??
        busy(entering.advice),
    )
  } catch (error) {
    control.end(failureOf(error))
  }
}

/** Runs a turn's work, and tells those who follow it what it shows. */
export async function told<T>(
  { thread, store, log, feed, refresh }: ThreadHandle,
  control: TurnControl,
  term: number,
  config: TurnConfig,
  work: (running: TurnRun) => Promise<T>,
): Promise<T> {
  const telling = createTelling(feed, { thread, term, turn: () => newestTurn(log.branch()), length: () => log.length })
  const stop = control.overhear((event) => {
    if (event.type === 'text') telling.say(event.text)
    if (event.type === 'receipt') telling.recorded()
  })
  try {
    return await work({ store, log, term, control, config, refresh })
  } finally {
    stop()
    telling.end()
  }
}

export function busy(advice = 'wait for it, or cancel it'): TurnResult {
  return {
    status: 'busy',
    text: '',
    turn: null,
    answer: null,
    reason: { code: 'busy', message: `A turn is running on this thread; ${advice}.` },
  }
}

/** How a turn ends that could not be recorded. */
export function failureOf(error: unknown): TurnResult {
  const known = MinutebookError.isInstance(error) ? { code: error.code, message: error.message } : undefined
  if (known?.code === 'fenced') return { status: 'fenced', text: '', turn: null, answer: null, reason: known }
  return { status: 'failed', text: '', turn: null, answer: null, reason: known ?? broken, error }
}

const broken = {
  code: 'broken',
  message:
    'The turn could not be recorded; see the error. What was recorded before is safe, and resume() goes on from there.',
}
