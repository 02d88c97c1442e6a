import { sqliteStore } from '@minutebook/sqlite'
import { memoryStore, type Store } from 'minutebook'

/** Each with its name. What a store has to be closed for is gone with the process. */
export const stores: readonly (readonly [name: string, open: () => Store])[] = [
  ['in memory', memoryStore],
  ['in SQLite', () => sqliteStore(':memory:')],
]
