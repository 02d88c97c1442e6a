import { localQueue, localFeed, openBook, type Store } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import type { Services } from '../../src/services.ts'

/** Fails one write: before it took effect, or after it did, when nobody hears of it. */
export interface Fault {
  /** Which of the writes from now on, from 1. */
  readonly at: number
  readonly how: 'lost' | 'unheard'
}

/** What a store with faults is told, and tells. */
export interface FaultyStores {
  /** From now on. Returns whether it came to pass, once everything is over. */
  arm(fault: Fault): () => boolean
  disarm(): void
}

/**
 * Puts faults between a server and its store: of all that writes, one fails. To be called before the server begins to
 * work.
 */
export function withFaults({ stores }: Services): FaultyStores {
  const { store } = stores.of('default')
  let fault: Fault | undefined
  let writes = 0
  let hasFailed = false
  const write = async <T>(work: () => Promise<T>): Promise<T> => {
    writes++
    if (fault?.at !== writes) return work()
    hasFailed = true
    if (fault.how === 'unheard') await work()
    throw new Error('the store is gone')
  }
  const faulty: Store = {
    ...store,
    append: (...given) => write(() => store.append(...given)),
    claim: (...given) => write(() => store.claim(...given)),
    erase: (...given) => write(() => store.erase(...given)),
    remove: (...given) => write(() => store.remove(...given)),
    records: {
      find: (query) => store.records.find(query),
      put: (...given) => write(() => store.records.put(...given)),
      remove: (...given) => write(() => store.records.remove(...given)),
    },
  }
  const [queue, feed] = [localQueue(faulty), localFeed()]
  const book = openBook({ store: faulty, queue, feed, clock: systemClock })
  const opened = { store: faulty, queue, feed, book, relays: book }
  Object.assign(stores, { of: () => opened })
  return {
    arm: (next) => {
      fault = next
      writes = 0
      hasFailed = false
      return () => hasFailed
    },
    disarm: () => (fault = undefined),
  }
}
