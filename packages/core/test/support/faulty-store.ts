import type { Store } from 'minutebook'
import { tick } from '../../../../tests/support/tick.ts'

/**
 * A store as one process has it: it can be slow, and it can die. What it wrote before remains with the store behind it.
 */
export interface FaultyStore extends Store {
  /** Dies at its so-many-eth write from now: before or after that took effect, with an error or without a word. */
  dieAt(write: number, how: Death): void
  readonly dead: boolean
}

export interface Death {
  readonly written: boolean
  readonly silent: boolean
}

/** `delays`: how many rounds of the event loop each operation takes, over and over. */
export function faultyStore(behind: Store, delays: readonly number[] = [0]): FaultyStore {
  let operations = 0
  let left = Infinity
  let death: Death = { written: false, silent: false }
  let dead = false

  const fail = (): Promise<never> =>
    death.silent ? new Promise<never>(() => undefined) : Promise.reject(new Error('the store is gone'))
  const slow = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let rounds = delays[operations++ % delays.length] ?? 0; rounds > 0; rounds--) await tick()
    return dead ? fail() : work()
  }
  const written = <T>(work: () => Promise<T>): Promise<T> =>
    slow(async () => {
      if (--left > 0) return work()
      dead = true
      if (death.written) await work()
      return fail()
    })
  return {
    get dead() {
      return dead
    },
    dieAt: (write, how) => {
      left = write
      death = how
    },
    append: (...given) => written(() => behind.append(...given)),
    claim: (...given) => written(() => behind.claim(...given)),
    erase: (...given) => written(() => behind.erase(...given)),
    remove: (...given) => written(() => behind.remove(...given)),
    prune: (...given) => written(() => behind.prune(...given)),
    standing: (...given) => slow(() => behind.standing(...given)),
    read: (...given) => slow(() => behind.read(...given)),
    list: (...given) => slow(() => behind.list(...given)),
    search: (...given) => slow(() => behind.search(...given)),
    figures: (...given) => slow(() => behind.figures(...given)),
    records: {
      put: (...given) => written(() => behind.records.put(...given)),
      remove: (...given) => written(() => behind.records.remove(...given)),
      find: (...given) => slow(() => behind.records.find(...given)),
    },
    segments: {
      change: (...given) => written(() => behind.segments.change(...given)),
      read: (...given) => slow(() => behind.segments.read(...given)),
      load: (...given) => slow(() => behind.segments.load(...given)),
      list: (...given) => slow(() => behind.segments.list(...given)),
    },
    snapshots: {
      save: (...given) => written(() => behind.snapshots.save(...given)),
      load: (...given) => slow(() => behind.snapshots.load(...given)),
    },
  }
}
