import {
  localQueue,
  localFeed,
  memoryStore,
  openBook,
  type Book,
  type TurnQueue,
  type Feed,
  type Store,
  type ThreadOptions,
} from 'minutebook'
import type { Clock } from 'minutebook/clock'
import { faultyStore } from './faulty-store.ts'
import { tickClock } from './tick-clock.ts'

/** Several instances over one store, with one queue and one feed between them. */
export interface Company {
  readonly store: Store
  readonly queue: TurnQueue
  readonly feed: Feed
  readonly clock: Clock
  /** Starts another instance; it works unless told. */
  readonly join: (
    options: ThreadOptions,
    how?: { readonly works?: boolean; readonly delays?: readonly number[] },
  ) => Instance
}

export interface Instance {
  readonly book: Book
  /** What kept turns from being run. */
  readonly errors: unknown[]
  /** It is gone without a word, and its runs go to others. A zombie goes on, and does not know. */
  die(how?: { readonly zombie?: boolean }): void
  stop(): Promise<void>
}

export function company({
  store = memoryStore(),
  feed = localFeed(),
  clock = tickClock(),
}: { readonly store?: Store; readonly feed?: Feed; readonly clock?: Clock } = {}): Company {
  const queue = localQueue(store, { clock })
  return {
    store,
    queue,
    feed,
    clock,
    join: (options, { works = true, delays } = {}) => {
      const own = faultyStore(store, delays)
      const mortal = mortalQueue(queue, own)
      const book = openBook({ store: own, queue: mortal.queue, feed, clock, window: 4096, ...options })
      const errors: unknown[] = []
      const working = works ? book.work({ onError: (_, error) => errors.push(error) }) : undefined
      return {
        book,
        errors,
        die: ({ zombie = false } = {}) => {
          if (!zombie) own.dieAt(1, { written: false, silent: true })
          if (!zombie) void own.claim('nobody')
          void working?.then(mortal.die)
          mortal.die()
        },
        stop: async () => (await working)?.(),
      }
    },
  }
}

/** The queue as one instance has it: what that instance runs is run by another where it dies. */
function mortalQueue(behind: TurnQueue, store: Store): { readonly queue: TurnQueue; readonly die: () => void } {
  let die = (): void => undefined
  const death = new Promise<never>((_, reject) => (die = () => reject(new Error('died'))))
  death.catch(() => undefined)
  const leaving: (() => Promise<void>)[] = []
  return {
    queue: {
      wake: async (thread, entries, terms) => {
        // Through its own store first: a dead instance wakes nobody.
        await store.standing(thread)
        return behind.wake(thread, entries, terms)
      },
      onWake: async (run) => {
        const leave = await behind.onWake((thread, signal) => Promise.race([run(thread, signal), death]))
        leaving.push(leave)
        return leave
      },
      wakeAt: async (thread, time) => {
        await store.standing(thread)
        return behind.wakeAt(thread, time)
      },
      cancel: (thread, turn) => behind.cancel(thread, turn),
    },
    die: () => {
      for (const leave of leaving.splice(0)) void leave()
      die()
    },
  }
}
