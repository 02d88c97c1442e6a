import { type Archive, printableLine, type ThreadSummary } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { editDistance } from 'minutebook/inspect'
import type { Terminal } from '../terminal/terminal.ts'
import { isFileName } from '../terminal/text.ts'

/** Where threads are looked for, and how commands are written for the hints. */
export interface ThreadSource extends Pick<Terminal, 'command'> {
  readonly archive: Archive
}

/** Calls `work` with the thread of this id, or whose id begins with it. Default: the newest thread. */
export async function withThread<T>(
  { archive, command }: ThreadSource,
  named: string | undefined,
  work: (thread: string) => Promise<T>,
): Promise<T> {
  if (named === undefined) return work(await newest({ archive, command }))
  try {
    return await work(named)
  } catch (error) {
    if (!MinutebookError.isInstance(error) || error.code !== 'unknown_thread') throw error
    const { threads } = await archive.threads({ limit: 1000 })
    const beginning = threads.filter(({ thread }) => thread.startsWith(named))
    if (beginning.length === 1) return work(beginning[0]!.thread)
    const likely = beginning.length > 1 ? beginning : nearest(named, threads)
    throw unknownThreadError(named, likely, beginning.length > 1, command)
  }
}

async function newest({ archive, command }: ThreadSource): Promise<string> {
  const {
    threads: [first],
  } = await archive.threads({ limit: 1 })
  if (!first)
    throw new MinutebookError(
      'no_threads',
      'Nothing is recorded yet.',
      `Send a message first; for example with: ${command('chat')}`,
    )
  return first.thread
}

const most = 5

function unknownThreadError(
  named: string,
  likely: readonly ThreadSummary[],
  ambiguous: boolean,
  command: Terminal['command'],
): MinutebookError {
  const what = ambiguous
    ? `Several threads begin with "${printableLine(named)}".`
    : `There is no thread "${printableLine(named)}".`
  const lines = likely
    .slice(0, most)
    .map(
      ({ thread, title }) =>
        `  ${printableLine(thread)}${title === null ? '' : `  ${printableLine(title).slice(0, 60)}`}`,
    )
  const hint =
    lines.length === 0
      ? `List them with: ${command('threads')}${isFileName(named) ? `. A file follows the name of the command: minutebook threads ${printableLine(named)}` : ''}`
      : `${ambiguous ? 'Type more characters of one of these' : 'Similar ones are'}:\n${lines.join('\n')}`
  return new MinutebookError('unknown_thread', what, hint, {
    nearest: likely.slice(0, most).map(({ thread }) => thread),
  })
}

/** The threads whose ids or titles are most similar to the name. Threads that are not similar are left out. */
export function nearest(named: string, threads: readonly ThreadSummary[]): ThreadSummary[] {
  const wanted = named.toLowerCase().slice(0, longest)
  const far = Math.max(2, Math.ceil(wanted.length / 2))
  return threads
    .map((summary) => ({ summary, distance: distanceTo(wanted, summary, far) }))
    .filter(({ distance }) => distance <= far)
    .toSorted((one, other) => one.distance - other.distance)
    .map(({ summary }) => summary)
    .slice(0, most)
}

const longest = 64

function distanceTo(wanted: string, { thread, title }: ThreadSummary, far: number): number {
  const id = thread.toLowerCase().slice(0, longest)
  if (id.includes(wanted)) return 0
  if (title?.toLowerCase().includes(wanted)) return 1
  return Math.min(editDistance(wanted, id, far), editDistance(wanted, id.slice(0, wanted.length), far) + 1)
}

/** The visible entry of the newest branch with this id, or whose id begins with it. */
export async function withEntry(
  { archive, command }: ThreadSource,
  thread: string,
  named: string | undefined,
): Promise<string | undefined> {
  if (named === undefined || /^[0-9a-f]{64}$/.test(named)) return named
  const { entries } = await archive.show(thread)
  const [found, ...more] = entries.filter(({ id }) => named.length >= fewest && id.startsWith(named))
  if (!found || more.length > 0)
    throw new MinutebookError(
      'unknown_entry',
      `${found ? 'Several entries begin' : 'No entry of this thread begins'} with that.`,
      `Find ids with: ${command(`show ${printableLine(thread)} --json`)}`,
    )
  return found.id
}

const fewest = 4
