import type { Caller } from '../caller.ts'

/**
 * Runs requests of one caller under one name one after the other: the second finds what came of the first. Without a
 * name they run at once.
 */
export type IdLanes = (caller: Caller, lane: Lane, run: () => Promise<void>) => Promise<void>

/**
 * Requests under one id, or on one conversation. A request may be in one lane of each kind: they never are the same
 * lane.
 */
export interface Lane {
  readonly kind: 'id' | 'conversation'
  readonly name: string | undefined
}

export function createIdLanes(): IdLanes {
  const lanes = new Map<string, Promise<void>>()
  return (caller, { kind, name }, run) => {
    if (name === undefined) return run()
    const lane = JSON.stringify([caller.tenant, caller.name, kind, name])
    const running = (lanes.get(lane) ?? Promise.resolve()).then(run)
    const over = running.catch(() => undefined)
    lanes.set(lane, over)
    void over.then(() => {
      if (lanes.get(lane) === over) lanes.delete(lane)
    })
    return running
  }
}
