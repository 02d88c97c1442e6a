import type { Holding } from './holding.ts'
import type { Entering } from './lanes.ts'
import type { Turn } from './turn.ts'

/** Does something on a thread that no other turn may come between: in its lane, under a term of its own, on a log that is up to date. Undefined where another turn runs. */
export async function alone<T>(holding: Holding, turn: Turn, entering: Entering, work: (term: number) => Promise<T>): Promise<T | undefined> {
  const { store, lanes, log, thread } = holding
  const leave = await lanes.enter(thread, turn, entering)
  if (!leave) return undefined
  try {
    const { term } = await store.claim(thread)
    await holding.refresh()
    return await work(term)
  } finally {
    log.checkout()
    leave()
  }
}
