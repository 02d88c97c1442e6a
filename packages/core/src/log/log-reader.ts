import { followBranch, headOf, type BranchReader } from './branch.ts'
import { checkpointFrom, checkpointName, type BranchPosition, type Checkpoint } from './checkpoint.ts'
import type { Entry } from './entry.ts'
import { traits } from './kind.ts'
import type { Standing, Store, StoredEntry } from './store.ts'
import { sizeOf, storedFrom } from './stored-entry.ts'
import { saveCheckpoint } from './stored-log.ts'
import { itemWork, type Pause } from './time.ts'

/** How much of a log must be read. */
export interface ReadOptions {
  /**
   * The hash of the settings under which prompts will be made, if any. The first read then starts at the checkpoint for
   * these settings.
   */
  readonly settings?: string | undefined
  /** True if everything is needed. */
  readonly whole?: boolean | undefined
  /** Makes newer checkpoints, if the newest one is long before the end of the log. Returns the newest. */
  readonly catchUp?: ((from: Checkpoint | undefined, standing: Standing) => Promise<Checkpoint | undefined>) | undefined
}

/** How much of a log must be loaded? Reads a log from a checkpoint on, if that is enough. One operation at a time. */
export interface Reader {
  readonly known: KnownEntries
  /** How often something was erased, as of before the log was read. Undefined if it was not read yet. */
  readonly erasures: number | undefined
  /** The seq of the newest usable checkpoint, or -1. */
  readonly kept: number
  /** Reads what is new. If something was erased, reads everything again. */
  sync(reading: ReadOptions): Promise<void>
  whole(): Promise<void>
  /** Adds entries that were appended, and those that others wrote before them. */
  take(appended: readonly StoredEntry[]): Promise<void>
  /** True if older entries that are not loaded were sent under this key. */
  isForeign(key: string): Promise<boolean>
  /** Saves a checkpoint. With `forget`, forgets what came before it, if that is not needed. */
  keep(checkpoint: Checkpoint, forget: boolean): Promise<void>
}

/** How many entries are read at once: the first time, at most, and how much work a page should be. */
const pages = { first: 64, most: 512, work: 250_000 }

export function createReader(store: Store, thread: string, pause: Pause): Reader {
  let known = createKnown()
  let erasures: number | undefined
  let kept = -1
  /** Set while it is unclear whether the loaded part is enough. The next sync then reads everything. */
  let isDoubtful = false

  /**
   * Reads a long log page by page, and lets others run in between. If something is erased meanwhile, the next `sync`
   * notices.
   */
  const readPages = async (from: number): Promise<StoredEntry[]> => {
    const read: StoredEntry[] = []
    for (let page = pages.first; ;) {
      const entries = await store.read(thread, { from: from + read.length, to: from + read.length + page })
      for (const entry of entries) read.push(entry)
      if (entries.length < page) return read
      const work = readingWork(entries)
      await pause(work)
      page = Math.max(1, Math.min(pages.most, Math.floor((page * pages.work) / work)))
    }
  }
  const readFrom = async (start?: Checkpoint): Promise<void> => {
    const read = await readPages(start ? start.seq + 1 : 0)
    known = createKnown(start)
    kept = start?.seq ?? -1
    isDoubtful = false
    await judge(addEntries(known, read))
  }
  /** Reads everything if the loaded part is not enough. */
  const judge = async (fresh: readonly StoredEntry[]): Promise<void> => {
    isDoubtful ||= !coversNewestTurn(known, fresh)
    if (isDoubtful) return readFrom()
    isDoubtful = known.start !== undefined
    if (await isSentBefore(fresh)) return readFrom()
    isDoubtful = false
  }
  /** True if a message waits under a key that an older entry used: then it may have been admitted already. */
  const isSentBefore = async (fresh: readonly StoredEntry[]): Promise<boolean> => {
    const keys = known.start
      ? new Set(
          fresh.flatMap(({ kind, status, key }) =>
            kind === 'pending' && status === 'complete' && key !== undefined ? [key] : [],
          ),
        )
      : []
    return (await Promise.all([...keys].map(isForeign))).includes(true)
  }
  const isForeign = async (key: string): Promise<boolean> => {
    if (!known.start) return false
    const older = await store.read(thread, { key, to: known.start.seq + 1 })
    return older.some(({ id }) => !known.byId.has(id))
  }
  /** False if what is loaded was read from the checkpoint of other settings. */
  const isEnough = ({ whole, settings }: ReadOptions): boolean =>
    !known.start || (!whole && (settings === undefined || settings === known.start.settings))
  const begin = async ({ settings, whole, catchUp }: ReadOptions): Promise<void> => {
    const load = whole ? undefined : store.snapshots.load(thread, checkpointName(settings))
    const [standing, snapshot] = await Promise.all([store.standing(thread), load])
    const newest = checkpointFrom(snapshot, standing.erasures, standing.length)
    await readFrom(whole || !catchUp ? newest : await catchUp(newest, standing))
    erasures = standing.erasures
  }
  return {
    get known() {
      return known
    },
    get erasures() {
      return erasures
    },
    get kept() {
      return kept
    },
    sync: async (reading) => {
      if (erasures === undefined) return begin(reading)
      const [standing, read] = await Promise.all([store.standing(thread), readPages(known.length)])
      if (standing.erasures !== erasures || !isEnough(reading)) return begin(reading)
      await judge(addEntries(known, read))
    },
    whole: async () => {
      if (erasures === undefined) return begin({ whole: true })
      if (known.start) await readFrom()
    },
    take: async (appended) => {
      const fresh = addEntries(known, appended)
      // Others have written in between.
      if (appended.some(({ seq }) => seq >= known.length))
        fresh.push(...addEntries(known, await readPages(known.length)))
      await judge(fresh)
    },
    isForeign,
    keep: async (checkpoint, forget) => {
      await saveCheckpoint(store, thread, checkpoint)
      kept = Math.max(kept, checkpoint.seq)
      if (forget) known = continued(checkpoint, known)
    },
  }
}

/** The loaded part of a log, with its indexes: all entries, or those after a checkpoint plus older pending messages. */
export interface KnownEntries {
  readonly start: Checkpoint | undefined
  readonly entries: StoredEntry[]
  readonly byId: Map<string, StoredEntry>
  readonly line: BranchReader<StoredEntry>
  /** The number of entries in the log. */
  length: number
  /** About how many characters `entries` have. */
  size: number
}

function createKnown(start?: Checkpoint): KnownEntries {
  const entries = start ? pendingOf(start) : []
  return {
    start,
    entries,
    byId: new Map(entries.map((entry) => [entry.id, entry])),
    line: followBranch(entries, start?.head),
    length: start ? start.seq + 1 : 0,
    size: 0,
  }
}

/**
 * What is known, as if it had been read from this checkpoint on. So a thread that is used for long takes no more memory
 * than one that was just opened. Unchanged if a turn before the checkpoint is the newest one.
 */
function continued(checkpoint: Checkpoint, known: KnownEntries): KnownEntries {
  const later = createKnown(checkpoint)
  addEntries(
    later,
    known.entries.filter(({ seq }) => seq > checkpoint.seq),
  )
  return later.length === known.length && coversNewestTurn(later, later.entries) ? later : known
}

/** The end of a log, while it is read in parts. */
export interface Tail {
  readonly known: KnownEntries
  /** Adds the entries that come next. Returns false if they need more of the log than is loaded. */
  add(read: readonly StoredEntry[]): boolean
  /** The same end from a later checkpoint on, as far as that is enough. */
  from(checkpoint: Checkpoint): Tail
}

export function createTail(start: Checkpoint | undefined): Tail {
  return tailOf(createKnown(start))
}

function tailOf(known: KnownEntries): Tail {
  return {
    known,
    add: (read) => coversNewestTurn(known, addEntries(known, read)),
    from: (checkpoint) => tailOf(continued(checkpoint, known)),
  }
}

/** Adds the entries that come next, and returns those that are new. */
function addEntries(known: KnownEntries, read: readonly StoredEntry[]): StoredEntry[] {
  return read.filter((entry) => {
    if (entry.seq !== known.length) return false
    known.entries.push(entry)
    known.byId.set(entry.id, entry)
    known.length++
    known.size += sizeOf(entry.raw)
    return true
  })
}

/** True if everything after this entry is loaded. Then it is known whether something was said there before. */
export function coversAllAfter(known: Pick<KnownEntries, 'start' | 'byId'>, id: string | null): boolean {
  const { start, byId } = known
  if (!start || id === start.head) return true
  const entry = id === null ? undefined : byId.get(id)
  return entry !== undefined && (traits[entry.kind].chained || coversAllAfter(known, entry.parent))
}

/** True if the loaded part contains the whole newest turn and no entry in `fresh` belongs before it. */
function coversNewestTurn(known: KnownEntries, fresh: readonly StoredEntry[]): boolean {
  const { start, entries, byId } = known
  if (!start) return true
  const isBefore = ({ kind, parent, text }: StoredEntry): boolean => {
    if (traits[kind].chained || kind === 'pending') return false
    return !coversAllAfter(known, parent) || (kind === 'revocation' && !byId.has(text))
  }
  return !fresh.some(isBefore) && hasQuestion(known, headOf(entries))
}

/** True if the loaded part of the branch that ends with `head` has a question. */
function hasQuestion({ start, byId }: KnownEntries, head: string | null): boolean {
  let isAsked = false
  for (let next = head; next !== start?.head;) {
    const entry = next === null ? undefined : byId.get(next)
    if (!entry) return false
    isAsked ||= traits[entry.kind].opensExchange
    next = entry.parent
  }
  return isAsked
}

function pendingOf({ pending }: BranchPosition): StoredEntry[] {
  return pending.map(storedFrom)
}

/** How much work it is to read these entries. */
export function readingWork(entries: readonly Entry[]): number {
  return entries.reduce((work, { raw }) => work + itemWork + sizeOf(raw), 0)
}
