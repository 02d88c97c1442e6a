import type { Store } from '../../log/store.ts'

/** What a case needs: a store that nobody has written to. */
export interface StoreContext {
  readonly store: Store
  /** Closes the store and opens what it kept: for stores that outlive their process. The topic `reopen` needs it. */
  readonly reopen?: () => Promise<Store>
  /** Has every write of entries, of records or of images fail from now on, until the answer is called: for stores that write them one after the other. */
  readonly failing?: (part: StorePart) => Promise<() => Promise<void>>
  /** Returns how many images the store keeps by themselves, over all threads. */
  readonly images?: () => Promise<number>
}

/** What a store may write one after the other. */
export type StorePart = 'entries' | 'records' | 'images'

/** One thing that a store must do. `run` throws where it does not. */
export interface StoreCase {
  readonly name: string
  readonly topic: string
  readonly run: (context: StoreContext) => Promise<void>
}

/** Cases by what they show. */
export function casesOf(topic: string, runs: Readonly<Record<string, StoreCase['run']>>): StoreCase[] {
  return Object.entries(runs).map(([sentence, run]) => ({ name: `${topic}: ${sentence}`, topic, run }))
}

/** One case for each row of a table. */
export function eachOf<T>(topic: string, rows: readonly T[], nameOf: (row: T) => string, run: (row: T, context: StoreContext) => Promise<void>): StoreCase[] {
  return rows.map((row) => ({ name: `${topic}: ${nameOf(row)}`, topic, run: (context) => run(row, context) }))
}
