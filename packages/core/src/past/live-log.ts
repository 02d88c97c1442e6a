import { headOf, lineOf, newestChained, unknownEntry } from '../log/log.ts'
import { createPauses, inSlices, itemWork, type Clock, type Pause, type Steps } from '../log/time.ts'
import { entryOf, type Entry, type EntryDraft } from '../log/entry.ts'
import { fail, notLoadedError, tooLargeError } from '../log/error.ts'
import { isTooDeep } from '../log/json.ts'
import { traits } from '../log/kind.ts'
import type { NewCount } from '../log/figures.ts'
import { coversAllAfter, formPlace, hasFormPlace, placeAfter } from './known-entries.ts'
import { createReader, type ReadOptions } from './log-reader.ts'
import { createPast, type Past } from './past.ts'
import { recordable } from '../log/message.ts'
import { uncached, type PieceCache } from './piece-cache.ts'
import { checkBehind, checkBeside, positionOf, type LogPosition } from '../log/next.ts'
import type { AppendResult, AppendTerms, NewRecord, Standing, Store, StoredEntry } from '../log/store.ts'
import { sizeOf } from '../log/stored-entry.ts'
import { storedLog, type StoredLog } from './stored-log.ts'

/**
 * How does a process see a thread's log? It reads the log once, from a checkpoint on if there is one, and later only
 * what is new. If the loaded part is not enough to know where the thread is, it reads everything.
 */
export interface LiveLog {
  readonly thread: string
  /** Lets others run in the middle of long work on the log. */
  readonly pause: Pause
  /** The loaded entries in order of seq: all of them, or those after `start` plus older waiting messages. */
  readonly entries: readonly StoredEntry[]
  /** What is before them, and how it is had. */
  readonly past: Past
  /** The number of entries in the log. */
  readonly length: number
  /** The current head of the log, or the entry that was checked out. */
  readonly head: string | null
  /**
   * Makes another entry the head for this process, for a turn that branches off. Without an id, the log's own head
   * again.
   */
  checkout(head?: string): void
  /**
   * The entries of the branch that ends with `head`, with what hangs off them. Only entries after `start`. Loads the
   * whole log if it does not have all of them. `use`: what is made of them at once, with `past` of the same moment.
   */
  line(head: string | null): Promise<readonly StoredEntry[]>
  line<T>(head: string | null, use: (line: readonly StoredEntry[]) => T): Promise<T>
  /** The same for what is known to be loaded, such as the newest turn. Default: the current head. */
  branch(head?: string | null): readonly StoredEntry[]
  /** The newest turn of that branch, and what comes next. */
  readonly position: LogPosition<StoredEntry>
  /** The loaded entries from this seq on. */
  since(seq: number): readonly StoredEntry[]
  /**
   * Reads what others have written. If something was erased, reads everything again. Returns how far the thread had come
   * when the reading began.
   */
  sync(reading?: ReadOptions): Promise<Standing>
  /** True if it was not read yet, or if the thread has come further than what is loaded. */
  isBehind(standing?: Standing): boolean
  /** About how many characters of the log are in memory. */
  readonly size: number
  /**
   * Throws `thread_too_large` if the log with these messages would be larger than the limit in memory. Only called for
   * incoming messages: an answer must be recorded in any case.
   */
  checkRoom(drafts: readonly EntryDraft[]): void
  /** Reads what is not loaded, for indexes over the log. */
  readonly stored: StoredLog
  /** Appends messages one after the other, after the entry `after`. Default: after the head. */
  append(drafts: readonly EntryDraft[], options?: AppendOptions): Promise<AppendResult>
  /** Those of these messages that are already recorded at exactly this place. */
  said(drafts: readonly EntryDraft[], options?: Pick<AppendOptions, 'after'>): Promise<readonly StoredEntry[]>
}

export interface AppendOptions {
  readonly after?: string | null
  readonly term?: number
  /** The newest chained entry that the thread must still have (`tipOf`). Under a term, it is the loaded one. */
  readonly expected?: string | null
  /** Replaces the store's `append`. */
  readonly write?: Store['append']
  /** Records of the thread that are written with the entries, all or nothing. */
  readonly records?: ((entries: readonly Entry[]) => readonly NewRecord[]) | undefined
  /** What is added to the figures of the store with the entries. */
  readonly count?: ((entries: readonly Entry[]) => NewCount | undefined) | undefined
  /** Called when the log has the entries, if that is before the store has them on the disk. Only without a term. */
  readonly placed?: ((entries: readonly StoredEntry[]) => void) | undefined
}

/** How a log is loaded and written. */
export interface LiveLogOptions {
  /** Provides the time that entries are recorded with. */
  readonly clock?: Clock | undefined
  /** Called after each append from here. */
  readonly grown?: (() => void) | undefined
  /** Records of the thread that are written with its first entry. Default: none. */
  readonly first?: readonly NewRecord[] | undefined
  /** About how many characters may be in memory. Default: any number. */
  readonly sizeLimit?: number | undefined
  /** Keeps pieces of segments that were read. Default: none are kept. */
  readonly pieces?: PieceCache | undefined
}

export function liveLog(
  store: Store,
  thread: string,
  { clock, grown = () => undefined, first = [], sizeLimit = Infinity, pieces = uncached }: LiveLogOptions = {},
): LiveLog {
  const pause = createPauses(clock)
  const stored: StoredLog = {
    ...storedLog(store, thread, pause),
    pieces: (wanted) => pieces.read({ thread, erasures: past.erasures }, wanted, store),
  }
  const reader = createReader(store, thread, stored)
  let checkedOut: string | undefined
  /** The position, and what it was computed from. */
  let stood: { branch: readonly StoredEntry[]; length: number; at: LogPosition<StoredEntry> } | undefined
  /** For reading and writing alike. */
  const exclusively = createMutex()
  const making = function* (drafts: readonly EntryDraft[], after: string | null = log.head): Steps<Entry[]> {
    const entries: Entry[] = []
    const facts = clock ? { time: clock.now() } : {}
    let last = placeAfter(reader.known, after)
    for (const draft of drafts) {
      const message = recordable(draft.message)
      yield itemWork + sizeOf(message) / 2
      const entry = entryOf(message, draft.off === undefined ? last : formPlace(reader.known, draft.off), {
        ...facts,
        ...draft.facts,
      })
      entries.push(entry)
      if (draft.off === undefined) last = entry
      yield sizeOf(message) / 2
    }
    return entries
  }
  /**
   * Refuses what comes from elsewhere while a call needs approval, behind the call or on another branch. Results of tools
   * that ran here are not refused, nor is a model's answer to what is on another branch already.
   */
  const checkFollows = async (entries: readonly Entry[]): Promise<void> => {
    const from = entries.findIndex(({ id, kind }) => traits[kind].chained && !reader.known.byId.has(id))
    const first = entries[from]
    if (!first || (first.kind === 'tool' && first.origin === 'tool')) return
    const [added, head] = [entries.slice(from), headOf(log.entries)]
    const before = reader.known.byId.get(first.parent ?? '')
    if (before && (before.kind === 'tool' || before.calls.length > 0)) checkBehind(await lineTo(before.id), added)
    if (first.origin !== 'model' && head !== null && head !== before?.id) checkBeside(await lineTo(head))
  }
  const loadedLine = (head: string | null): readonly StoredEntry[] | undefined =>
    head === log.head ? reader.known.line(head) : lineOf(log.entries, head, past.start?.head ?? null)
  /** Only while no other operation runs. */
  const lineTo = async (head: string | null): Promise<readonly StoredEntry[]> => {
    const loaded = loadedLine(head)
    if (loaded) return loaded
    await reader.whole()
    return loadedLine(head) ?? fail(unknownEntry(head ?? ''))
  }
  const past = createPast(reader, exclusively, () => checkedOut !== undefined)
  const log: LiveLog = {
    thread,
    pause,
    get entries() {
      return reader.known.entries
    },
    past,
    get length() {
      return reader.known.length
    },
    get size() {
      return reader.known.size
    },
    checkRoom: (drafts) => {
      // Messages that nest too deep are not measured here: `append` refuses them.
      const more = drafts.reduce((sum, { message }) => sum + (isTooDeep(message) ? 0 : sizeOf(message)), 0)
      if (log.size + more > sizeLimit) throw tooLargeError(log.size, more, sizeLimit)
    },
    get head() {
      return checkedOut ?? headOf(log.entries)
    },
    checkout: (id) => {
      checkedOut = id
    },
    line: async <T>(head: string | null, use?: (line: readonly StoredEntry[]) => T) => {
      const used = (line: readonly StoredEntry[]): T => (use ? use(line) : (line as T))
      const loaded = loadedLine(head)
      return loaded ? used(loaded) : exclusively(async () => used(await lineTo(head)))
    },
    branch: (head = log.head) => loadedLine(head) ?? fail(past.start ? notLoadedError() : unknownEntry(head ?? '')),
    get position() {
      const branch = log.branch()
      const { length } = log.entries
      if (stood?.branch !== branch || stood.length !== length)
        stood = { branch, length, at: positionOf(branch, log.entries) }
      return stood.at
    },
    since: (seq) => log.entries.slice(log.entries.findLastIndex((entry) => entry.seq < seq) + 1),
    sync: (reading = {}) =>
      exclusively(async () => {
        const standing = await reader.sync(reading)
        // A removed thread has no entry that could be checked out.
        if (checkedOut !== undefined && !past.start && !reader.known.byId.has(checkedOut)) checkedOut = undefined
        return standing
      }),
    isBehind: (standing) =>
      reader.erasures === undefined ||
      (standing !== undefined && (log.length < standing.length || reader.erasures !== standing.erasures)),
    stored,
    append: (drafts, { after, term, expected, records, count, placed, write } = {}) =>
      exclusively(async () => {
        const terms: AppendTerms =
          term === undefined ? { ...(expected !== undefined && { head: expected }) } : { term, head: tipOf(log) }
        // A checkpoint that another caller has saved meanwhile may have dropped the entry.
        const isPlaced =
          coversAllAfter(reader.known, after === undefined ? log.head : after) &&
          drafts.every(({ off }) => off === undefined || hasFormPlace(reader.known, off))
        if (!isPlaced) await reader.whole()
        const entries = await inSlices(making(drafts, after), pause)
        await checkFollows(entries)
        const isNew = reader.erasures !== undefined && log.length === 0 && entries.length > 0
        const written = [...(isNew ? first : []), ...(records?.(entries) ?? [])]
        const take = async (appended: readonly StoredEntry[]): Promise<void> => {
          await reader.take(appended)
          // An entry that was already there does not move the log's head, but it is the head for who said it again.
          const last = newestChained(appended)?.id
          if (last !== undefined && expected === undefined) checkedOut = last === headOf(log.entries) ? undefined : last
        }
        let taking: Promise<void> | undefined
        const takeEarly = (early: readonly StoredEntry[]): void => {
          taking = take(early).then(() => placed?.(early))
          // The append may fail before anyone waits for this.
          taking.catch(() => undefined)
        }
        const early = placed && { placed: takeEarly }
        const more = {
          ...(written.length > 0 && { records: written }),
          ...(count && { count: count(entries) }),
          ...early,
        }
        const append: Store['append'] = write ?? ((...given) => store.append(...given))
        const appended = await append(thread, entries, { ...terms, ...more })
        if (!appended.ok) return appended
        // If a runner that took over has written the very same entries, this one must not act on them.
        if (term !== undefined && appended.standing.term !== term)
          return { ok: false, reason: 'fenced', standing: appended.standing }
        grown()
        await (taking ?? take(appended.entries))
        return appended
      }),
    said: (drafts, { after = log.head } = {}) =>
      exclusively(async () => {
        if (!coversAllAfter(reader.known, after)) await reader.whole()
        const entries = await inSlices(making(drafts, after), pause)
        return entries.flatMap(({ id }) => reader.known.byId.get(id) ?? [])
      }),
  }
  return log
}

/** True if one of these messages was recorded at exactly this place and then erased. It would not come back. */
export async function wasErased(log: LiveLog, ...at: Parameters<LiveLog['said']>): Promise<boolean> {
  if (!log.entries.some(({ status }) => status === 'erased')) return false
  const said = await log.said(...at)
  return said.some(({ kind, status }) => traits[kind].chained && status === 'erased')
}

/** The newest chained entry on any branch. A store calls this the head. */
export function tipOf({ entries }: Pick<LiveLog, 'entries'>): string | null {
  return newestChained(entries)?.id ?? null
}

/** A mutex: runs async work one at a time, in order. Starts synchronously if it is free. */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<void> | undefined
  return (work) => {
    const working = last ? last.then(work) : work()
    const over = working
      .catch(() => undefined)
      .then(() => {
        if (last === over) last = undefined
      })
    last = over
    return working
  }
}
