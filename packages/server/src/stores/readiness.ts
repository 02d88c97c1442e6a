import { MinutebookError, type Store, type TurnQueue } from 'minutebook'
import { randomBytes } from 'node:crypto'

/** Whether a server may be sent requests, as it is told at `/readyz`. */
export type Readiness =
  | {
      readonly ready: true
      /** Said if the store is slow: how long its newest answer took, or how long that is waited for. */
      readonly store?: string
    }
  | {
      readonly ready: false
      readonly why: string
      /** Of the store's failure. */
      readonly code?: string
    }

export interface ReadinessOptions {
  /** Asks the store something small. It ends by itself: its connections have limits. */
  readonly check: () => Promise<unknown>
  /** When turns were last looked for, in milliseconds since then. Undefined: this server looks for none. */
  readonly lookedFor: () => number | undefined
  /** Milliseconds after which turns that are not looked for are not taken up any more. */
  readonly longestQuiet: number
}

/** Milliseconds after which a store is slow, and after which `/readyz` answers without waiting for the store. */
const slow = 1000
const patience = 2000

/**
 * Tells a slow store from one that is gone. Calls at the same time make one check of the store. While it has no
 * result, the previous one counts: a store that answered is slow, and one that failed is still away.
 */
export function createReadiness({ check, lookedFor, longestQuiet }: ReadinessOptions): () => Promise<Readiness> {
  let running: { readonly began: number; readonly over: Promise<void> } | undefined
  let last: { readonly took: number } | { readonly error: unknown } = { took: 0 }

  const measure = async (began: number): Promise<void> => {
    last = await check().then(
      () => ({ took: performance.now() - began }),
      (error: unknown) => (isBusy(error) ? { took: performance.now() - began } : { error }),
    )
    running = undefined
  }
  return async () => {
    const began = performance.now()
    running ??= { began, over: measure(began) }
    const asked = running
    await Promise.race([asked.over, new Promise((resolve) => void setTimeout(resolve, patience).unref())])
    if ('error' in last) return { ready: false, ...reasonOf(last.error) }
    if ((lookedFor() ?? 0) > longestQuiet) return { ready: false, why: 'turns are not taken up' }
    const took = running === asked ? performance.now() - asked.began : last.took
    return took < slow ? { ready: true } : { ready: true, store: `slow (${Math.round(took)} ms)` }
  }
}

/** Other requests use all connections, and Postgres answers them. */
function isBusy(error: unknown): boolean {
  return MinutebookError.isInstance(error) && error.code === 'store_pool_busy'
}

function reasonOf(error: unknown): { readonly why: string; readonly code?: string } {
  const code = MinutebookError.isInstance(error) ? error.code : undefined
  const why = code === 'store_full' ? 'the disk of the store is full' : 'the store cannot be reached'
  return { why, ...(code !== undefined && { code }) }
}

/** Whether there is room for what is written. Reading says nothing of that. */
export interface Room {
  /** The same store and queue; what is written there is noticed. */
  watched<Store extends WritableStore, Queue extends WritableQueue | undefined>(opened: {
    readonly store: Store
    readonly queue: Queue
  }): { readonly store: Store; readonly queue: Queue }
  /** If the last write failed for lack of room, writes something and removes it again. Rejects if that fails, too. */
  check(): Promise<void>
}

type WritableStore = Pick<Store, 'append' | 'records'>
type WritableQueue = Pick<TurnQueue, 'wake'>

/** Characters that are written to see whether there is room: more than fit where something was removed. */
const probe = 65_536

export function createRoom(recordsOf: () => Store['records']): Room {
  let isFull = false
  const noticed =
    <Given extends readonly unknown[], T>(write: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      try {
        const answer = await write(...given)
        isFull = false
        return answer
      } catch (error) {
        if (MinutebookError.isInstance(error) && error.code === 'store_full') isFull = true
        throw error
      }
    }
  return {
    watched: ({ store, queue }) => ({
      store: {
        ...store,
        append: noticed(store.append),
        records: { ...store.records, put: noticed((thread, records) => store.records.put(thread, records)) },
      },
      queue: queue && { ...queue, wake: noticed(queue.wake) },
    }),
    check: async () => {
      if (!isFull) return
      const records = recordsOf()
      await records.put(null, [{ name: recordName, key: 'room', value: randomBytes(probe / 2).toString('hex') }])
      await records.remove(null, recordName, 'room')
    },
  }
}

const recordName = 'room'
