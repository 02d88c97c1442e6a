import type { NewEntry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { Store } from '../log/store.ts'

/** Writes the beginning of a thread that is not there yet. Throws `thread_exists` where it is, or holds more than this. */
export async function found(store: Store, thread: string, entries: readonly NewEntry[], advice: string): Promise<void> {
  const appended = await store.append(thread, entries, { head: null })
  if (!appended.ok || appended.standing.length !== entries.length) throw threadExists(advice)
}

export function threadExists(advice: string): MinutebookError {
  return new MinutebookError('thread_exists', `There is a thread of this name already; ${advice}.`)
}
