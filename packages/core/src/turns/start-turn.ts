import { MinutebookError } from '../log/error.ts'
import { publishText } from './feed.ts'
import type { Admission } from './thread-locks.ts'
import type { ThreadHandle, TurnConfig, TurnRun } from './turn-run.ts'
import type { TurnControl, TurnResult } from './turn.ts'

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
  const { thread, store, locks, log, feed, refresh } = handle
  const leave = await locks.enter(thread, control.turn, admission)
  if (!leave) return undefined
  let stopPublishing = (): void => undefined
  try {
    // The claim tells whether a log that was read before has grown since.
    const [standing] = await Promise.all([store.claim(thread), log.isRead ? undefined : refresh({ config })])
    if (log.isBehind(standing)) await refresh()
    const { term } = standing
    stopPublishing = publishText(feed, control, {
      thread,
      term,
      turn: () => log.position.turn,
      length: () => log.length,
    })
    return await work({ store, log, term, control, config, refresh })
  } finally {
    stopPublishing()
    log.checkout()
    leave()
  }
}

/** The result of a turn that was rejected because another one runs. */
export function busy(advice = 'wait for it, or cancel it'): TurnResult {
  return {
    status: 'busy',
    text: '',
    turn: null,
    answer: null,
    reason: { code: 'busy', message: `A turn is running on this thread; ${advice}.` },
  }
}

/** The result of a turn that threw: another runner took over, or the turn could not be recorded. */
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
