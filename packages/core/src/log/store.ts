import { sentAs, type Entry, type NewEntry } from './entry.ts'
import { MinutebookError } from './error.ts'
import { traits } from './kind.ts'
import type { NewRecord, Records } from './records.ts'

/**
 * Keeps logs. A store numbers entries, keeps their payloads faithfully, and lets nobody overwrite what another has
 * said; what entries mean is not its business, except that it may keep an image once for a thread (`setImagesApart`).
 * `storeCases` of `@minutebook/testing` is the whole test of a store.
 *
 * Contract: every method is atomic. Expected failures are answers, never errors.
 */
export interface Store {
  /**
   * Adds entries after one another, all or none, and gives each its seq. Entries that the log already has, by id, stay
   * as they are: an append that is retried is answered like the first time, whatever came in between, also where its
   * terms no longer hold. The newest chained entry becomes the head. Entries are kept, and answered, as their JSON.
   * Records that the terms carry are written together with the entries, also if all entries are there already: all of
   * it or nothing.
   */
  append(thread: string, entries: readonly NewEntry[], terms?: AppendTerms): Promise<Appended>
  /**
   * Entries in the order of the log or of one branch. A thread that was never written to has none. Throws
   * `unknown_entry` where the thread has no entry `head`.
   */
  read(thread: string, range?: Range): Promise<StoredEntry[]>
  /** How far the thread has come. */
  standing(thread: string): Promise<Standing>
  /** Takes the right to run the thread's turn: from now on, appends under any other term are fenced. */
  claim(thread: string): Promise<Standing>
  /** Threads that have entries, the one that got its newest entry last first. */
  list(page?: Page): Promise<Listing>
  /**
   * Entries that people may see and that hold every word of the query (`searchPhrases`), the newest first; 20 unless
   * told, and no more than `mostFound` characters.
   */
  search(query: string, within?: { readonly thread?: string; readonly limit?: number }): Promise<Found[]>
  /**
   * Replaces what entries said by tombstones (of the whole thread where no ids are given) and forgets what was made
   * from them: derived entries that hang off them, what was sent under the same key (the message as it was pending),
   * all snapshots of the thread, search; with the whole thread also its records. The chain stays whole. Ids that the
   * thread does not have are passed over.
   */
  erase(thread: string, ids?: readonly string[], options?: EraseOptions): Promise<Erasure>
  /**
   * Values worked out from a log, kept beside it so that they need not be worked out again. Can be lost at any time.
   */
  readonly snapshots: Snapshots
  /** Values of a program's own, of a thread or of the store. */
  readonly records: Records
}

/** An entry as it is kept, with the checksum that was kept with it. */
export interface StoredEntry extends Entry {
  readonly checksum: string
}

/** Under which an append is made. */
export interface AppendTerms {
  /** The head that the thread must have; null for a thread without one. */
  readonly head?: string | null
  /** The term that the runner claimed. */
  readonly term?: number
  /** Records of the thread that are written with the entries. */
  readonly records?: readonly NewRecord[]
}

/** What became of an append: all of it was written, or nothing. */
export type Appended =
  | { readonly ok: true; readonly entries: readonly StoredEntry[]; readonly standing: Standing }
  /**
   * `fenced`: the term is not the one claimed last; else `conflict`: the head, or the version of a record, is another;
   * else `absent`: a parent is not in the log. Nothing was written.
   */
  | { readonly ok: false; readonly reason: 'conflict' | 'fenced' | 'absent'; readonly standing: Standing }

/** Why an append cannot be made by its terms; undefined where it can. */
export function refusedBy({ head, term }: AppendTerms, standing: Standing): 'fenced' | 'conflict' | undefined {
  if (term !== undefined && term !== standing.term) return 'fenced'
  return head !== undefined && head !== standing.head ? 'conflict' : undefined
}

/** How far a thread has come. */
export interface Standing {
  readonly head: string | null
  /** How many entries it has: the next one gets this seq. */
  readonly length: number
  readonly term: number
  /** How often something of it was erased: what was worked out from it under another number may hold what is gone. */
  readonly erasures: number
}

/**
 * Which entries to read: of all branches in order of seq, or of the branch that ends with `head` in order of its
 * history.
 */
export interface Range {
  readonly head?: string
  /** The first seq, and the seq to stop before. */
  readonly from?: number
  readonly to?: number
  /** Only so many, the last ones. */
  readonly last?: number
  /**
   * Only what a sender sent under this id (`sentAs`), of all branches: `head` is passed over. What was erased has none.
   */
  readonly key?: string
}

/** Which page of a listing is read. */
export interface Page {
  /** 100 unless told. */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
}

/** One page of the threads of a store. */
export interface Listing {
  readonly threads: readonly (Standing & { readonly thread: string })[]
  /** Where there are more. */
  readonly next?: string
}

/** An entry that a search found. */
export interface Found {
  readonly thread: string
  readonly id: string
  readonly seq: number
  readonly text: string
}

/** What goes, or stays, with an erasure, all in one. */
export interface EraseOptions {
  /** Names of records that stay when the whole thread is erased. Default: none. */
  readonly keep?: readonly string[] | undefined
  /** Records that go together with the entries of these ids. */
  readonly records?: readonly { readonly name: string; readonly key: string }[] | undefined
}

/** What an erasure did, and what may be left of the bytes. */
export interface Erasure {
  readonly thread: string
  /** The entries that are tombstones now and were not before. */
  readonly erased: readonly string[]
  /** How many snapshots were forgotten. */
  readonly snapshots: number
  /** How many records were forgotten. */
  readonly records: number
  /** How many images were removed that the store kept by themselves: those that no other entry of the thread holds. */
  readonly images: number
  /** What remains, in words: hashes, and bytes in copies of the thread and of the store, with how to end that. */
  readonly remains: readonly string[]
}

/** What remains after an erasure in every store. */
export const forksRemain =
  'Forks and restored copies of this thread in this store keep what they hold: erase there too.'

/** The chain is made of them: no store can leave them out. */
export const hashesRemain =
  'The ids of erased entries stay, so that the log can still be verified, and so do hashes of prompts that held them. They are SHA-256 without a secret: whoever reads the store and guesses the exact text can confirm it, as long as the thread is kept.'

/** A value that was computed from the entries of a log up to one of them. */
export interface Snapshot {
  /** The newest entry that went into it. */
  readonly id: string
  readonly seq: number
  /** Plain JSON. */
  readonly value: unknown
}

/** How a snapshot is saved. */
export interface SaveOptions {
  /**
   * The `erasures` of the standing from before the log was read: where something was erased since, nothing is saved.
   */
  readonly erasures?: number
  /** Forgets the older ones of that name. */
  readonly only?: boolean
}

/** The part of a store that keeps snapshots. It may lose any of them. */
export interface Snapshots {
  /** Replaces the one of that name and seq. */
  save(thread: string, name: string, snapshot: Snapshot, saving?: SaveOptions): Promise<void>
  /** The newest one of that name from before `to` (a seq). */
  load(thread: string, name: string, to?: number): Promise<Snapshot | undefined>
}

/**
 * The entries of a log that an erasure makes tombstones of: those with these ids (all of them where none are given),
 * what was sent under the same key, and what was derived from either. In order; those that are tombstones already are
 * left out.
 */
export function erasedWith(log: readonly StoredEntry[], ids: readonly string[] | undefined): StoredEntry[] {
  const named = new Set(ids ?? log.map(({ id }) => id))
  const keys = new Set(log.filter(({ id }) => named.has(id)).map(sentAs))
  keys.delete(undefined)
  const sent = new Set(log.filter((entry) => named.has(entry.id) || keys.has(sentAs(entry))).map(({ id }) => id))
  return log.filter(({ id, parent, kind, status }) => {
    const follows = traits[kind].derived && parent !== null && sent.has(parent)
    return status !== 'erased' && (sent.has(id) || follows)
  })
}

/**
 * Whether an error is of a store that cannot be reached or written to for the moment: then trying again later is right.
 */
export function isTransient(error: unknown): boolean {
  return MinutebookError.isInstance(error) && error.code.startsWith('store_') && !final.has(error.code)
}

/** Those that no waiting mends. */
const final: ReadonlySet<string> = new Set(['store_corrupt', 'store_closed'])
