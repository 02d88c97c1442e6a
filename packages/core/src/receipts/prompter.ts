import type { Fold } from '../compiler/fold.ts'
import { condensed, saveFold } from '../compiler/saved-fold.ts'
import type { CompileOptions } from '../compiler/settings.ts'
import { notLoadedError } from '../log/branch.ts'
import { traits } from '../log/kind.ts'
import { positionBeforeTurn, type Checkpoint } from '../log/log-reader.ts'
import type { LiveLog } from '../log/log.ts'
import type { Message } from '../log/message.ts'
import { newestTurn } from '../log/next.ts'
import type { Steps } from '../log/steps.ts'
import type { StoredEntry } from '../log/store.ts'
import { estimator } from '../tokens/estimator.ts'
import { createReuseMeter } from '../tokens/prediction.ts'
import type { CallSettings } from './call-settings.ts'
import { createDeriving, derivable, type Derivation } from './derive.ts'
import { createFoldCache, promptOf, type FoldCache, type Prompt } from './prompt.ts'
import { isTaken, receiptFrom, type KeptReceipt } from './receipt.ts'

/**
 * Makes the prompts of a log, step by step: a long log is worked through the first time. They are of the log as it
 * stands when the first step is made. Throws `forgotten` where that needs more of the log than is known.
 */
export interface Prompter {
  /** The one that would be sent now. */
  next(log: LiveLog): Steps<Prompt>
  /** The one that is about to be sent, and how many of its tokens stood at the beginning of the one sent before. */
  call(log: LiveLog): Steps<PromptToSend>
  /** The one of the branch that ends with `head`. */
  at(log: LiveLog, head: string): Steps<Prompt>
  /** The messages of a call on record; none where they cannot be derived any more. */
  sentBy(log: LiveLog, receipt: KeptReceipt): Steps<readonly Message[]>
}

function momentOf(log: LiveLog): Moment {
  return {
    start: log.start,
    erasures: log.erasures,
    kept: log.kept,
    entries: log.entries.slice(),
    branch: log.branch(),
  }
}

export interface PromptToSend {
  readonly prompt: Prompt
  readonly reused: number
  /** To be called when the answer is on record: keeps a checkpoint where one is due. Never fails. */
  readonly keep: () => Promise<void>
}

/** Remembers what it counted: a log that has grown costs only what is new. */
export function createPrompter(options: CompileOptions, settings: CallSettings, cadence: CheckpointSchedule): Prompter {
  const follow = createFoldCache(options)
  const reuse = createReuseMeter(options.counter ?? estimator)
  let before: Prompt | undefined
  const known = (): Map<string, Derivation> => new Map([[cadence.settingsHash, { settings, follow }]])
  const next = function* ({ start, branch }: Pick<Moment, 'start' | 'branch'>): Steps<Prompt> {
    if (start && start.settings !== cadence.settingsHash) throw notLoadedError()
    return yield* promptOf(yield* follow(branch, start), settings.tools, settings.wire)
  }
  return {
    next: (log) => next({ start: log.start, branch: log.branch() }),
    call: function* (log) {
      const now = momentOf(log)
      // First the one before, mostly from the beginning of this branch: then the branch is followed once for both.
      const earlier = yield* messagesBefore(now, options, before, known())
      const due = yield* checkpointDue(now, follow, cadence)
      const prompt = (before = yield* next(now))
      return { prompt, reused: reuse(prompt.messages, earlier), keep: () => keep(log, due) }
    },
    at: function* (log, head) {
      return yield* promptOf(yield* follow(log.branch(head)), settings.tools, settings.wire)
    },
    sentBy: function* (log, receipt) {
      const prompt = yield* derivable(createDeriving(log.entries.slice(), options, {}, known(), log.start), receipt)
      return prompt?.messages ?? []
    },
  }
}

/** A checkpoint can be lost: nobody waits for it. */
async function keep(log: LiveLog, due: CheckpointDue | undefined): Promise<void> {
  try {
    const checkpoint = due?.()
    if (checkpoint) await log.keep(checkpoint)
  } catch {
    // The next turn tries again.
  }
}

/**
 * Of the newest model call on record, on whatever branch: `mine` where it is that one. None where there is no call, or
 * where its prompt cannot be derived any more.
 */
function* messagesBefore(
  { entries, start }: Moment,
  options: CompileOptions,
  mine: Prompt | undefined,
  known: Map<string, Derivation>,
): Steps<readonly Message[]> {
  const entry = entries.findLast(isTaken)
  if (!entry && start) throw notLoadedError()
  if (!entry) return []
  const receipt = receiptFrom(entry)
  if (receipt.hash === mine?.hash) return mine.messages
  const prompt = yield* derivable(createDeriving(entries, options, {}, known, start), receipt)
  return prompt?.messages ?? []
}

/** When checkpoints are made, and under which settings. */
interface CheckpointSchedule {
  readonly settingsText: string
  readonly settingsHash: string
  /** After so many entries; 64 or as many as a checkpoint holds unless told. */
  readonly every?: number | undefined
}

type CheckpointDue = () => Checkpoint | undefined

/** A log as it stands at one moment. */
interface Moment extends Pick<LiveLog, 'start' | 'erasures' | 'kept'> {
  readonly entries: readonly StoredEntry[]
  readonly branch: readonly StoredEntry[]
}

/**
 * Makes the checkpoint before the newest turn, when its answer is on record; undefined where none is due. Only when a
 * turn begins: then whoever follows the branch comes by there anyway.
 */
function* checkpointDue(
  { entries, branch, start, erasures, kept }: Moment,
  follow: FoldCache,
  { settingsText, settingsHash: settings, every }: CheckpointSchedule,
): Steps<CheckpointDue | undefined> {
  const turn = newestTurn(branch)
  const begins =
    turn[0] !== undefined && traits[turn[0].kind].opensExchange && turn.every(({ kind }) => beginning.has(kind))
  if (!begins || turn[0]!.seq - kept <= (every ?? usual) || (start && start.settings !== settings)) return undefined
  const stand = positionBeforeTurn(entries, branch, start)
  if (!stand || stand.seq - kept < (every ?? usual)) return undefined
  const before = branch.slice(0, branch.length - turn.length)
  const fold = yield* follow(before, start)
  if (fold.settings.policy.recall) return undefined
  const hasSettings =
    before.some(({ kind, text }) => kind === 'settings' && text === settingsText) || (start?.hasSettings ?? false)
  return () => {
    const small = condensed(fold)
    // One that knows everything saves nobody the reading.
    if (every === undefined && (small === fold || stand.seq - kept < sizeOf(small))) return undefined
    return { version: 1, ...stand, erasures, settings, hasSettings, fold: saveFold(small) }
  }
}

const usual = 64

/** What stands in a turn before its first model call. */
const beginning: ReadonlySet<string> = new Set(['user', 'system', 'pending', 'revocation'])

function sizeOf({ columns: { entries } }: Fold): number {
  return entries.values.length + entries.older.length
}
