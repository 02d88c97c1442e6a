import type { NewEntry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { NewRecord } from '../log/records.ts'
import type { Store } from '../log/store.ts'

/** What a thread begins with. */
export interface Beginning {
  readonly entries: readonly NewEntry[]
  readonly records?: readonly NewRecord[]
}

/** Writes the beginning of a thread that is not there yet. Throws `thread_exists` where it is, or holds more than this. */
export async function found(store: Store, thread: string, { entries, records = [] }: Beginning, advice: string): Promise<void> {
  const { length } = await store.standing(thread)
  if (length > 0 && !(await isBegunSo(store, thread, entries))) throw threadExists(advice)
  // Records of a thread without entries are a beginning, too.
  const appended = await store.append(thread, entries, { head: null, records: length > 0 ? records : records.map((record) => ({ ...record, expected: 0 })) })
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
