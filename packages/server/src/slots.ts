/** Lets so many things run at once; others wait, the first that came first. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = []
  let free = count
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((begin) => void waiting.push(begin))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
