import type { ParsedCall } from '../log/message.ts'
import type { NoteForm } from '../log/note-parser.ts'
import type { Clock } from '../log/time.ts'
import type { createMutex, LiveLog } from '../past/live-log.ts'
import type { OpenCall } from '../log/open-call.ts'
import type { NewRecord, Standing, Store } from '../log/store.ts'
import type { ContextOverflow, WindowSource } from '../models/server-window.ts'
import type { Model, ModelRequest } from '../models/model.ts'
import type { Prompter } from '../receipts/prompter.ts'
import type { CallSettings, Receipt, WindowLimit } from '../receipts/receipt.ts'
import type { ReadObserver } from '../receipts/truncation.ts'
import type { Meter } from '../tokens/prediction.ts'
import { calibrated, type TokenCounter } from '../tokens/tokens.ts'
import type { Feed } from './feed.ts'
import type { Fence } from './fence.ts'
import type { ThreadLocks, TurnQueue } from './turn-queue.ts'
import type { Tool } from './tool.ts'
import type { Turn, TurnControl, TurnResult } from './turn.ts'

/** What a runner needs to run one turn. */
export interface TurnRun {
  readonly store: Store
  readonly log: LiveLog
  /** The runner's fencing token: appends fail once another runner has claimed a higher term. */
  readonly term: number
  readonly fence: Fence
  readonly control: TurnControl
  readonly config: TurnConfig
  /** Runs the code of the turn, so that it knows its thread. */
  readonly around: <R>(run: () => R) => R
}

/** The tool call that threw, and its thread. */
export interface ToolFailure {
  readonly thread: string
  readonly call: ParsedCall
}

/** How the turns of a thread run: the options, checked and completed. */
export interface TurnConfig {
  readonly model: Model
  readonly tools: readonly Tool[]
  readonly settings: CallSettings
  /** The settings as they are recorded. */
  readonly settingsText: string
  /** The hash by which receipts name the settings. */
  readonly settingsHash: string
  readonly clock: Clock
  /** Which notes are removed from answers. */
  readonly notes: NoteForm | 'off'
  readonly journal: boolean
  /** The highest number of model calls in one turn. */
  readonly steps: number
  /** Milliseconds that a turn may take, and below it, that one model call may take. */
  readonly deadline: number | undefined
  readonly callTimeout: number | undefined
  /** On whose behalf the model is called: a key in the figures. */
  readonly owner: string
  /** Is told what a tool threw. Never throws. */
  readonly onError: (error: unknown, about: ToolFailure) => void
  /** Records that are written together with calls that begin to wait. */
  readonly waitRecords: (calls: readonly OpenCall[]) => readonly NewRecord[]
  readonly prompter: Prompter
  readonly windowSource: WindowSource | undefined
  /** The same with the window that the model's server tells, if the options have none and the server tells one. */
  discovered(): Promise<TurnConfig>
  /** Returns the configuration for the window that a server named when it refused a prompt. */
  readonly refitted: (fitting: WindowOptions) => TurnConfig
  /** Returns what the server answered since the thread's previous call. */
  readonly between: (request: Pick<ModelRequest, 'messages' | 'tools'>) => Receipt['between']
  /** Set if a larger window was requested. */
  readonly shortfall: WindowLimit | undefined
  /** Checks after each model call whether the server truncated the prompt. Undefined: no check. */
  readonly reading: { readonly note: ReadObserver; readonly meter: Meter; readonly isEstimated: boolean } | undefined
}

/**
 * A thread with what is needed to run its turns: its log, what it shares with the book's other threads, and its
 * configuration.
 */
export interface ThreadHandle {
  readonly thread: string
  readonly store: Store
  readonly locks: ThreadLocks<Turn>
  /** Carries the text of its turns to clients that follow them. */
  readonly feed: Feed
  readonly log: LiveLog
  /** The system text, first in every prompt. */
  readonly system: string | undefined
  /** Returns the configuration of its turns. Throws if there is no model: such a thread can only be read. */
  config(tools?: readonly Tool[]): TurnConfig
  /** Returns the configuration with the window that the model's server tells, if the options have none. */
  discover(config: TurnConfig): Promise<TurnConfig>
  /** Returns what makes its prompts. Undefined if there is no model. */
  prompter(): Prompter | undefined
  /** Brings the log up to date, also after an erasure. Returns how far the thread had come when that began. */
  readonly refresh: (needs?: RefreshOptions) => Promise<Standing>
  /** Returns a text that is unique in this process or, with a queue, over all processes of the store. */
  readonly unique: () => Promise<string>
  /** Is told that the thread needs work, and has an instance run it. */
  readonly queue: TurnQueue
  /** True if the process that asks for a turn runs it, false if the queue picks an instance. */
  readonly runsHere: boolean
  /** What the thread was opened with. */
  readonly options: object
  /** The senders in this process that wait for turns of the queue. */
  readonly senders: LocalSenders
  readonly clock: Clock
  readonly journal: boolean
  /** A mutex for reading the state of the thread and then writing accordingly, among the users of this handle. */
  readonly exclusively: ReturnType<typeof createMutex>
  /** Runs the code of a turn, so that it knows its thread. */
  readonly around: <R>(run: () => R) => R
}

/**
 * The senders in this process that wait for a turn of the queue. If this process runs the turn, they hear it directly:
 * with all events, and without reading the log again.
 */
export interface LocalSenders {
  /** Registers a sender that asks for a turn and has read the thread's log. */
  add(handle: ThreadHandle, control: TurnControl): LocalSender
  /** Returns the handle of a sender that waits for a turn of this thread. */
  find(thread: string): ThreadHandle | undefined
  /**
   * Connects the senders that wait for a turn with the runner that begins it in this process. `turn`: the id of its
   * question, or of the waiting message. Returns a function that ends the turn for them. Without a result, it means
   * that the turn was not finished here.
   */
  join(thread: string, turn: string, runner: TurnControl): (result?: TurnResult) => void
}

/** A sender that waits for a turn. */
export interface LocalSender {
  /**
   * The id of the turn's question, or of the waiting message. It must be set before the queue is woken: a runner may
   * begin at once.
   */
  turn: string | undefined
  /**
   * Waits for the result of the turn if this process runs it. Returns undefined if the turn does not begin here within
   * 20 ms, or is not finished here.
   */
  heard(clock: Clock): Promise<TurnResult | undefined>
  /** Stops waiting. */
  leave(): void
}

/** How much of the log must be loaded. */
export interface RefreshOptions {
  /** Enough for prompts with this configuration. Default: the thread's own. */
  readonly config?: TurnConfig | undefined
  /** Load all of it. */
  readonly whole?: boolean | undefined
}

/** What a prompt must fit after a server refused one as longer than its window. */
export interface WindowOptions {
  /** The window that the server has. */
  readonly window: number
  readonly reserve?: number | undefined
  /**
   * The tokens of the refused prompt: as counted here, and as counted by the server. Set only if the server counted
   * more.
   */
  readonly counted?: { readonly predicted: number; readonly reported: number } | undefined
  /** Who named the window. Default: a refusal. */
  readonly source?: WindowSource | undefined
}

/** Builds a `WindowOptions` from a refusal. `predicted`: the tokens counted here in the refused prompt. */
export function fittingFor(
  { window, reserve }: Pick<WindowOptions, 'window' | 'reserve'>,
  told: ContextOverflow,
  predicted: number,
): WindowOptions {
  // If the server does not say its count, it has counted at least more than its window.
  const prompt = told.prompt ?? told.window ?? 0
  return {
    window,
    ...(reserve !== undefined && { reserve }),
    ...(prompt > predicted && { counted: { predicted, reported: prompt } }),
  }
}

/** Returns the counter, scaled so that it counts at least what the server counted. */
export function recounting({ counted }: WindowOptions, counter: TokenCounter): TokenCounter {
  return counted ? calibrated(counter, [counted]) : counter
}
