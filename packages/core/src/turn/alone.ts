import type { Holding } from './holding.ts'
import type { Entering } from './lanes.ts'
import type { Manner } from './running.ts'
import type { Turn } from './turn.ts'

/** Does something on a thread that no other turn may come between: in its lane, under a term of its own, on a log that is up to date. Undefined where another turn runs. */
export async function alone<T>(holding: Holding, turn: Turn, entering: Entering, work: (term: number) => Promise<T>, manner?: Manner): Promise<T | undefined> {
  const { store, lanes, log, thread } = holding
  const leave = await lanes.enter(thread, turn, entering)
  if (!leave) return undefined
  try {
    const [standing] = await Promise.all([store.claim(thread), holding.refresh({ manner })])
    // Where the log was read before the claim was made, others may have written in between.
    if (log.isBehind(standing)) await holding.refresh()
    return await work(standing.term)
  } finally {
    log.checkout()
    leave()
  }
}
