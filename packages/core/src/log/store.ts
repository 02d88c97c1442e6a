import type { Entry, NewEntry } from './entry.ts'
import type { EraseOptions, Erasure, PruneResult, Removal } from './erasure.ts'
import type { StoredFigures, FigureQuery, NewCount } from './figures.ts'
import type { Segments } from './segments.ts'
import { checkPair, type Metadata } from './metadata.ts'
import { recordNames } from './record-names.ts'

/**
 * What does a store do? It numbers entries, keeps their payloads faithfully, and prevents one writer from overwriting
 * another. It does not know what entries mean, except that it may keep an image once per thread (`setImagesApart`).
 * `storeCases` of `@minutebook/testing` is the whole test of a store.
 *
 * Contract: every method is atomic. Expected failures are returned, never thrown.
 */
export interface Store {
  /**
   * Adds entries one after another, all or none, and gives each its seq. Entries that the log already has, by id, stay
   * as they are. So a retried append returns the same as the first time, whatever was written in between, even if its
   * terms no longer hold. The newest chained entry becomes the head. Entries are stored, and returned, as their JSON.
   * Records in the terms are written in the same transaction, even if all entries are already there.
   */
  append(thread: string, entries: readonly NewEntry[], terms?: AppendTerms): Promise<AppendResult>
  /**
   * Returns entries in the order of the log or of one branch. A thread that was never written to has none. Throws
   * `unknown_entry` if the thread has no entry `head`.
   */
  read(thread: string, range?: Range): Promise<StoredEntry[]>
  /** Returns how far the thread has come. */
  standing(thread: string): Promise<Standing>
  /** Claims the right to run the thread's turn. From now on, appends under any other term are refused as `fenced`. */
  claim(thread: string): Promise<Standing>
  /** Lists threads that have entries, with their metadata, the one with the newest entry first. */
  list(page?: Page): Promise<Listing>
  /**
   * Returns entries that people may see, and feedback, that have every word of the query (`searchPhrases`), newest first. At most
   * `limit` entries (Default: 20) and at most `mostFound` characters.
   */
  search(query: string, within?: SearchScope): Promise<SearchResult[]>
  /**
   * Replaces entries by tombstones and removes what was made from them: derived entries that hang off them, what was
   * sent under the same key (the pending message), records that repeat what they say, all snapshots and segments of the
   * thread, and the search index. Default: the whole thread, then also all of its records. The chain stays whole. Ids
   * that the thread does not have are ignored.
   */
  erase(thread: string, ids?: readonly string[], options?: EraseOptions): Promise<Erasure>
  /**
   * Removes a thread: its entries, images, snapshots, segments, records and words. It is in no list, and a new thread may take its
   * name. Only its standing stays, with no head and no entries. `term` and `erasures` are one higher if they or the
   * length were not 0: so the runner of an old turn is fenced, also from a new thread of the same name.
   */
  remove(thread: string): Promise<Removal>
  /**
   * Removes several threads in the same way, in one transaction, except those that are no longer as they were listed:
   * someone has written to them, claimed a term or erased something since. What remains of their words may go later.
   */
  prune(threads: readonly StoredThread[]): Promise<PruneResult>
  /**
   * Values computed from a log and stored next to it, so that they need not be computed again. Can be lost at any time.
   */
  readonly snapshots: Snapshots
  /** Indexes of a log, stored next to it in pieces. Can be lost at any time. */
  readonly segments: Segments
  /** A program's own values, of a thread or of the store. */
  readonly records: Records
  /** The sums of what appends have counted, the oldest first. */
  figures(query?: FigureQuery): Promise<readonly StoredFigures[]>
}

/** An entry as it is stored, with its stored checksum. */
export interface StoredEntry extends Entry {
  readonly checksum: string
}

/** The conditions of an append. */
export interface AppendTerms {
  /** The head that the thread must have. Null if it must not have one. */
  readonly head?: string | null
  /** The term that the runner claimed. */
  readonly term?: number
  /** Records of the thread that are written with the entries. */
  readonly records?: readonly NewRecord[]
  /** What is added to the figures of the store with the entries. */
  readonly count?: NewCount | undefined
  /** Called when the entries have their places and may not be on the disk yet: the append may still fail. */
  readonly placed?: ((entries: readonly StoredEntry[]) => void) | undefined
}

/** What became of an append: all of it was written, or nothing. */
export type AppendResult =
  | { readonly ok: true; readonly entries: readonly StoredEntry[]; readonly standing: Standing }
  /**
   * Nothing was written. `fenced`: the term is not the one claimed last. If not that, `conflict`: the head, or the
   * version of a record, is another. If not that, `absent`: a parent is not in the log.
   */
  | { readonly ok: false; readonly reason: 'conflict' | 'fenced' | 'absent'; readonly standing: Standing }

/** Why an append is refused by its terms. Undefined if it is not. */
export function refusedBy({ head, term }: AppendTerms, standing: Standing): 'fenced' | 'conflict' | undefined {
  if (term !== undefined && term !== standing.term) return 'fenced'
  return head !== undefined && head !== standing.head ? 'conflict' : undefined
}

/** How far a thread has come. */
export interface Standing {
  readonly head: string | null
  /** The number of entries. The next entry gets this seq. */
  readonly length: number
  readonly term: number
  /** How often something was erased. A value that was computed under another number may contain erased text. */
  readonly erasures: number
}

/** Whether a thread is as it was: no entry was written since, no term claimed and nothing erased. */
export function isUnchanged(before: Standing, now: Standing): boolean {
  return before.length === now.length && before.term === now.term && before.erasures === now.erasures
}

/** Which entries to read: of all branches in order of seq, or of the branch that ends with `head` in its own order. */
export interface Range {
  readonly head?: string
  /** The first seq, and the seq to stop before. */
  readonly from?: number
  readonly to?: number
  /** Only the entries with these seqs, in order of seq, on all branches: all other fields are ignored. */
  readonly seqs?: readonly number[]
  /** Only the entry with this id, on any branch: all other fields but `seqs` are ignored. */
  readonly id?: string
  /** Only the last entries, at most this many. */
  readonly last?: number
  /**
   * Only what a client sent under this id (`clientKeyOf`), on all branches: `head` is ignored. Erased entries have no key.
   */
  readonly key?: string
}

/** Which page of a listing is read. */
export interface Page {
  /** Default: 100. */
  readonly limit?: number | undefined
  /** The `next` of the previous page. */
  readonly after?: string | undefined
  /** Only threads whose metadata has all of these pairs. Then the list costs by the number of such threads. */
  readonly metadata?: Metadata | undefined
  /**
   * Only threads that may need work (`workLeft`): then the list costs by their number. A store may list others, too.
   * Default: false.
   */
  readonly unfinished?: boolean | undefined
  /**
   * Only threads without a new entry since then, by the clock of the store, the one with the oldest first. All other
   * conditions are ignored.
   */
  readonly unwrittenSince?: Date | undefined
}

/** A thread as a store lists it. */
export interface StoredThread extends Standing {
  readonly thread: string
  readonly metadata: Metadata
}

/** One page of the threads of a store. */
export interface Listing {
  readonly threads: readonly StoredThread[]
  /** Set if there are more. */
  readonly next?: string
}

/** Where a search looks, and how much it returns. */
export interface SearchScope {
  /** Default: all threads. */
  readonly thread?: string | undefined
  /** Default: 20. */
  readonly limit?: number | undefined
}

/** An entry that a search found. */
export interface SearchResult {
  readonly thread: string
  readonly id: string
  readonly seq: number
  readonly text: string
  /** Of feedback: the id of the entry that it is about, and who wrote it. */
  readonly about?: string
  readonly by?: string
}

/** A value that was computed from the entries of a log up to one of them. */
export interface Snapshot {
  /** The newest entry that it was computed from. */
  readonly id: string
  readonly seq: number
  /** Plain JSON. */
  readonly value: unknown
}

/** How a snapshot is saved. */
export interface SaveOptions {
  /** The thread's `erasures` from before the log was read. If something was erased since, nothing is saved. */
  readonly erasures?: number
  /** Also removes the older snapshots of that name. */
  readonly only?: boolean
}

/** The part of a store that keeps snapshots. It may lose any of them. */
export interface Snapshots {
  /** Replaces the snapshot of that name and seq. */
  save(thread: string, name: string, snapshot: Snapshot, saving?: SaveOptions): Promise<void>
  /** Returns the newest snapshot of that name from before `to` (a seq). */
  load(thread: string, name: string, to?: number): Promise<Snapshot | undefined>
}

/**
 * Small values that a program stores next to a log: how a thread is set up, which key was made, where a run is in a
 * list. They are not entries. No prompt, page, search or export of messages shows them, and no id that a client sends
 * leads to them. There is one value for each thread, name and key; a new value replaces the old one.
 */
export interface Records {
  /**
   * Puts records of one thread, all or none. `thread` is null for records of the store itself. A value that is already
   * there is not written again, unless a version is expected. To write records together with entries, pass them to
   * `append`.
   */
  put(thread: string | null, records: readonly NewRecord[]): Promise<PutRecords>
  /** The records that match the query, newest first. */
  find(query: RecordQuery): Promise<StoredRecord[]>
  /** Removes the record of that name and key. Default: all of that name. Returns how many it removed. */
  remove(thread: string | null, name: string, key?: string): Promise<number>
}

/** A record that is about to be written. */
export interface NewRecord {
  /** What kind of value it is. Short, chosen by the program. */
  readonly name: string
  /** Tells values of the same name apart. Default: the empty text, for a name that a thread has only once. */
  readonly key?: string | undefined
  /** Plain JSON. */
  readonly value: unknown
  /** Removes the record instead of writing it. Default: false. */
  readonly remove?: boolean | undefined
  /** The version that must be there, or 0 if there must not be one. If it differs, nothing is written. Default: any. */
  readonly expected?: number | undefined
}

/** A record as it is read. */
export interface StoredRecord {
  readonly thread: string | null
  readonly name: string
  readonly key: string
  readonly value: unknown
  /** 1 for the first value, and one more with each new value. */
  readonly version: number
  /** Its place in the order of writing. Only the store that returned it can read this text. */
  readonly position: string
}

/** What became of the records: all were written, or none. */
export type PutRecords =
  | { readonly ok: true; readonly records: readonly StoredRecord[] }
  /** `conflict`: a record does not have the expected version. Nothing was written. */
  | { readonly ok: false; readonly reason: 'conflict' }

/** Which records are looked up. */
export interface RecordQuery {
  readonly name: string
  readonly key?: string | undefined
  /** Default: records of all threads and of the store itself. */
  readonly thread?: string | null | undefined
  /** The most records to return. Default: all. */
  readonly limit?: number | undefined
  /** Only records that were written before this `position`: that of the last record on the previous page. */
  readonly after?: string | undefined
  /** Only records with a lower key, the highest first, such as times. `key`, `thread` and `after` are ignored then. */
  readonly below?: string | undefined
  /** With `below`: only records with this key or a higher one. */
  readonly from?: string | undefined
}

/** A record as a store writes it. */
export interface RecordText {
  readonly name: string
  readonly key: string
  /** The value as JSON. Null if the record is removed. */
  readonly text: string | null
  readonly expected: number | undefined
}

/**
 * The records as texts, each name and key once. If several have the same, the last one counts. Throws
 * `invalid_metadata` for a pair of metadata that is too long to be indexed.
 */
export function recordTexts(records: readonly NewRecord[]): readonly RecordText[] {
  const texts = new Map<string, RecordText>()
  for (const { name, key = '', value, expected, remove = false } of records) {
    if (name === recordNames.metadata && !remove) checkPair(key, value)
    const text = remove ? null : JSON.stringify(value ?? null)
    texts.set(JSON.stringify([name, key]), { name, key, text, expected })
  }
  return [...texts.values()]
}
