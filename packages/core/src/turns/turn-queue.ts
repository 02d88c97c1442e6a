import type { NewEntry } from '../log/entry.ts'
import type { AppendResult, AppendTerms } from '../log/store.ts'

/**
 * Hands threads that need work to instances that can do it. A queue runs one turn at a time for each thread over all
 * instances, and hands the thread to another instance if one dies. It only says that there is work: what was done, and
 * what is left to do, is in the log.
 */
export interface TurnQueue {
  /**
   * Appends entries and marks the thread as needing work, in one transaction. Without entries it only marks the thread.
   */
  wake(thread: string, entries: readonly NewEntry[], terms?: AppendTerms): Promise<AppendResult>
  /**
   * Marks the thread as needing work at that time (milliseconds since 1970), or soon after it. Also if all instances are
   * started again before that. The returned function takes it back.
   */
  wakeAt(thread: string, time: number): Promise<() => Promise<void>>
  /**
   * Lets this instance run woken threads. `run` does some work, and wakes the thread again if there is more. If it
   * rejects, the thread is tried again. Returns a function that starts no further runs and waits for those that are
   * running.
   *
   * The signal aborts with the id of a turn to cancel that turn. It aborts with an error if the queue no longer holds the
   * thread for this run, or cannot renew that it does: then the run stops and records nothing more.
   */
  onWake(run: (thread: string, signal: AbortSignal) => Promise<void>): Promise<() => Promise<void>>
  /**
   * Asks the runner of this turn (the id of its user entry) to stop: aborts the signal of the thread's run, with the
   * turn as reason. This is only a hint: it may come too late, or reach no runner.
   */
  cancel(thread: string, turn: string): Promise<void>
}

/** What to do with a message that comes while a turn runs. See `SendOptions.ifBusy`. */
export type BusyPolicy = 'reject' | 'queue' | 'interrupt'

/** How a turn enters a thread. */
export interface Admission {
  readonly ifBusy: BusyPolicy
  /** The sender's own id for the message. */
  readonly key?: string | undefined
  /** What the sender's developer can do if the thread is busy. */
  readonly advice?: string
}

/**
 * Runs one turn at a time for each thread, within this process. It knows only running and waiting turns: what a dead
 * process left is in the log.
 */
export interface ThreadLocks<T extends CancelHandle = CancelHandle> {
  /** Returns the turn that runs on a thread. */
  running(thread: string): T | undefined
  /** Returns the turn for the message with this key, if it runs or waits. */
  find(thread: string, key: string): T | undefined
  /**
   * Waits until the turn may run. Returns a function to call when it has ended, or undefined if the thread is busy and
   * the turn is rejected.
   */
  enter(thread: string, turn: T, entering: Admission): Promise<(() => void) | undefined>
  /** Cancels the running turn and waits until it has ended. Returns false if none runs. */
  cancel(thread: string): Promise<boolean>
}

export interface CancelHandle {
  cancel(): void
}

export function createThreadLocks<T extends CancelHandle = CancelHandle>(): ThreadLocks<T> {
  const locks = new Map<string, QueuedTurn<T>[]>()
  return {
    running: (thread) => locks.get(thread)?.[0]?.turn,
    find: (thread, key) => locks.get(thread)?.find((entered) => entered.key === key)?.turn,
    enter: async (thread, turn, { ifBusy, key }) => {
      const lane = locks.get(thread) ?? []
      const [current] = lane
      if (current && ifBusy === 'reject') return undefined
      if (ifBusy === 'interrupt') current?.turn.cancel()
      locks.set(thread, lane)
      await new Promise<void>((begin) => {
        lane.push({ turn, key, begin, ends: [] })
        if (!current) begin()
      })
      return () => {
        for (const end of lane.shift()?.ends ?? []) end()
        if (lane.length === 0) locks.delete(thread)
        lane[0]?.begin()
      }
    },
    cancel: async (thread) => {
      const current = locks.get(thread)?.[0]
      if (!current) return false
      const ended = new Promise<void>((end) => current.ends.push(end))
      current.turn.cancel()
      await ended
      return true
    },
  }
}

interface QueuedTurn<T> {
  readonly turn: T
  readonly key: string | undefined
  begin(): void
  /** Called when the turn has ended. */
  readonly ends: (() => void)[]
}
