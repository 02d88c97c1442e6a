// What remains if entries are erased or a thread is removed?

/** What is removed, or kept, together with an erasure. */
export interface EraseOptions {
  /** Names of records that stay when the whole thread is erased. Default: none. */
  readonly keep?: readonly string[] | undefined
  /** Records to remove together with the entries whose ids are given, besides those that repeat what these say. */
  readonly records?: readonly { readonly name: string; readonly key: string }[] | undefined
}

/** What an erasure did, and where bytes may remain. */
export interface Erasure {
  readonly thread: string
  /** The entries that this erasure turned into tombstones. */
  readonly erased: readonly string[]
  /** How many snapshots were removed. */
  readonly snapshots: number
  /** How many records were removed. */
  readonly records: number
  /** How many separately stored images were removed: those that no other entry of the thread has. */
  readonly images: number
  /** What remains, in words: hashes, and bytes in copies of the thread and of the store, and how to remove these. */
  readonly remains: readonly string[]
}

/** What a removal did, and where bytes may remain. */
export interface Removal extends Omit<Erasure, 'erased'> {
  /** How many entries were removed. */
  readonly entries: number
}

/** What a removal of several threads did, and where bytes may remain. */
export interface PruneResult extends Omit<Removal, 'thread'> {
  readonly threads: readonly string[]
}

const forksRemain = 'Forks and restored copies of this thread in this store keep what they hold: erase there too.'

/** What an erasure leaves, whichever store it is. The hashes remain because the chain is made of them. */
export const erasureRemains: readonly string[] = [
  forksRemain,
  'The ids of erased entries stay, so that the log can still be verified, and so do hashes of prompts that held them. They are SHA-256 without a secret: anyone who reads the store and guesses the exact text can confirm it, as long as the thread is kept.',
]

/** What a removed thread leaves, whichever store it is. The runner of an old turn is told apart by its name. */
export const removalRemains: readonly string[] = [
  forksRemain,
  'The name of the thread stays, with two numbers and no entries, so that an old turn cannot write to a new thread of this name.',
]
