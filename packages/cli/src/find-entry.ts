import type { Archive } from '@minutebook/server'
import { MinutebookError } from 'minutebook'

/** The entry that was named, by its id or the beginning of it: of those that people see on the newest branch. */
export async function withEntry(desk: Archive, thread: string, named: string | undefined): Promise<string | undefined> {
  if (named === undefined || /^[0-9a-f]{64}$/.test(named)) return named
  const { entries } = await desk.show(thread)
  const [found, ...more] = entries.filter(({ id }) => named.length >= fewest && id.startsWith(named))
  if (!found || more.length > 0)
    throw new MinutebookError(
      'unknown_entry',
      `${found ? 'Several entries begin' : 'No entry of this thread begins'} with that.`,
      `Take ids from: minutebook show ${thread} --json`,
    )
  return found.id
}

const fewest = 4
