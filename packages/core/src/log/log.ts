import { branchOf, headOf, newestChained, notLoadedError } from './branch.ts'
import type { Clock } from './clock.ts'
import type { EntryDraft } from './draft.ts'
import { entryOf, sentAs, type Entry } from './entry.ts'
import { MinutebookError } from './error.ts'
import { isTooDeep } from './json.ts'
import { traits } from './kind.ts'
import {
  createPauses,
  createReader,
  coversAllAfter,
  type Checkpoint,
  type KnownEntries,
  type Reading,
} from './log-reader.ts'
import { recordable } from './message.ts'
import { positionOf, type LogPosition } from './next.ts'
import type { NewRecord } from './records.ts'
import { atOnce, inSlices, itemWork, type Pause, type Steps } from './steps.ts'
import type { Appended, AppendTerms, Standing, Store, StoredEntry } from './store.ts'
import { sizeOf } from './stored-entry.ts'

/**
 * A thread's log as one holder knows it: read once, from a checkpoint on where there is one, then only what is new.
 * Where the part that was read would not tell how the thread stands, all of it is read.
 */
export interface LiveLog {
  readonly thread: string
  /** Lets others have their turn in the middle of long work on it. */
  readonly pause: Pause
  /** Everything that is known, in order of seq: all entries, or those after `start` and what waits from before it. */
  readonly entries: readonly StoredEntry[]
  /** The checkpoint that `entries` go on from; none where all are known. */
  readonly start: Checkpoint | undefined
  /** How many entries the log has. */
  readonly length: number
  /** How often something of it was erased, as of before it was read. */
  readonly erasures: number
  /** The seq of the newest checkpoint that is of use; -1 where there is none. */
  readonly kept: number
  /** Where the log stands, or the entry that was checked out. */
  readonly head: string | null
  /** The entry that was chained last, on whatever branch: what a store calls the head. */
  readonly tip: string | null
  /**
   * Makes another entry the head for this holder, as a turn needs it that branches off; without one, the log's own
   * again.
   */
  checkout(head?: string): void
  /**
   * The entries of the line of conversation that ends there, or with `head`, with what hangs off them; those after
   * `start`.
   */
  branch(head?: string | null): readonly StoredEntry[]
  /** Where that line of conversation stands: its newest turn, and what comes next. */
  readonly position: LogPosition<StoredEntry>
  /** What is known from this seq on. */
  since(seq: number): readonly StoredEntry[]
  /** What was sent under a key, on whatever branch. Then it is known, with all that followed. */
  sentAs(key: string): Promise<readonly StoredEntry[]>
  /** Whether an entry is known. */
  has(id: string): boolean
  /** Makes sure that all that follows an entry is known (null: the root). */
  reach(id: string | null): Promise<void>
  /** Makes sure that everything is known. */
  whole(): Promise<void>
  /** Reads what others have written; everything anew where something was erased. */
  sync(reading?: Reading): Promise<void>
  /** Whether it was read at all. */
  readonly isRead: boolean
  /** Whether the thread had come further than is known. */
  isBehind(standing: Standing): boolean
  /** About how many characters of it are held in memory. */
  readonly size: number
  /**
   * Throws `thread_too_large` if these messages would be more than may be held in memory. What answers them is not
   * asked for: it must be kept.
   */
  checkRoom(drafts: readonly EntryDraft[]): void
  /** Keeps a checkpoint, for whoever reads the log next. */
  keep(checkpoint: Checkpoint): Promise<void>
  /** Adds messages one after the other, behind `after` (the head unless told). */
  append(drafts: readonly EntryDraft[], options?: AppendOptions): Promise<Appended>
  /** Those of these messages that were said in this very place before. */
  said(drafts: readonly EntryDraft[], options?: AppendOptions): readonly StoredEntry[]
  /** Whether one of these messages was said in this very place before, and erased: it would not come back. */
  isErased(drafts: readonly EntryDraft[], options?: AppendOptions): boolean
}

export interface AppendOptions {
  readonly after?: string | null
  readonly term?: number
  /** The `tip` that the thread must still have; under a term, the one that is known. */
  readonly expected?: string | null
  /** Another way to the store. */
  readonly write?: Store['append']
  /** Records of the thread that are written with the entries: all or nothing. */
  readonly records?: ((entries: readonly Entry[]) => readonly NewRecord[]) | undefined
}

/** How a log is held. */
export interface LiveLogOptions {
  /** Tells entries when they were written. */
  readonly clock?: Clock | undefined
  /** Told after each append from here. */
  readonly grown?: (() => void) | undefined
  /** About how many characters may be held in memory. Default: any number. */
  readonly sizeLimit?: number | undefined
}

export function liveLog(
  store: Store,
  thread: string,
  { clock, grown = () => undefined, sizeLimit = Infinity }: LiveLogOptions = {},
): LiveLog {
  const pause = createPauses(clock)
  const reader = createReader(store, thread, pause)
  let checkedOut: string | undefined
  /** The position, and what it was computed from. */
  let stood: { branch: readonly StoredEntry[]; length: number; at: LogPosition<StoredEntry> } | undefined
  /** Reading and writing alike. */
  const inTurn = createMutex()
  const making = function* (drafts: readonly EntryDraft[], after: string | null = log.head): Steps<Entry[]> {
    const entries: Entry[] = []
    const facts = clock ? { time: clock.now() } : {}
    let last = placeOf(reader.known, after)
    for (const draft of drafts) {
      const message = recordable(draft.message)
      yield itemWork + sizeOf(message) / 2
      const entry = entryOf(message, draft.off === undefined ? last : placeOf(reader.known, draft.off), {
        ...facts,
        ...draft.facts,
      })
      entries.push(entry)
      if (draft.off === undefined) last = entry
      yield sizeOf(message) / 2
    }
    return entries
  }
  const log: LiveLog = {
    thread,
    pause,
    get entries() {
      return reader.known.entries
    },
    get start() {
      return reader.known.start
    },
    get length() {
      return reader.known.length
    },
    get erasures() {
      return reader.erasures ?? 0
    },
    get kept() {
      return reader.kept
    },
    get size() {
      return reader.known.size
    },
    checkRoom: (drafts) => {
      // What nests too deep cannot be appended at all, and is refused there.
      const more = drafts.reduce((sum, { message }) => sum + (isTooDeep(message) ? 0 : sizeOf(message)), 0)
      if (log.size + more > sizeLimit) throw tooLarge(log.size, more, sizeLimit)
    },
    get head() {
      return checkedOut ?? headOf(log.entries)
    },
    get tip() {
      return newestChained(log.entries)?.id ?? null
    },
    checkout: (id) => {
      checkedOut = id
    },
    branch: (head = log.head) =>
      head === log.head ? reader.known.line(head) : branchOf(log.entries, head, log.start?.head ?? null),
    get position() {
      const branch = log.branch()
      const { length } = log.entries
      if (stood?.branch !== branch || stood.length !== length)
        stood = { branch, length, at: positionOf(branch, log.entries) }
      return stood.at
    },
    since: (seq) => log.entries.slice(log.entries.findLastIndex((entry) => entry.seq < seq) + 1),
    has: (id) => log.start === undefined || reader.known.byId.has(id),
    sentAs: async (key) => {
      if (await reader.isForeign(key)) await log.whole()
      return log.entries.filter((entry) => sentAs(entry) === key)
    },
    reach: async (id) => {
      if (!coversAllAfter(reader.known, id)) await log.whole()
    },
    whole: () => inTurn(() => reader.whole()),
    sync: (reading = {}) => inTurn(() => reader.sync(reading)),
    get isRead() {
      return reader.erasures !== undefined
    },
    isBehind: (standing) => log.length < standing.length || reader.erasures !== standing.erasures,
    keep: (checkpoint) => reader.keep(checkpoint),
    append: (
      drafts,
      {
        after,
        term,
        expected,
        records,
        write = (...given: Parameters<Store['append']>) => store.append(...given),
      } = {},
    ) =>
      inTurn(async () => {
        const terms: AppendTerms =
          term === undefined ? { ...(expected !== undefined && { head: expected }) } : { term, head: log.tip }
        const entries = await inSlices(making(drafts, after), pause)
        const appended = await write(thread, entries, records ? { ...terms, records: records(entries) } : terms)
        if (!appended.ok) return appended
        // Whoever took over may have written the very same: that was not for this runner to write, nor to act upon.
        if (term !== undefined && appended.standing.term !== term)
          return { ok: false, reason: 'fenced', standing: appended.standing }
        grown()
        await reader.take(appended.entries)
        // What was there already does not move the log, but it moves whoever said it again.
        const last = newestChained(appended.entries)?.id
        if (last !== undefined && expected === undefined) checkedOut = last === headOf(log.entries) ? undefined : last
        return appended
      }),
    said: (drafts, { after } = {}) =>
      atOnce(making(drafts, after)).flatMap(({ id }) => reader.known.byId.get(id) ?? []),
    isErased: (drafts, options) => {
      if (!log.entries.some(({ status }) => status === 'erased')) return false
      return log.said(drafts, options).some(({ kind, status }) => traits[kind].chained && status === 'erased')
    },
  }
  return log
}

/** What a thread cannot hold. */
export function tooLarge(size: number, more: number, limit: number): MinutebookError {
  return new MinutebookError(
    'thread_too_large',
    `This thread holds about ${size} characters (images count as they are sent), and with ${more} more it would be larger than ${limit}. Go on in a new thread, send less, or have threadLimit raised.`,
    { size, more, limit },
  )
}

/** What an entry that follows another needs to know of it. */
function placeOf(known: KnownEntries, after: string | null): Parameters<typeof entryOf>[1] {
  if (!coversAllAfter(known, after)) throw notLoadedError()
  const { start, byId } = known
  return start?.head === after
    ? { id: start.head, parent: null, seq: start.seq, kind: 'assistant' }
    : byId.get(after ?? '')
}

/**
 * Lets one piece of work through at a time, in the order in which they came: who comes second finds all that the first
 * has done. Who finds nobody begins at once.
 */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<void> | undefined
  return (work) => {
    const working = last ? last.then(work) : work()
    const over = working
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (last === over) last = undefined
      })
    last = over
    return working
  }
}
