import { inSlices, itemWork, type Pause, type Steps } from '../log/time.ts'
import { identify, type Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { readInPages } from '../log/read-in-pages.ts'
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
  // If a page cannot be read, its entries are read one by one. Undefined: this one cannot be read.
  const readPage = async (begin: number, end: number): Promise<(StoredEntry | undefined)[]> => {
    const page = await attempt(store.read(thread, { from: begin, to: end }))
    if (page) return page
    const single: (StoredEntry | undefined)[] = []
    for (let seq = begin; seq < Math.min(end, length); seq++) {
      single.push(...((await attempt(store.read(thread, { from: seq, to: seq + 1 }))) ?? [undefined]))
      await pause(itemWork * singleRead)
    }
    return single
  }
  const read = await readInPages(readPage, { from }, pause)
  const problems = await inSlices(problemsIn(read, from), pause)
  const next = from + read.length
  if (next < length)
    problems.push({
      seq: next,
      of: 'entry',
      problem: `is missing, and so is all behind it: the thread had ${length} entries`,
    })
  return { entries: read.filter((entry) => entry !== undefined), problems }
}

/** How many times the work of an entry it is to ask a store for one. */
const singleRead = 20

function* problemsIn(read: readonly (StoredEntry | undefined)[], from: number): Steps<VerifyProblem[]> {
  const known = new Set<string>()
  const problems: VerifyProblem[] = []
  for (const [index, entry] of read.entries()) {
    const place = from + index
    const problem = entry ? problemOf(entry, place, known, from > 0) : 'cannot be read'
    if (problem !== undefined) problems.push({ seq: entry?.seq ?? place, of: 'entry', problem })
    if (entry) known.add(entry.id)
    yield itemWork + (entry?.text.length ?? 0)
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
