import type { CompileOptions } from '../compiler/settings.ts'
import { createPauses, inSlices, itemWork, type Clock, type Pause } from '../log/time.ts'
import type { Entry } from '../log/entry.ts'
import type { Message } from '../log/message.ts'
import type { Store, StoredEntry } from '../log/store.ts'
import { storedLog } from '../past/stored-log.ts'
import { estimator } from '../tokens/estimator.ts'
import { createReuseMeter } from '../tokens/prediction.ts'
import { checkEntries, readableReceipts, type VerifyProblem } from './check-entries.ts'
import { createDeriving, createErasedSince, derivable } from './derive.ts'
import { checkNewest } from './check-newest.ts'
import { closestCall } from './past-call.ts'
import type { Prompt } from './prompt.ts'
import type { Functions, KeptReceipt } from './receipt.ts'

/** What a check of a thread found. */
export interface Verification {
  /** True if there are no problems. */
  readonly ok: boolean
  /** How many entries were checked. */
  readonly entries: number
  /** How many derived prompts equal the prompts that were sent. */
  readonly prompts: number
  /** Model calls whose prompt cannot be derived: something in it was erased, or a function was not passed. */
  readonly underivable: number
  /** Prompts that were left out, because they need entries from before the part. Absent if there are none. */
  readonly unchecked?: number
  readonly problems: readonly VerifyProblem[]
}

/** How much of a thread is checked: its newest entries, and the newest of their prompts. */
export interface VerifyPart {
  /** Default: 200. */
  readonly entries?: number | undefined
  /** Default: 20. */
  readonly prompts?: number | undefined
}

/**
 * Is a thread intact? Checks that all entries are there, checks each of them (place, checksum, id, parent), and
 * compares every prompt with its receipt. Long threads take long: with a clock, others can work in between.
 *
 * With `part`, what it costs does not grow with the thread: it checks the newest entries, and those of their prompts
 * that can be derived from these and from a checkpoint. Only if one of these is wrong, it checks the whole thread, to
 * say which entry is damaged.
 */
export async function verify(
  store: Store,
  thread: string,
  functions: Functions,
  clock?: Clock,
  part?: VerifyPart,
): Promise<Verification> {
  const { length } = await store.standing(thread)
  const pause = createPauses(clock)
  const from = part ? Math.max(0, length - (part.entries ?? 200)) : 0
  const { entries, problems } = await checkEntries(store, thread, { from, length }, pause)
  const found = problems.length > 0 ? { receipts: [], problems } : readableReceipts(entries)
  const most = part ? (part.prompts ?? 20) : Infinity
  const receipts = found.receipts.slice(Math.max(0, found.receipts.length - most))
  if (from === 0) return verification(entries, [found, await checkPrompts(entries, receipts, functions, pause)])
  const log = { stored: storedLog(store, thread, pause), pause }
  const { doubtful, ...newest } = await checkNewest(log, entries, receipts, (receipt) =>
    closestCall(log, receipt, functions),
  )
  if (doubtful.length === 0) return verification(entries, [found, newest])
  const whole = await checkEntries(store, thread, { from: 0, length }, pause)
  const why = whole.problems.length > 0 ? whole : await checkPrompts(whole.entries, doubtful, functions, pause)
  return verification(entries, [found, newest, why])
}

/** What a part of the check found. */
interface Found {
  readonly prompts?: number
  readonly underivable?: number
  readonly unchecked?: number
  readonly problems?: readonly VerifyProblem[]
}

function verification(entries: readonly Entry[], found: readonly Found[]): Verification {
  const sum = (of: 'prompts' | 'underivable' | 'unchecked'): number =>
    found.reduce((total, { [of]: count = 0 }) => total + count, 0)
  const problems = found.flatMap((each) => each.problems ?? [])
  const unchecked = sum('unchecked')
  return {
    ok: problems.length === 0,
    entries: entries.length,
    prompts: sum('prompts'),
    underivable: sum('underivable'),
    ...(unchecked > 0 && { unchecked }),
    problems,
  }
}

/** Derives the prompts of receipts from all entries of the thread, which are intact. */
async function checkPrompts(
  entries: readonly StoredEntry[],
  receipts: readonly KeptReceipt[],
  functions: Functions,
  pause: Pause,
): Promise<Found> {
  const isErased = createErasedSince(entries)
  const derive = createDeriving(entries, functions)
  const problems: VerifyProblem[] = []
  let prompts = 0
  let underivable = 0
  for (const receipt of receipts) {
    const { seq } = receipt
    try {
      const prompt = await inSlices(derivable(derive, receipt), pause)
      await pause((prompt?.messages.length ?? 1) * itemWork)
      if (prompt?.hash === receipt.hash) prompts++
      else if (!prompt || isErased(receipt)) underivable++
      else problems.push({ seq, of: 'prompt', problem: 'the prompt that is derived is not the one that was sent' })
    } catch {
      // All entries are read already, so it is a text of one of them that is not what its kind says.
      problems.push({ seq, of: 'entry', problem: 'its prompt needs an entry whose text cannot be read' })
    }
  }
  return { prompts, underivable, problems }
}

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
