import type { NewEntry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { Store } from '../log/store.ts'

/** Writes the beginning of a thread that is not there yet. Throws `thread_exists` where it is, or holds more than this. */
export async function found(store: Store, thread: string, entries: readonly NewEntry[], advice: string): Promise<void> {
  if (!(await mayBe(store, thread, entries))) throw threadExists(advice)
  const appended = await store.append(thread, entries, { head: null })
  if (!appended.ok || appended.standing.length !== entries.length) throw threadExists(advice)
}

/** Whether nothing stands there, or this very beginning: it may have been written before, and not acknowledged. */
async function mayBe(store: Store, thread: string, entries: readonly NewEntry[]): Promise<boolean> {
  const { length } = await store.standing(thread)
  if (length === 0) return true
  return length === entries.length && (await store.read(thread)).every(({ id }, index) => id === entries[index]?.id)
}

export function threadExists(advice: string): MinutebookError {
  return new MinutebookError('thread_exists', `There is a thread of this name already; ${advice}.`)
}
