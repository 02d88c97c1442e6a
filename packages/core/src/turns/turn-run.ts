import type { Clock } from '../log/clock.ts'
import type { createMutex, LiveLog } from '../log/log.ts'
import type { Store } from '../log/store.ts'
import type { WindowSource } from '../models/discover-window.ts'
import type { Model } from '../models/model.ts'
import type { ContextOverflow } from '../models/overflow.ts'
import type { CallSettings } from '../receipts/call-settings.ts'
import type { Prompter } from '../receipts/prompter.ts'
import type { WindowShortfall } from '../receipts/receipt.ts'
import type { Meter } from '../tokens/prediction.ts'
import { calibrated, type TokenCounter } from '../tokens/tokens.ts'
import type { NoteReading } from '../truncation/truncation.ts'
import type { Feed } from './feed.ts'
import type { ThreadLocks } from './thread-locks.ts'
import type { TurnQueue } from './turn-queue.ts'
import type { Tool } from './tool.ts'
import type { TurnControl, TurnResult } from './turn.ts'

/** All that running a turn needs. */
export interface TurnRun {
  readonly store: Store
  readonly log: LiveLog
  readonly term: number
  readonly control: TurnControl
  readonly config: TurnConfig
  /** Reads what others have written to the log. */
  readonly refresh: () => Promise<void>
}

/** How a thread's turns are run. */
export interface TurnConfig {
  readonly model: Model
  readonly tools: readonly Tool[]
  readonly settings: CallSettings
  /** As they are on record. */
  readonly settingsText: string
  /** As receipts name them. */
  readonly settingsHash: string
  readonly clock: Clock
  readonly notes: 'off' | 'block' | 'tool'
  readonly journal: boolean
  /** Model calls in one turn, at most. */
  readonly steps: number
  /** Milliseconds that a turn may take, and one model call in it. */
  readonly deadline: number | undefined
  readonly callTimeout: number | undefined
  readonly prompter: Prompter
  readonly windowSource: WindowSource | undefined
  /** The same for a window that the server told when it refused a prompt. */
  readonly refitted: (fitting: Fitting) => TurnConfig
  /** If a larger window was asked for. */
  readonly shortfall: WindowShortfall | undefined
  /** Looks at what was sent and read; nobody does by default. */
  readonly reading: { readonly note: NoteReading; readonly meter: Meter; readonly isEstimated: boolean } | undefined
}

/** A thread as its holder has it: the log, the locks that it shares with others, and how its turns are run. */
export interface ThreadHandle {
  readonly thread: string
  readonly store: Store
  readonly locks: ThreadLocks
  /** Where its turns tell what they show. */
  readonly feed: Feed
  readonly log: LiveLog
  /** The text that stands first in every prompt. */
  readonly system: string | undefined
  /** Throws where there is no model or window: a thread can be read without, but not spoken to. */
  config(tools?: readonly Tool[]): TurnConfig
  /** Brings the log up to date, also where something was erased. */
  readonly refresh: (needs?: Needs) => Promise<void>
  /** A text that no message had before, of this process or, with a queue, of any. */
  readonly unique: () => Promise<string>
  /** Who is told that the thread needs work. */
  readonly queue: TurnQueue
  /** Whether turns run where they are asked for; else whoever the queue wakes runs them. */
  readonly runsHere: boolean
  /** What the thread was opened with. */
  readonly options: object
  /** Who in this process waits for turns that the queue hands out. */
  readonly senders: LocalSenders
  readonly clock: Clock
  readonly journal: boolean
  /** Finding out how the thread stands and writing by it: one at a time, for this holder. */
  readonly inTurn: ReturnType<typeof createMutex>
}

/**
 * Who in this process waits for a turn that a queue hands out. If this process runs it, they hear it directly: with all
 * events, and without reading the log for them.
 */
export interface LocalSenders {
  /** Somebody asks for a turn, and has read the thread's log. */
  add(handle: ThreadHandle, control: TurnControl): LocalSender
  /** This thread as somebody has it who waits for a turn. */
  find(thread: string): ThreadHandle | undefined
  /**
   * A turn begins here: those who wait for it hear it from now on. `turn`: its question, or the message that waited.
   * Returns a function that ends it; without a result, the turn was not finished here.
   */
  join(thread: string, turn: string, runner: TurnControl): (result?: TurnResult) => void
}

/** Somebody who waits. */
export interface LocalSender {
  /** What the turn will be known by: its question, or the message that waits. Set before anybody can run it. */
  turn: string | undefined
  /** How the turn ended, if it runs in this process; undefined if it does not begin here soon, or is not finished here. */
  heard(clock: Clock): Promise<TurnResult | undefined>
  /** Waits no longer. */
  leave(): void
}

/** What the log is needed for. */
export interface Needs {
  /** The turns that will be run; as the thread's are unless told. */
  readonly config?: TurnConfig | undefined
  /** All of it. */
  readonly whole?: boolean | undefined
}

/** What a prompt is made for after a server refused one as longer than its window. */
export interface Fitting {
  /** The window that the server told. */
  readonly window: number
  readonly reserve?: number | undefined
  /** What we counted in the prompt that was refused, and what the server did, if that is more. */
  readonly counted?: { readonly predicted: number; readonly reported: number } | undefined
}

/** `predicted`: what we counted in the prompt that was refused. */
export function fittingFor(
  { window, reserve }: Pick<Fitting, 'window' | 'reserve'>,
  told: ContextOverflow,
  predicted: number,
): Fitting {
  // A server that does not say what it counted has counted more than it has room for.
  const prompt = told.prompt ?? told.window ?? 0
  return {
    window,
    ...(reserve !== undefined && { reserve }),
    ...(prompt > predicted && { counted: { predicted, reported: prompt } }),
  }
}

/** The counter, scaled so that it counts at least what the server counted. */
export function recounting({ counted }: Fitting, counter: TokenCounter): TokenCounter {
  return counted ? calibrated(counter, [counted]) : counter
}
