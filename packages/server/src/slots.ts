/**
 * Lets so many things run at once; others wait. `owner`: whose it is; owners that wait are served in turn, each in the
 * order in which it came.
 */
export type Slots = <T>(owner: string, work: () => Promise<T>) => Promise<T>

export function createSlots(count: number): Slots {
  /** By owner, the one that is served next first. */
  const waiting = new Map<string, (() => void)[]>()
  let free = count
  const next = (): (() => void) | undefined => {
    const [first] = waiting
    if (!first) return undefined
    const [owner, queue] = first
    const begin = queue.shift()
    waiting.delete(owner)
    // Behind all others that wait.
    if (queue.length > 0) waiting.set(owner, queue)
    return begin
  }
  const enter = (owner: string): Promise<void> =>
    new Promise((begin) => {
      const queue = waiting.get(owner)
      if (queue) queue.push(begin)
      else waiting.set(owner, [begin])
    })
  return async (owner, work) => {
    if (free > 0) free--
    else await enter(owner)
    try {
      return await work()
    } finally {
      const begin = next()
      if (begin) begin()
      else free++
    }
  }
}
