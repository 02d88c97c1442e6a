import { turnEndKinds } from './branch.ts'
import type { NewEntry } from './entry.ts'
import { MinutebookError } from './error.ts'
import { traits } from './kind.ts'
import type { NewRecord } from './records.ts'
import type { Store, StoredEntry } from './store.ts'

/** What a thread begins with. */
export interface Beginning {
  readonly entries: readonly NewEntry[]
  readonly records?: readonly NewRecord[]
}

/**
 * Writes the beginning of a thread that is not there yet. Throws `thread_exists` where it is, or holds more than this.
 */
export async function createThread(
  store: Store,
  thread: string,
  { entries, records = [] }: Beginning,
  advice: string,
): Promise<void> {
  const { length } = await store.standing(thread)
  if (length > 0 && !(await isBegunSo(store, thread, entries))) throw threadExists(advice)
  // Records of a thread without entries are a beginning, too.
  const appended = await store.append(thread, entries, {
    head: null,
    records: length > 0 ? records : records.map((record) => ({ ...record, expected: 0 })),
  })
  if (!appended.ok || appended.standing.length !== entries.length) throw threadExists(advice)
}

/** Whether this very beginning stands there: it may have been written before, and not acknowledged. */
async function isBegunSo(store: Store, thread: string, entries: readonly NewEntry[]): Promise<boolean> {
  const log = await store.read(thread)
  return log.length === entries.length && log.every(({ id }, index) => id === entries[index]?.id)
}

export function threadExists(advice: string): MinutebookError {
  return new MinutebookError('thread_exists', `There is a thread of this name already; ${advice}.`)
}

/**
 * The entries with which a fork of this branch begins, in the order in which they were written. What waits stays
 * behind, and so do the receipts and stops of turns that went another way: a fork stands where its branch ends.
 */
export function forked(branch: readonly StoredEntry[]): StoredEntry[] {
  let after = Infinity
  const kept = branch.toReversed().filter(({ kind, seq }) => {
    if (traits[kind].chained) after = seq
    return kind !== 'pending' && !(turnEndKinds.has(kind) && seq > after)
  })
  return kept.toSorted((left, right) => left.seq - right.seq)
}

/**
 * The name of the record that holds a thread's setup: what a program says of how the thread's turns are run. It is
 * neither sent nor shown, and goes along with a fork.
 *
 * @example
 * const [setup] = await store.records.find({ name: setupName, thread: 'garden' })
 */
export const setupName = 'setup'

/** Names of the records that go with an export, and that a restored thread takes. */
export const exported: readonly string[] = [setupName]

/** The setup of a thread, for a thread that begins with it. */
export async function setupOf(store: Store, thread: string): Promise<readonly NewRecord[]> {
  const found = await store.records.find({ name: setupName, thread })
  return found.map(({ name, key, value }) => ({ name, key, value }))
}
