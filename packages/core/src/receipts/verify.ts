import type { CompileOptions } from '../compiler/settings.ts'
import { createPauses, inSlices, itemWork, type Clock, type Pause, type Steps } from '../log/time.ts'
import { identify, type Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { readingWork } from '../log/log-reader.ts'
import type { Message } from '../log/message.ts'
import type { Store, StoredEntry } from '../log/store.ts'
import { checksum } from '../log/stored-entry.ts'
import { estimator } from '../tokens/estimator.ts'
import { createReuseMeter } from '../tokens/prediction.ts'
import { createDeriving, createErasedSince, derivable } from './derive.ts'
import type { Prompt } from './prompt.ts'
import { receiptsOf, type Functions, type KeptReceipt } from './receipt.ts'

/** What a check of a whole thread found. */
export interface Verification {
  /** True if there are no problems. */
  readonly ok: boolean
  readonly entries: number
  /** How many derived prompts equal the prompts that were sent. */
  readonly prompts: number
  /** Model calls whose prompt cannot be derived: something in it was erased, or a function was not passed. */
  readonly underivable: number
  readonly problems: readonly VerifyProblem[]
}

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

/**
 * Is a thread intact? Checks that all entries are there, checks each of them (place, checksum, id, parent), and
 * compares every prompt with its receipt. Long threads take long: with a clock, others can work in between.
 */
export async function verify(store: Store, thread: string, functions: Functions, clock?: Clock): Promise<Verification> {
  const { length } = await store.standing(thread)
  const pause = createPauses(clock)
  const { entries, problems } = await readAll(store, thread, pause)
  const found = entries.length + problems.length
  problems.push(
    ...(await inSlices(
      chainProblems(
        entries,
        problems.map(({ seq }) => seq),
      ),
      pause,
    )),
  )
  if (found < length)
    problems.push({
      seq: found,
      of: 'entry',
      problem: `is missing, and so is all behind it: the thread had ${length} entries`,
    })
  const isErased = createErasedSince(entries)
  const derive = createDeriving(entries, functions)
  let prompts = 0
  let underivable = 0
  for (const receipt of problems.length ? [] : receiptsOf(entries)) {
    const prompt = await inSlices(derivable(derive, receipt), pause)
    const hash = prompt?.hash
    await pause((prompt?.messages.length ?? 1) * itemWork)
    if (hash === receipt.hash) prompts++
    else if (hash === undefined || isErased(receipt)) underivable++
    else
      problems.push({
        seq: receipt.seq,
        of: 'prompt',
        problem: 'the prompt that is derived is not the one that was sent',
      })
  }
  return { ok: problems.length === 0, entries: entries.length, prompts, underivable, problems }
}

/**
 * Reads all entries. If a page cannot be read, its entries are read one by one, and each unreadable one is a problem.
 */
async function readAll(
  store: Store,
  thread: string,
  pause: Pause,
): Promise<{ entries: StoredEntry[]; problems: VerifyProblem[] }> {
  const problems: VerifyProblem[] = []
  const page = 512
  const entries: StoredEntry[] = []
  for (let from = 0; ; from += page) {
    const read = await attempt(store.read(thread, { from, to: from + page }))
    if (read) entries.push(...read)
    await pause(readingWork(read ?? []))
    for (let seq = from; !read && seq < from + page; seq++) {
      const one = await attempt(store.read(thread, { from: seq, to: seq + 1 }))
      if (one) entries.push(...one)
      else problems.push({ seq, of: 'entry', problem: 'cannot be read' })
    }
    if (read && read.length < page) return { entries, problems }
  }
}

/** `unread`: the seqs of entries that cannot be read and so are missing here. */
function* chainProblems(entries: readonly StoredEntry[], unread: readonly number[]): Steps<VerifyProblem[]> {
  const known = new Set<string>()
  const problems: VerifyProblem[] = []
  for (const [index, entry] of entries.entries()) {
    const place = unread.reduce((shifted, seq) => (seq <= shifted ? shifted + 1 : shifted), index)
    const found = problemOf(entry, place, known)
    known.add(entry.id)
    if (found !== undefined) problems.push({ seq: entry.seq, of: 'entry', problem: found })
    yield itemWork + entry.text.length
  }
  return problems
}

function problemOf(entry: StoredEntry, place: number, known: ReadonlySet<string>): string | undefined {
  if (entry.seq !== place) return `its place is ${place}`
  if (checksum(entry) !== entry.checksum) return 'does not match its checksum'
  if (entry.parent !== null && !known.has(entry.parent)) return 'its parent is not before it'
  if (entry.status !== 'erased' && identify(entry.parent, entry) !== entry.id) return 'does not match its id'
  return known.has(entry.id) ? 'is there twice' : undefined
}

async function attempt<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (MinutebookError.isInstance(error) && unreadable.has(error.code)) return undefined
    throw error
  }
}

const unreadable: ReadonlySet<string> = new Set(['corrupt_entry', 'malformed_message'])

/** A past model call, as it would have been under other options. */
export interface ReplayedCall {
  readonly receipt: KeptReceipt
  readonly prompt: Prompt
  /** How many of its tokens are the beginning of the previous replayed prompt. */
  readonly reused: number
  /** True if it is the prompt that was sent. */
  readonly same: boolean
}

/** Derives the prompts of recorded model calls under other options. Default for each option: as it was recorded. */
export async function replay(
  log: readonly Entry[],
  receipts: readonly KeptReceipt[],
  changes: Partial<CompileOptions>,
  functions: Functions,
  pause: Pause,
): Promise<ReplayedCall[]> {
  const derive = createDeriving(log, functions, changes)
  const reuse = createReuseMeter(changes.counter ?? functions.counter ?? estimator)
  let before: readonly Message[] = []
  const calls: ReplayedCall[] = []
  for (const receipt of receipts) {
    const prompt = await inSlices(derive(receipt), pause)
    const reused = reuse(prompt.messages, before)
    before = prompt.messages
    calls.push({ receipt, prompt, reused, same: prompt.hash === receipt.hash })
    await pause(prompt.messages.length * itemWork)
  }
  return calls
}
