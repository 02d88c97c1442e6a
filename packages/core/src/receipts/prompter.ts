import type { CompileOptions } from '../compiler/settings.ts'
import { newestOf } from '../log/log.ts'
import type { Entry } from '../log/entry.ts'
import { isNotLoaded, notLoadedError } from '../log/error.ts'
import type { LiveLog } from '../past/live-log.ts'
import type { ReadOptions } from '../past/log-reader.ts'
import { inSlices, reading, type Steps } from '../log/time.ts'
import type { StoredEntry } from '../log/store.ts'
import { estimator } from '../tokens/estimator.ts'
import { createReuseMeter } from '../tokens/prediction.ts'
import { catchUp } from '../past/catch-up.ts'
import type { CheckpointOptions, KnownLog } from '../past/make-checkpoint.ts'
import { createCheckpointSaver } from '../past/save-checkpoints.ts'
import { createDeriving, derivable, requestPrompt, type DeriveContext } from './derive.ts'
import { recallFrom } from '../past/stored-index.ts'
import { pastCall } from './past-call.ts'
import { createFoldCache } from '../past/fold-branch.ts'
import { promptOf, type Prompt } from './prompt.ts'
import { isTaken, receiptFrom, type CallSettings, type KeptReceipt, type Receipt } from './receipt.ts'

/**
 * What is the next prompt of a thread? Others can run in between, because the first time a long log must be read through.
 * Each prompt is of the log at the time of the call. If what is loaded is not enough for it, the whole log is read
 * (for a past call: only if no checkpoint was saved before it).
 */
export interface Prompter {
  /** The prompt that would be sent now. */
  next(log: LiveLog): Promise<Prompt>
  /**
   * The prompt that is about to be sent, and how many of its tokens are the unchanged beginning of the one sent before.
   */
  toSend(log: LiveLog): Promise<PreparedPrompt>
  /** The prompt of the branch that ends with `head`, which is about to be sent. */
  at(log: LiveLog, head: string): Promise<Omit<PreparedPrompt, 'reused'>>
  /** The prompt that is compiled from the entries of a request, and not from the branch. */
  ofRequest(entries: readonly Entry[]): Steps<Prompt>
  /**
   * For a call that sends other messages than a prompt of the branch that ends with `head`: returns a function that
   * saves the position before its newest turn, if that is due. Call it like `keep`.
   */
  passing(log: LiveLog, head: string): Promise<(() => Promise<void>) | undefined>
  /** The prompt of a recorded call. Undefined if it cannot be derived any more. */
  sentBy(log: LiveLog, receipt: KeptReceipt): Promise<Prompt | undefined>
  /**
   * Makes checkpoints of a log that is long after the newest of them, and returns the newest. Called while the log is
   * not read yet.
   */
  catchUp(log: LiveLog): ReadOptions['catchUp']
  /** Makes a checkpoint of a log that has grown by much without a turn. Never throws. */
  keepUp(log: LiveLog): Promise<void>
}

/** A log at one moment. */
interface Moment extends KnownLog {
  /** The number of its entries. */
  readonly length: number
}

function momentOf(log: LiveLog, branch: readonly StoredEntry[]): Moment {
  return {
    length: log.length,
    start: log.past.start,
    erasures: log.past.erasures,
    foldSeq: log.past.foldSeq,
    stored: log.stored,
    entries: log.entries.slice(),
    branch,
  }
}

export interface PreparedPrompt {
  readonly prompt: Prompt
  /** The part of the log that it was made from. */
  readonly seen: Pick<Receipt, 'head' | 'upto' | 'length'>
  readonly reused: number
  /** Call this after the answer is recorded: it saves a checkpoint if one is due. Never throws. */
  readonly keep: () => Promise<void>
}

/** What a receipt says of the part of the log that a prompt was made from. Entries that come later are not part of it. */
export function seenIn(
  { branch, length }: Pick<Moment, 'branch' | 'length'>,
  head: string,
): Pick<Receipt, 'head' | 'upto' | 'length'> {
  return { head, upto: newestOf(branch), length }
}

/** Caches what it counted: if the log has grown, only the new entries are counted. */
export function createPrompter(
  options: CompileOptions,
  settings: CallSettings,
  schedule: Omit<CheckpointOptions, 'isCall'>,
): Prompter {
  const cadence = { ...schedule, isCall: isTaken }
  const follow = createFoldCache(options)
  const followRequest = createFoldCache(options)
  const reuse = createReuseMeter(options.counter ?? estimator)
  const saver = createCheckpointSaver(cadence, follow)
  let before: Prompt | undefined
  const known = (): Map<string, DeriveContext> => new Map([[cadence.settingsHash, { settings, follow }]])
  const sentBy: Prompter['sentBy'] = async (log, receipt) => {
    const derive = (now: Moment): Steps<Prompt | undefined> =>
      derivable(createDeriving(now.entries, options, {}, known(), now), receipt)
    return fromLoaded(log, log.head, derive, async () => (await pastCall(log, receipt, options))?.prompt)
  }
  const next = function* ({ start, branch, stored }: KnownLog): Steps<Prompt> {
    if (start && start.settings !== cadence.settingsHash) throw notLoadedError()
    return yield* promptOf(yield* follow(branch, start), settings.tools, settings.wire, recallFrom(stored))
  }
  return {
    next: (log) => fromLoaded(log, log.head, next),
    toSend: (log) => {
      const { head } = log
      return fromLoaded(log, head, function* (now) {
        // Derive the previous prompt first: it is mostly the beginning of this branch, so the branch is folded once for
        // both.
        const call = yield* newestCall(log)
        const earlier = call && (call.hash === before?.hash ? before : yield* reading(() => sentBy(log, call)))
        const keep = yield* saver.beforeTurn(log, now)
        const prompt = (before = yield* next(now))
        const reused = reuse(prompt.messages, earlier?.messages ?? [])
        return { prompt, seen: seenIn(now, head ?? ''), reused, keep }
      })
    },
    at: (log, head) =>
      fromLoaded(log, head, function* (now) {
        const keep = yield* saver.beforeTurn(log, now)
        return { prompt: yield* next(now), seen: seenIn(now, head), keep }
      }),
    ofRequest: function* (entries) {
      return yield* requestPrompt(yield* followRequest(entries), settings)
    },
    passing: (log, head) => saver.positionOnly(log, head),
    sentBy,
    catchUp: (log) => (from, standing) => catchUp(log, options, cadence, { from, ...standing }),
    keepUp: (log) => saver.ofGrown(log, () => momentOf(log, log.branch())),
  }
}

/**
 * Makes something of a log of which only the end may be loaded, as it is with the branch that ends with `head`. If that
 * end, and what its checkpoint kept, are not enough, tries what `otherwise` finds, and then reads the whole log.
 */
async function fromLoaded<T>(
  log: LiveLog,
  head: string | null,
  make: (now: Moment) => Steps<T>,
  otherwise: () => Promise<T | undefined> = async () => undefined,
): Promise<T> {
  for (;;) {
    const now = await log.line(head, (branch) => momentOf(log, branch))
    try {
      return await inSlices(make(now), log.pause)
    } catch (error) {
      if (!now.start || !isNotLoaded(error)) throw error
    }
    const found = await otherwise()
    if (found !== undefined) return found
    await log.past.whole()
  }
}

/**
 * The receipt of the newest model call, on any branch. Undefined if there was none. It is read if it is not loaded.
 */
export function* newestCall(log: LiveLog): Steps<KeptReceipt | undefined> {
  const loaded = (): StoredEntry | undefined => log.entries.findLast(isTaken)
  const call = log.past.start?.call ?? null
  let entry = loaded()
  if (!entry && call !== null) {
    entry = (yield* reading(() => log.stored.entries([call]))).find(isTaken)
    // It was erased since.
    if (!entry) yield* reading(() => log.past.whole())
    entry ??= loaded()
  }
  return entry && receiptFrom(entry)
}
