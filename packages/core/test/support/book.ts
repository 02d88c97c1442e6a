import { memoryStore, openBook, type Book, type Entry, type Store, type ThreadOptions } from 'minutebook'

/** A book with room for every prompt of a small test. */
export function book(options: ThreadOptions, store: Store = memoryStore()): Book {
  return openBook({ store, window: 4096, ...options })
}

/** What kinds of entries there are, in order, with the status of those that are not complete; settings are left out. */
export function shape(entries: readonly Entry[]): string[] {
  return entries
    .map(({ kind, status }) => (status === 'complete' ? kind : `${kind} ${status}`))
    .filter((kind) => kind !== 'settings')
}
