import { entryOf, type Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { newestChained } from '../log/history.ts'

/** What programs keep in a thread for themselves stands under keys that begin so. */
const reserved = 'minutebook:'

/**
 * The key of a thread's setup: what a program says of how its turns are to be run. A `pending` entry that waits for nothing (its
 * status is `cancelled`), so that it is on record and found by its key, and neither sent nor shown. The newest counts, and goes
 * along with a fork.
 *
 * @example
 * const [setup] = await store.read('garden', { key: setupKey, last: 1 })
 */
export const setupKey = 'minutebook:setup'

/** A setup as it stands behind the entries with which a fork begins. */
export function setupBehind(entries: readonly Entry[], { raw, origin, status, time }: Entry): Entry {
  return entryOf(raw, newestChained(entries), { kind: 'pending', key: setupKey, origin, status, ...(time !== undefined && { time }) })
}

/** Throws `reserved_id` for a sender's own id that stands for something else. */
export function checkId(id: string | undefined): void {
  if (id?.startsWith(reserved)) throw new MinutebookError('reserved_id', `Ids that begin with "${reserved}" are not for messages; use another one.`)
}
