import { MinutebookError, type Branch, type VisibleEntry } from 'minutebook'
import type { VisibleAttachment } from 'minutebook/wire'
import type { CacheUsage, CallCacheUsage, CallCost, Share } from '@minutebook/inspect'
import type { CallChoice, KeptReceipt, ThreadDump, Verification, VerifyPart } from 'minutebook/inspect'
import type { Plan } from 'minutebook/compile'
import type {
  CallList,
  Erasure,
  Feedback,
  FeedbackList,
  FeedbackPage,
  Page,
  PrunePageResult,
  Removal,
  StoredRecord,
} from 'minutebook/store'
import type { CallPage, ListedCalls } from './call-list.ts'
import type { ArchivePrune } from './erase.ts'
import type { EntryLane, LaneChoice } from './lane.ts'
import type { Overview, OverviewQuery } from './overview.ts'
import type { RatedChoice } from './rated-turns.ts'
import type { ReplayChanges, ReplayedCall } from './replay.ts'
import type { FoundEntry } from './search.ts'
import type { ArchivePage, ThreadList, ThreadSummary } from './thread-list.ts'

/**
 * Queries of the record: the same on the command line, over HTTP and within a program. Every answer is plain JSON.
 * Throws `unknown_thread` for a thread that was never written to, and for internal threads.
 */
export interface Archive {
  /** The threads, the last written first. */
  threads(page?: ArchivePage): Promise<ThreadList>
  /** What was said on the newest branch, or on the one that ends with `head`: only what people may see. */
  show(thread: string, options?: ShowOptions): Promise<ShownThread>
  /** The receipts of the model calls on the newest branch, oldest first. */
  receipts(thread: string): Promise<readonly KeptReceipt[]>
  /** Exactly what the model saw: in the last call of a turn, in a call by its receipt, or in the last call of all. */
  dump(thread: string, call?: CallChoice): Promise<CallDump>
  /**
   * How much of each prompt the upstream could take from its cache, and why not more: of the calls on all branches,
   * oldest first.
   */
  cache(thread: string): Promise<readonly CallCacheUsage[]>
  /** What happened in all threads: figures over time, and the threads that need a look. */
  overview(query?: OverviewQuery): Promise<Overview>
  /** The model calls of all threads, the one that ended last first. A page may be short and still have a `next`. */
  calls(page?: CallPage): Promise<ListedCalls>
  /** Why it saw that. */
  explain(thread: string, call?: CallChoice): Promise<Explanation>
  /** What happened to one entry in all model calls after it, and what would have kept it. */
  lane(thread: string, entry: string, choice?: LaneChoice): Promise<EntryLane>
  /** All entries and records as lines of JSON, for `book.restore`. `entryIn` of minutebook/store reads a line's entry. */
  export(thread: string): AsyncIterable<string>
  /** Checks every entry and every prompt; with `part`, only the newest ones. */
  verify(thread: string, part?: VerifyPart): Promise<ThreadVerification>
  /** What the prompts of all model calls on the newest branch would have been under other options. Calls no model. */
  replay(thread: string, changes: ReplayChanges): Promise<readonly ReplayedCall[]>
  /** A state of the settings, now or as of an entry: the newest valid result of its tools. */
  state(thread: string, name: string, options?: { readonly at?: string | undefined }): Promise<ThreadState>
  /** Entries that people may see and that contain every word, of one thread or of all, the newest first. */
  search(
    query: string,
    within?: { readonly thread?: string | undefined; readonly limit?: number | undefined },
  ): Promise<readonly FoundEntry[]>
  /** The tool calls that wait for a decision, in all threads, the newest first. */
  waiting(page?: Pick<Page, 'limit' | 'after'>): Promise<CallList>
  /** A new thread that begins with this one up to an entry. Default: the newest. */
  fork(thread: string, options: { readonly as: string; readonly at?: string | undefined }): Promise<ThreadSummary>
  /** Restores a thread from an export: all of it or nothing. */
  import(thread: string, lines: AsyncIterable<string> | Iterable<string>): Promise<ImportedThread>
  /** Pins a message, so that every later prompt has it, or unpins it. Throws `run_thread` as `remove` does. */
  pin(thread: string, entry: string, isPinned: boolean): Promise<PinChange>
  /**
   * Records what a person thinks of a message; nothing in it takes back what `by` said before. Throws `run_thread` as
   * `remove` does.
   */
  rate(thread: string, entry: string, feedback: Feedback, by: string): Promise<FeedbackChange>
  /** Messages with feedback, what was written last first. */
  feedback(page?: FeedbackPage): Promise<FeedbackList>
  /**
   * Rated messages as lines of JSON, each with the prompt as it was sent. `before`: called before the log of a thread is
   * read.
   */
  exportRated(choice: RatedChoice, before?: (thread: string) => Promise<void>): AsyncIterable<string>
  /** Erases what entries said. Default: all entries. Returns the receipt of the erasure. */
  erase(thread: string, entries?: readonly string[]): Promise<Erasure>
  /** Removes a whole thread. Throws `run_thread` for the thread of a participant: its run still needs it. */
  remove(thread: string): Promise<Removal>
  /** Removes a page of old threads, or says which would go. Threads that have something to do stay. */
  prune(asked: ArchivePrune): Promise<PrunePageResult>
}

export interface ShowOptions {
  readonly head?: string | undefined
  /** Includes what people do not see: notes, journal, receipts, settings. For admins only. */
  readonly hidden?: boolean | undefined
}

/** Whether a message is pinned, and whether that is new. */
export interface PinChange {
  readonly thread: string
  readonly entry: string
  readonly pinned: boolean
  readonly changed: boolean
}

/** What a person thinks of a message, and whether that is new. */
export interface FeedbackChange extends Feedback {
  readonly thread: string
  readonly entry: string
  readonly by: string
  readonly changed: boolean
}

export interface ThreadState {
  readonly thread: string
  readonly name: string
  /** Null if the thread has no suitable result. */
  readonly value: unknown
}

/** A thread that was restored, and the records that came with it. */
export interface ImportedThread extends ThreadSummary {
  readonly records: readonly Pick<StoredRecord, 'name' | 'key' | 'value'>[]
}

/** A branch of a thread as people see it. */
export interface ShownThread {
  readonly thread: string
  /** The newest entry of the branch that is shown. */
  readonly head: string
  /** All branches, the newest first. */
  readonly branches: readonly Branch[]
  readonly entries: readonly ShownEntry[]
  /** How many entries of the branch are not shown: notes, journal, system entries, receipts, settings. */
  readonly hidden: number
}

/** An entry as people see it. */
export interface ShownEntry extends Omit<VisibleEntry, 'images' | 'attachments'> {
  /** How many images the entry has. */
  readonly images: number
  /** Parts that are neither text nor images. Not set without any. */
  readonly attachments?: readonly VisibleAttachment[]
  /** For a message: its number on the branch, counted from 0. Prompts quote it with this number. */
  readonly number?: number
  /** For a user entry: the number of the turn that it began on the branch, counted from 1. */
  readonly turn?: number
  /**
   * Heads of the branches that have another entry instead of this one, the newest first. If such a branch divides again,
   * only its newest head is listed.
   */
  readonly elsewhere?: readonly string[]
  /** On a thread of the gateway: whether the entry was sent from the console, or answers such an entry. */
  readonly console?: boolean
}

/** The model call of a dump or an explanation. */
export interface CallPlace {
  readonly thread: string
  /** The number of its turn on the newest branch; null if it is on another branch. */
  readonly turn: number | null
  /** The name of the call: `3`, `3.2` if its turn has several, or the beginning of the receipt's id. */
  readonly call: string
  readonly model: string | null
  readonly receipt: KeptReceipt
}

/** What the record says of a model call whose prompt cannot be derived here. Null if its settings were erased. */
export interface UnderivedCall extends CallPlace {
  readonly window: number | null
  readonly policy: string | null
  readonly counter: string | null
}

/** The call of an error `cannot_derive`. Undefined for any other error, and for one that a server sent. */
export function underivedCall(error: unknown): UnderivedCall | undefined {
  if (!MinutebookError.isInstance(error) || error.code !== 'cannot_derive') return undefined
  return error.details['call'] as UnderivedCall | undefined
}

export interface CallDump
  extends CallPlace, Pick<ThreadDump, 'messages' | 'tools' | 'text' | 'hash' | 'same' | 'erased'> {}

export interface Explanation extends CallPlace {
  /** What the window was used for, in the order of the prompt. */
  readonly shares: readonly Share[]
  /** Its ranges have the numbers of their messages. If the prompt was sent unchanged, their costs are estimates. */
  readonly plan: Plan
  /** By the prices in the settings; null if they do not name the model, or if the upstream reported no tokens. */
  readonly cost: CallCost | null
  /** What the upstream could take from its cache; null if the previous prompt cannot be derived here. */
  readonly cache: CacheUsage | null
  /** Whether the plan is that of the prompt that was sent. */
  readonly same: boolean
  /** Whether something that the prompt contained, or may have contained, was erased later. */
  readonly erased: boolean
}

export interface ThreadVerification extends Verification {
  readonly thread: string
}

export function unknownThreadError(): MinutebookError {
  return new MinutebookError('unknown_thread', 'There is no such thread.', 'List the threads to see which ones exist.')
}
