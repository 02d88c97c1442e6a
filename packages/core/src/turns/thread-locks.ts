/** What to do with a message that comes while a turn runs. See `SendOptions.ifBusy`. */
export type BusyPolicy = 'reject' | 'queue' | 'interrupt'

/** How a turn enters a thread. */
export interface Admission {
  readonly ifBusy: BusyPolicy
  /** The sender's own id for the message. */
  readonly key?: string | undefined
  /** What the sender can do if the thread is busy. It is part of the error message. */
  readonly advice?: string
}

/**
 * Runs one turn at a time for each thread, within this process. It knows only running and waiting turns: what a dead
 * process left is in the log.
 */
export interface ThreadLocks<T extends CancelHandle = CancelHandle> {
  /** Returns the turn that runs on a thread. */
  running(thread: string): T | undefined
  /** True if a turn for the message with this key runs or waits. */
  holds(thread: string, key: string): boolean
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
    holds: (thread, key) => locks.get(thread)?.some((entered) => entered.key === key) ?? false,
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
