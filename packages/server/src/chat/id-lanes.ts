import type { Caller } from '../caller.ts'

/** Runs requests of one caller under one id one after the other: the second finds what came of the first. */
export type IdLanes = (caller: Caller, id: string | undefined, run: () => Promise<void>) => Promise<void>

export function createIdLanes(): IdLanes {
  const lanes = new Map<string, Promise<void>>()
  return (caller, id, run) => {
    if (id === undefined) return run()
    const lane = JSON.stringify([caller.tenant, caller.name, id])
    const running = (lanes.get(lane) ?? Promise.resolve()).then(run)
    const over = running.catch(() => undefined)
    lanes.set(lane, over)
    void over.then(() => {
      if (lanes.get(lane) === over) lanes.delete(lane)
    })
    return running
  }
}
