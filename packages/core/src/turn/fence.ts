import { MinutebookError } from '../log/error.ts'
import type { Appended, StoredEntry } from '../log/store.ts'

/** What was appended. Throws `fenced` where it could not be: nothing more may be written, not even that. */
export async function written(appending: Promise<Appended>): Promise<readonly StoredEntry[]> {
  const appended = await appending
  if (appended.ok) return appended.entries
  throw new MinutebookError('fenced', 'Someone else has taken over this thread; read it to see how it goes on.', { reason: appended.reason })
}
