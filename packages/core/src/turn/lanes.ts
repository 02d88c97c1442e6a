import type { Turn } from './turn.ts'

/** What to do with a message that comes while a turn runs. */
export type IfBusy = 'reject' | 'queue' | 'interrupt'

/** One turn at a time for each thread, in this process. Knows running turns only: what is left of a dead process is in the log. */
export interface Lanes {
  /** The turn that runs on a thread. */
  running(thread: string): Turn | undefined
  /** Waits until the turn may run, and gives what ends it; undefined where it may not. */
  enter(thread: string, turn: Turn, ifBusy: IfBusy): Promise<(() => void) | undefined>
}

export function createLanes(): Lanes {
  const lanes = new Map<string, { readonly turn: Turn; begin(): void }[]>()
  return {
    running: (thread) => lanes.get(thread)?.[0]?.turn,
    enter: async (thread, turn, ifBusy) => {
      const lane = lanes.get(thread) ?? []
      const [current] = lane
      if (current && ifBusy === 'reject') return undefined
      if (ifBusy === 'interrupt') current?.turn.cancel()
      lanes.set(thread, lane)
      await new Promise<void>((begin) => {
        lane.push({ turn, begin })
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
