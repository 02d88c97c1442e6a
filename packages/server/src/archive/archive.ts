import { MinutebookError, type VisibleEntry } from 'minutebook'
import type { CallChoice, KeptReceipt, Plan, Share, ThreadDump, Verification } from 'minutebook/inspect'
import type { Erasure, SearchResult, StoredRecord } from 'minutebook/store'
import type { ReplayChanges, ReplayedCall } from './replay.ts'

/**
 * What people ask of the record: the same at the command line, over HTTP and within a program. Every answer is plain
 * JSON. Throws `unknown_thread` for a thread that was never written to, and for those that we keep for ourselves.
 */
export interface Archive {
  /** The threads, the one that was written to last first. */
  threads(page?: ArchivePage): Promise<ThreadList>
  /** What was said on the newest branch, or on the one that ends with `head`: what people may see, and nothing else. */
  show(thread: string, options?: ShowOptions): Promise<ShownThread>
  /** What was kept of the model calls on the newest branch, oldest first. */
  receipts(thread: string): Promise<readonly KeptReceipt[]>
  /** Exactly what the model saw: in the last call of a turn, in one by its receipt, or in the last one of all. */
  dump(thread: string, call?: CallChoice): Promise<CallDump>
  /** Why it saw that. */
  explain(thread: string, call?: CallChoice): Promise<Explanation>
  /** The log as lines of JSON, for `book.restore`. */
  export(thread: string): AsyncIterable<string>
  /** Checks every entry and every prompt. */
  verify(thread: string): Promise<ThreadVerification>
  /** What the prompts of all model calls on the newest branch would have been under other options. Calls no model. */
  replay(thread: string, changes: ReplayChanges): Promise<readonly ReplayedCall[]>
  /** A state of the settings, now or as of an entry: what the newest valid result of its tools says. */
  state(thread: string, name: string, options?: { readonly at?: string | undefined }): Promise<ThreadState>
  /** Entries that people may see and that hold every word, of one thread or of all, the newest first. */
  search(
    query: string,
    within?: { readonly thread?: string | undefined; readonly limit?: number | undefined },
  ): Promise<readonly SearchResult[]>
  /** A new thread that begins with this one up to an entry: the newest unless told. */
  fork(thread: string, options: { readonly as: string; readonly at?: string | undefined }): Promise<ThreadSummary>
  /** Restores a thread from an export: all of it, or nothing. */
  import(thread: string, lines: AsyncIterable<string> | Iterable<string>): Promise<ImportedThread>
  /** Forgets what entries said; all of them where none is named. The answer is the receipt of it. */
  erase(thread: string, entries?: readonly string[]): Promise<Erasure>
}

export interface ShowOptions {
  readonly head?: string | undefined
  /** With what people do not see: notes, journal, receipts, settings. For admins alone. */
  readonly hidden?: boolean | undefined
}

export interface ThreadState {
  readonly thread: string
  readonly name: string
  /** Null where no result counts. */
  readonly value: unknown
}

export interface ArchivePage {
  /** 100 unless told, 1,000 at most. */
  readonly limit?: number | undefined
  /** The `next` of the page before. */
  readonly after?: string | undefined
  /** Only threads that have one of these: all unless told. */
  readonly marks?: readonly Mark[] | undefined
}

/**
 * What is worth knowing of a thread before it is opened: that a part of a prompt was cut off upstream, that something
 * did not fit, that a turn failed, that an answer is not whole, that somebody spoke in it from the console.
 */
export type Mark = 'truncated' | 'overflow' | 'failed' | 'partial' | 'console'

export interface ThreadList {
  readonly threads: readonly ThreadSummary[]
  /** Where there are more. */
  readonly next?: string
}

/** A thread in a list. Null where the first and newest entries do not tell. */
export interface ThreadSummary {
  readonly thread: string
  /** The first words of the first question. */
  readonly title: string | null
  readonly model: string | null
  readonly entries: number
  /** When its newest entry was written. */
  readonly time: string | null
  readonly marks: readonly Mark[]
  /** Whether it was one question through the gateway and nothing more, such as for a title. */
  readonly oneOff: boolean
  /** Whether it came through the gateway: then its client runs its tools. */
  readonly relayed: boolean
}

/** A thread that was restored, and the records that came with it. */
export interface ImportedThread extends ThreadSummary {
  readonly records: readonly Pick<StoredRecord, 'name' | 'key' | 'value'>[]
}

export interface ShownThread {
  readonly thread: string
  /** The newest entry of the branch that is shown. */
  readonly head: string
  /** The heads of all branches, the newest first. */
  readonly branches: readonly string[]
  readonly entries: readonly ShownEntry[]
  /** How many entries of the branch are not shown: notes, journal, system entries, receipts, settings. */
  readonly hidden: number
}

/** An entry as people see it. */
export interface ShownEntry extends Omit<VisibleEntry, 'images'> {
  /** How many images came with it: they are not shown. */
  readonly images: number
  /** Of a user entry: which turn of the branch it began, from 1. */
  readonly turn?: number
  /** Heads of branches that went another way at this place, the newest first: of each other way its newest. */
  readonly elsewhere?: readonly string[]
  /** On a thread of the gateway: whether it was said in the console, or answered to that. */
  readonly console?: boolean
}

/** The model call that a dump or an explanation is of. */
export interface CallPlace {
  readonly thread: string
  /** The number of its turn on the newest branch; null where it is on another. */
  readonly turn: number | null
  readonly model: string | null
  readonly receipt: KeptReceipt
}

export interface CallDump
  extends CallPlace, Pick<ThreadDump, 'messages' | 'tools' | 'text' | 'hash' | 'same' | 'erased'> {}

export interface Explanation extends CallPlace {
  /** What the window was used for, in the order of the prompt. */
  readonly shares: readonly Share[]
  /** If the prompt was sent unchanged, what each stretch costs is an estimate. */
  readonly plan: Plan
  /** Whether the plan is of the very prompt that was sent. */
  readonly same: boolean
  /** Whether something that it was made of, or may have been made of, was erased since. */
  readonly erased: boolean
}

export interface ThreadVerification extends Verification {
  readonly thread: string
}

export function unknownThreadError(): MinutebookError {
  return new MinutebookError(
    'unknown_thread',
    'There is no such thread on record.',
    'List the threads to see which there are.',
  )
}
