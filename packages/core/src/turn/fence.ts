import { MinutebookError } from '../log/error.ts'
import type { Appended, StoredEntry } from '../log/store.ts'
import type { Running } from './running.ts'

/** Reads what others have written. Throws `fenced` where that is more than messages that wait and what was taken back: the rest is for whoever runs the thread. */
export async function refreshed({ log, refresh }: Pick<Running, 'log' | 'refresh'>): Promise<void> {
  const { length } = log
  await refresh()
  if (log.since(length).some(({ kind }) => kind !== 'pending' && kind !== 'revocation')) throw fenced('overtaken')
}

/** What was appended. Throws `fenced` where it could not be: nothing more may be written, not even that. */
export async function written(appending: Promise<Appended>): Promise<readonly StoredEntry[]> {
  const appended = await appending
  if (appended.ok) return appended.entries
  throw fenced(appended.reason)
}

/** Someone else runs the thread now. */
export function fenced(reason: string): MinutebookError {
  return new MinutebookError('fenced', 'Someone else has taken over this thread; read it to see how it goes on.', { reason })
}
