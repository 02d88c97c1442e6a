/** What to do with a message that comes while a turn runs. */
export type IfBusy = 'reject' | 'queue' | 'interrupt'

/** How a turn comes to a thread. */
export interface Entering {
  readonly ifBusy: IfBusy
  /** The sender's own id for the message. */
  readonly key?: string | undefined
  /** What the sender can do where the thread is busy. */
  readonly advice?: string
}

/** One turn at a time for each thread, in this process. Knows running turns only: what is left of a dead process is in the log. */
export interface Lanes<T extends Cancellable = Cancellable> {
  /** The turn that runs on a thread. */
  running(thread: string): T | undefined
  /** Whether a turn runs or waits that is for the message of this key. */
  holds(thread: string, key: string): boolean
  /** Waits until the turn may run, and gives what ends it; undefined where it may not. */
  enter(thread: string, turn: T, entering: Entering): Promise<(() => void) | undefined>
}

export interface Cancellable {
  cancel(): void
}

export function createLanes<T extends Cancellable = Cancellable>(): Lanes<T> {
  const lanes = new Map<string, { readonly turn: T; readonly key: string | undefined; begin(): void }[]>()
  return {
    running: (thread) => lanes.get(thread)?.[0]?.turn,
    holds: (thread, key) => lanes.get(thread)?.some((entered) => entered.key === key) ?? false,
    enter: async (thread, turn, { ifBusy, key }) => {
      const lane = lanes.get(thread) ?? []
      const [current] = lane
      if (current && ifBusy === 'reject') return undefined
      if (ifBusy === 'interrupt') current?.turn.cancel()
      lanes.set(thread, lane)
      await new Promise<void>((begin) => {
        lane.push({ turn, key, begin })
        if (!current) begin()
      })
      return () => {
        lane.shift()
        if (lane.length === 0) lanes.delete(thread)
        lane[0]?.begin()
      }
    },
  }
}
