import type { Clock } from '../log/time.ts'
import { MinutebookError } from '../log/error.ts'
import type { Kind } from '../log/kind.ts'
import type { LiveLog } from '../past/live-log.ts'
import type { AppendResult, Standing, Store, StoredEntry } from '../log/store.ts'
import type { StopReason, TurnControl } from './turn.ts'

/**
 * May a runner still act for its thread? The store refuses what a runner with an old term writes. A model or a tool
 * cannot refuse, so the runner asks the store before it calls one.
 */
export interface Fence {
  /** Reads what others have written. Throws `fenced` if the thread is no longer this runner's. */
  refresh(): Promise<void>
  /**
   * To be awaited right before the model or a tool is called. Throws `fenced` if the thread is no longer this runner's.
   * Reads the store only if the last reading began more than a second ago, such as before the process was frozen.
   */
  confirm(): Promise<void>
}

export interface FenceOptions {
  readonly store: Pick<Store, 'standing'>
  readonly log: Pick<LiveLog, 'thread' | 'length' | 'since'>
  /** The runner's fencing token. */
  readonly term: number
  readonly control: Pick<TurnControl, 'stopping'>
  readonly clock: Pick<Clock, 'now'>
  /** Reads the log. */
  readonly refresh: () => Promise<Standing>
  /** The time of the clock when the term was claimed, or earlier. */
  readonly claimed: string
}

/**
 * Milliseconds for which a reading of the term counts. A queue hands a thread to another runner only after seconds
 * without a sign of life from the first one.
 */
const freshFor = 1000

/** Tries at most: on a slow store, every reading may be old when it arrives. */
const mostReadings = 3

export function createFence({ store, log, term, control, clock, refresh, claimed }: FenceOptions): Fence {
  // A reading counts from its beginning: its answer may have arrived while the process was frozen.
  let readAt = claimed
  let reading: Promise<void> | undefined
  // A clock that was set back makes the reading stale, too.
  const isStale = (): boolean => Math.abs(Date.parse(clock.now()) - Date.parse(readAt)) >= freshFor
  const read = async (reads: () => Promise<Standing>, check: () => void = () => undefined): Promise<void> => {
    const began = clock.now()
    const standing = await reads()
    check()
    if (standing.term !== term) throw fencedError('fenced')
    readAt = began
  }
  const readAgain = async (): Promise<void> => {
    for (let count = 0; count < mostReadings && isStale(); count++) await read(() => store.standing(log.thread))
  }
  return {
    refresh: async () => {
      const { length } = log
      await read(refresh, () => checkWritten(log, length))
    },
    confirm: async () => {
      // Calls that begin together share a reading.
      if (isStale()) await (reading ??= readAgain().finally(() => (reading = undefined)))
      throwIfLost(control)
    },
  }
}

/**
 * Throws `fenced` if more than waiting messages, revocations, pins, feedback and decisions was written since the log had
 * this length, because another runner writes the rest, or if the thread was removed.
 */
function checkWritten(log: FenceOptions['log'], length: number): void {
  if (log.length < length) throw fencedError('removed')
  if (log.since(length).some(({ kind }) => !ofOthers.has(kind))) throw fencedError('overtaken')
}

/** What others than the runner may write while a turn runs. */
const ofOthers: ReadonlySet<Kind> = new Set(['pending', 'revocation', 'pin', 'feedback', 'decision'])

/** Why a run stops whose queue no longer holds the thread for it. Such a run records nothing, also no stop entry. */
export const lostThread: StopReason = {
  status: 'cancelled',
  code: 'fenced',
  reason: 'The queue no longer holds this thread for this run.',
}

/** Throws `fenced` if the queue has said that another runner may have the thread. */
export function throwIfLost({ stopping }: Pick<TurnControl, 'stopping'>): void {
  if (stopping === lostThread) throw fencedError('lost')
}

/**
 * Returns the appended entries. Throws `fenced` if the append was refused: then this runner must write nothing more,
 * not even a stop entry.
 */
export async function appendOrThrowFenced(appending: Promise<AppendResult>): Promise<readonly StoredEntry[]> {
  const appended = await appending
  if (appended.ok) return appended.entries
  throw fencedError(appended.reason)
}

/** The error of a runner whose thread another one has taken over. */
export function fencedError(reason: string): MinutebookError {
  return new MinutebookError(
    'fenced',
    'Another runner has taken over this thread, or the thread was removed.',
    'Read the thread to see how it goes on.',
    {
      reason,
    },
  )
}
