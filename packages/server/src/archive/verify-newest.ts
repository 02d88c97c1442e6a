import { MinutebookError, type Store, type Thread } from 'minutebook'
import type { Verification, VerifyProblem } from 'minutebook/inspect'
import { checksum, identify, type StoredEntry } from 'minutebook/store'

/** How much of a thread is checked: its newest entries, and the newest of their prompts. */
export interface VerifiedPart {
  /** Default: 200. */
  readonly entries?: number | undefined
  /** Default: 20. */
  readonly prompts?: number | undefined
}

/**
 * Is the end of a thread intact? What it costs does not grow with the thread. Compares each entry with its checksum, its
 * id and its place, and derives prompts again. That an entry is missing before the end, only a check of all finds.
 */
export async function verifyNewest(
  store: Store,
  id: string,
  thread: Pick<Thread, 'dump'>,
  { entries = 200, prompts = 20 }: VerifiedPart,
): Promise<Verification> {
  const { length } = await store.standing(id)
  const problems: VerifyProblem[] = []
  const read: StoredEntry[] = []
  for (let seq = Math.max(0, length - entries); seq < length; seq++) {
    const [entry] = await store.read(id, { from: seq, to: seq + 1 }).catch(unreadable)
    const problem = entry ? problemOf(entry, seq) : 'cannot be read'
    if (problem !== undefined) problems.push({ seq, of: 'entry', problem })
    else if (entry) read.push(entry)
  }
  const receipts =
    problems.length > 0 ? [] : read.filter(({ kind, status }) => kind === 'receipt' && status !== 'erased')
  const found = { same: 0, underivable: 0 }
  for (const receipt of prompts === 0 ? [] : receipts.slice(-prompts)) {
    const dump = await thread.dump({ receipt: receipt.id }).catch(underivable)
    if (dump?.same) found.same++
    else if (!dump || dump.erased) found.underivable++
    else
      problems.push({
        seq: receipt.seq,
        of: 'prompt',
        problem: 'the prompt that is derived is not the one that was sent',
      })
  }
  const checked = { entries: read.length, prompts: found.same, underivable: found.underivable }
  return { ok: problems.length === 0, ...checked, problems }
}

function problemOf(entry: StoredEntry, place: number): string | undefined {
  if (entry.seq !== place) return `its place is ${place}`
  if (checksum(entry) !== entry.checksum) return 'does not match its checksum'
  if (entry.status !== 'erased' && identify(entry.parent, entry) !== entry.id) return 'does not match its id'
  return undefined
}

function unreadable(error: unknown): [] {
  if (MinutebookError.isInstance(error) && ['corrupt_entry', 'malformed_message'].includes(error.code)) return []
  throw error
}

function underivable(error: unknown): undefined {
  if (MinutebookError.isInstance(error) && error.code === 'cannot_derive') return undefined
  throw error
}
