import { inSlices, itemWork, type Pause, type Steps } from '../log/time.ts'
import { identify, type Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { readingWork } from '../past/log-reader.ts'
import type { Store, StoredEntry } from '../log/store.ts'
import { checksum } from '../log/stored-entry.ts'
import { isReceipt, receiptFrom, type KeptReceipt } from './receipt.ts'

/** One problem. */
export interface VerifyProblem {
  /** The seq of the entry at which it was found. */
  readonly seq: number
  readonly problem: string
  /**
   * `entry`: what the store has is not what was written. Restore it from a backup or an export. `prompt`: the entries
   * are intact, but a derived prompt differs from the one that was sent. Then Minutebook has a bug, or a counter counts
   * differently under the same name.
   */
  readonly of: 'entry' | 'prompt'
}

/** The entries that could be read, and what is wrong with them. */
interface CheckedEntries {
  readonly entries: readonly StoredEntry[]
  readonly problems: readonly VerifyProblem[]
}

/**
 * Are the entries of a thread what was written, from the seq `from` on? Checks that all are there, and each of them:
 * place, checksum, id, parent. Of an entry whose parent must be before `from`, the parent is not checked.
 */
export async function checkEntries(
  store: Store,
  thread: string,
  { from, length }: { readonly from: number; readonly length: number },
  pause: Pause,
): Promise<CheckedEntries> {
  const { read, unread } = await readAll(store, thread, from, length, pause)
  const problems = [...unread, ...(await inSlices(chainProblems(read, from), pause))]
  const next = from + read.length + unread.length
  if (next < length)
    problems.push({
      seq: next,
      of: 'entry',
      problem: `is missing, and so is all behind it: the thread had ${length} entries`,
    })
  return { entries: read.map(({ entry }) => entry), problems }
}

/** An entry, and the seq that it should have. */
interface PlacedEntry {
  readonly entry: StoredEntry
  readonly place: number
}

/**
 * Reads all entries, also those that were added since. If a page cannot be read, its entries are read one by one, and
 * each unreadable one is a problem.
 */
async function readAll(
  store: Store,
  thread: string,
  begin: number,
  length: number,
  pause: Pause,
): Promise<{ readonly read: PlacedEntry[]; readonly unread: VerifyProblem[] }> {
  const page = 512
  const read: PlacedEntry[] = []
  const unread: VerifyProblem[] = []
  const add = (entries: readonly StoredEntry[]): void => {
    for (const entry of entries) read.push({ entry, place: begin + read.length + unread.length })
  }
  for (let from = begin; ; from += page) {
    const entries = await attempt(store.read(thread, { from, to: from + page }))
    if (entries) add(entries)
    await pause(readingWork(entries ?? []))
    for (let seq = from; !entries && seq < Math.min(from + page, length); seq++) {
      const one = await attempt(store.read(thread, { from: seq, to: seq + 1 }))
      if (one) add(one)
      else unread.push({ seq, of: 'entry', problem: 'cannot be read' })
      await pause(itemWork * singleRead + readingWork(one ?? []))
    }
    if (entries ? entries.length < page : from + page >= length) return { read, unread }
  }
}

/** How many times the work of an entry it is to ask a store for one. */
const singleRead = 20

function* chainProblems(entries: readonly PlacedEntry[], from: number): Steps<VerifyProblem[]> {
  const known = new Set<string>()
  const problems: VerifyProblem[] = []
  for (const { entry, place } of entries) {
    const found = problemOf(entry, place, known, from > 0)
    known.add(entry.id)
    if (found !== undefined) problems.push({ seq: entry.seq, of: 'entry', problem: found })
    yield itemWork + entry.text.length
  }
  return problems
}

function problemOf(entry: StoredEntry, place: number, known: ReadonlySet<string>, isPart: boolean): string | undefined {
  if (entry.seq !== place) return `its place is ${place}`
  if (checksum(entry) !== entry.checksum) return 'does not match its checksum'
  if (!isPart && entry.parent !== null && !known.has(entry.parent)) return 'its parent is not before it'
  if (entry.status !== 'erased' && identify(entry.parent, entry) !== entry.id) return 'does not match its id'
  return known.has(entry.id) ? 'is there twice' : undefined
}

async function attempt<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isUnreadable(error)) return undefined
    throw error
  }
}

/** True if the error says that a stored entry is not one. */
export function isUnreadable(error: unknown): boolean {
  return MinutebookError.isInstance(error) && unreadable.has(error.code)
}

const unreadable: ReadonlySet<string> = new Set(['corrupt_entry', 'malformed_message'])

/** The receipts among these entries, oldest first. One that is not JSON is a problem. */
export function readableReceipts(entries: readonly Entry[]): {
  readonly receipts: readonly KeptReceipt[]
  readonly problems: readonly VerifyProblem[]
} {
  const receipts: KeptReceipt[] = []
  const problems: VerifyProblem[] = []
  for (const entry of entries.filter(isReceipt))
    try {
      receipts.push(receiptFrom(entry))
    } catch {
      problems.push({ seq: entry.seq, of: 'entry', problem: 'is a receipt that cannot be read' })
    }
  return { receipts: receipts.toSorted((left, right) => left.seq - right.seq), problems }
}
