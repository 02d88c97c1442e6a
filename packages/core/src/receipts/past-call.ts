import { areOfBranch, restoredFold, seqsOf, type PastFold } from '../past/past-fold.ts'
import type { SavedFold } from '../past/saved-fold.ts'
import type { Checkpoint } from '../past/checkpoint.ts'
import { isNotLoaded, MinutebookError } from '../log/error.ts'
import type { LiveLog } from '../past/live-log.ts'
import { addEntries, coversNewestTurn, createKnown } from '../past/known-entries.ts'
import type { StoredEntry } from '../log/store.ts'
import { inSlices } from '../log/time.ts'
import { isErasedIn } from '../past/make-checkpoint.ts'
import { createDeriving, recordedSettings, type DeriveContext } from './derive.ts'
import { createFoldCache } from '../past/fold-branch.ts'
import { type Prompt } from './prompt.ts'
import { messagesIn, optionsFor, settingsFrom, type Functions, type KeptReceipt } from './receipt.ts'

/** A recorded call with its prompt. */
interface PastCall {
  readonly receipt: KeptReceipt
  readonly prompt: Prompt
  /** True if an entry that it was made of, or may have been made of, was erased since. */
  readonly isErased: boolean
}

/**
 * What did the model see in a call of long ago? Derives the prompt from the last checkpoint before the call that was
 * kept, with the entries from there on. Undefined if that is not enough, or if the prompt is not the recorded one: then
 * the log must be read from its beginning.
 */
export async function pastCall(
  log: Pick<LiveLog, 'stored' | 'pause'>,
  receipt: KeptReceipt,
  functions: Functions,
): Promise<PastCall | undefined> {
  try {
    const found = await closestCall(log, receipt, functions)
    return found?.prompt.hash === receipt.hash ? found : undefined
  } catch (error) {
    // If it cannot be derived at all, reading the log from its beginning tells why.
    if (!MinutebookError.isInstance(error)) throw error
    return undefined
  }
}

/**
 * The same, also if the prompt is not the recorded one. Undefined if no checkpoint is enough. Throws `cannot_derive` if
 * a function that the settings name was not passed.
 */
export async function closestCall(
  log: Pick<LiveLog, 'stored' | 'pause'>,
  receipt: KeptReceipt,
  functions: Functions,
): Promise<PastCall | undefined> {
  // A request may name messages of any older call.
  if (messagesIn(receipt)) return undefined
  let closest: PastCall | undefined
  // In a fork, the log is shorter than it was at the time of the call.
  let to = Math.min(receipt.length, receipt.seq)
  for (let tries = 0; tries < mostTries; tries++) {
    const past = await log.stored.past(receipt.settings, to)
    if (!past) break
    const found = await derivedFrom(log, past, receipt, functions)
    if (found?.prompt.hash === receipt.hash) return found
    closest ??= found
    to = past.seq
  }
  return closest
}

/** A checkpoint may be on another branch than the call. Then an older one may be before both. */
const mostTries = 2

async function derivedFrom(
  log: Pick<LiveLog, 'stored' | 'pause'>,
  past: Checkpoint,
  receipt: KeptReceipt,
  functions: Functions,
): Promise<PastCall | undefined> {
  const { stored, pause } = log
  const read = await stored.read({ from: past.seq + 1, to: receipt.seq })
  const loaded = createKnown(past)
  const fresh = addEntries(
    loaded,
    read.filter(({ seq }) => seq < receipt.length),
  )
  if (!coversNewestTurn(loaded, fresh)) return undefined
  const { entries, line } = loaded
  try {
    // New settings are recorded after the call.
    const known = await contextOf(stored, past, receipt, read, functions)
    const start = known && (await restored(log, past))
    if (!start) return undefined
    const derive = createDeriving(entries, functions, {}, known, { start, stored })
    const prompt = await inSlices(derive(receipt), pause)
    return { receipt, prompt, isErased: isErasedIn(line(receipt.head) ?? [], past) }
  } catch (error) {
    if (!isNotLoaded(error)) throw error
    return undefined
  }
}

/** The settings of a call: recorded after the checkpoint, or before it. */
async function contextOf(
  stored: LiveLog['stored'],
  { recorded }: Checkpoint,
  { settings: hash }: KeptReceipt,
  entries: readonly StoredEntry[],
  functions: Functions,
): Promise<Map<string, DeriveContext> | undefined> {
  const [entry] = recorded === null ? [] : await stored.entries([recorded])
  const settings = entry ? settingsFrom(entry) : recordedSettings(entries, hash)
  if (!settings) return undefined
  return new Map([[hash, { settings, follow: createFoldCache(optionsFor(settings, functions)) }]])
}

/**
 * The checkpoint with the fold as it was: its entries are read, and its index is that of the newest checkpoint. Undefined
 * if that is of another branch.
 */
async function restored(
  { stored, pause }: Pick<LiveLog, 'stored' | 'pause'>,
  past: Checkpoint,
): Promise<Checkpoint | undefined> {
  const fold = past.fold as PastFold
  const [entries, newest] = await Promise.all([
    stored.entries(seqsOf(fold)),
    fold.stems === null ? undefined : stored.newest(past.settings!),
  ])
  const { segments = [] } = (newest?.fold as SavedFold | undefined)?.index ?? {}
  const whole = restoredFold(fold, entries, segments)
  if (
    !whole ||
    !(await inSlices(
      areOfBranch(fold, segments, (wanted) => stored.pieces(wanted)),
      pause,
    ))
  )
    return undefined
  return { ...past, fold: whole }
}
