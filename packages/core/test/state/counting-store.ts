import { memoryStore, type Entry, type Store } from 'minutebook'

export interface CountingStore {
  readonly store: Store
  /** Since the last `reset`. */
  readonly counted: { read: number; loads: number; saves: number }
  readonly reset: () => void
}

/** A store that counts the entries that are read from it. */
export function countingStore(store: Store = memoryStore()): CountingStore {
  const counted = { read: 0, loads: 0, saves: 0 }
  return {
    counted,
    reset: () => void Object.assign(counted, { read: 0, loads: 0, saves: 0 }),
    store: {
      ...store,
      read: async (thread, range) => {
        const entries = await store.read(thread, range)
        counted.read += entries.length
        return entries
      },
      snapshots: {
        load: async (...given) => (counted.loads++, store.snapshots.load(...given)),
        save: async (...given) => (counted.saves++, store.snapshots.save(...given)),
      },
    },
  }
}

/** Appends, and throws where the store would not have it. */
export async function mustAppend(store: Store, thread: string, entries: readonly Entry[]): Promise<void> {
  const appended = await store.append(thread, entries)
  if (!appended.ok) throw new Error(`The store refused the entries: ${appended.reason}.`)
}
