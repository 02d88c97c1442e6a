import { followBranch, headOf, type BranchReader } from './branch.ts'
import { withNewestSystemText, type Entry } from './entry.ts'
import { traits } from './kind.ts'
import { newestTurn, waitingIn } from './next.ts'
import { openCalls } from './open-call.ts'
import type { Snapshot, Store, StoredEntry } from './store.ts'
import { payloadOf, sizeOf, storedFrom } from './stored-entry.ts'
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
  keep(checkpoint: Checkpoint): Promise<void>
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
  const begin = async ({ settings, whole }: ReadOptions): Promise<void> => {
    const load = whole ? undefined : store.snapshots.load(thread, checkpointName(settings))
    const [standing, snapshot] = await Promise.all([store.standing(thread), load])
    await readFrom(checkpointFrom(snapshot, standing.erasures, standing.length))
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
      const isEnough = standing.erasures === erasures && !(reading.whole && known.start)
      await (isEnough ? judge(addEntries(known, read)) : readFrom())
      erasures = standing.erasures
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
    keep: async (checkpoint) => {
      const { settings, fold: _, head: id, seq, ...rest } = checkpoint
      const save = (name: string, value: Checkpoint): Promise<void> =>
        store.snapshots.save(thread, name, { id, seq, value }, { erasures: value.erasures, only: true })
      await Promise.all([
        save(checkpointName(settings), checkpoint),
        save(checkpointName(undefined), { ...rest, head: id, seq }),
      ])
      kept = Math.max(kept, seq)
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

/**
 * The position of a branch before one of its turns, with everything that is still needed from before. Plain data,
 * stored next to the log. It can be lost at any time. Everything that follows `head` is newer than it.
 */
export interface Checkpoint extends BranchPosition {
  readonly version: 1
  /** The thread's `erasures` from before the log was read. */
  readonly erasures: number
  /** The hash of its settings, and whether the branch has recorded them. */
  readonly settings?: string
  readonly hasSettings: boolean
  /** The saved fold of the branch, under these settings. */
  readonly fold?: unknown
}

/** A position on a branch. */
export interface BranchPosition {
  /** The chained entry at the position. */
  readonly head: string
  /** The seq of the newest entry before the position. */
  readonly seq: number
  /** The number of chained entries up to the position. Of system texts, only the newest counts. */
  readonly places: number
  /** The operator's last system text, or null. A new one is compared with it. */
  readonly system: string | null
  /** Waiting messages, as they are stored. */
  readonly pending: readonly { readonly seq: number; readonly checksum: string; readonly payload: string }[]
}

/**
 * The position before the newest turn of a branch. Undefined if a log that is read from there on would miss something.
 */
export function positionBeforeTurn(
  log: readonly StoredEntry[],
  branch: readonly StoredEntry[],
  start: BranchPosition | undefined,
): BranchPosition | undefined {
  const before = branch.slice(0, branch.length - newestTurn(branch).length)
  const chain = before.filter(({ kind }) => traits[kind].chained)
  const head = chain.at(-1)
  if (!head || openCalls(newestTurn(before)).length > 0) return undefined
  let seq = head.seq
  for (const entry of before) if (entry.kind !== 'pending' && entry.seq > seq) seq = entry.seq
  // The question, or an entry of another branch, was written before the last entry that hangs off the older part.
  if (log.some((entry) => entry.seq > head.seq && entry.seq <= seq && traits[entry.kind].chained)) return undefined
  const older = log.filter((entry) => entry.seq <= seq)
  return {
    head: head.id,
    seq,
    places: (start?.places ?? 0) + withNewestSystemText(chain).length,
    system: before.findLast(isOperatorMessage)?.text ?? start?.system ?? null,
    pending: waitingIn(older).map((entry) => ({ seq: entry.seq, checksum: entry.checksum, payload: payloadOf(entry) })),
  }
}

export function isOperatorMessage({ kind, origin }: Entry): boolean {
  return kind === 'system' && origin === 'operator'
}

function pendingOf({ pending }: BranchPosition): StoredEntry[] {
  return pending.map(storedFrom)
}

/** Without settings: the checkpoint without a fold, for readers that make no prompts. */
function checkpointName(settings: string | undefined): string {
  return settings === undefined ? 'fold' : `fold:${settings}`
}

/** Undefined if there is no checkpoint, or if it no longer fits the log. */
function checkpointFrom(snapshot: Snapshot | undefined, erasures: number, length: number): Checkpoint | undefined {
  const kept = snapshot?.value as Partial<Checkpoint> | null | undefined
  return kept?.version === 1 && kept.erasures === erasures && snapshot!.seq < length ? (kept as Checkpoint) : undefined
}

/** How much work it is to read these entries. */
export function readingWork(entries: readonly Entry[]): number {
  return entries.reduce((work, { raw }) => work + itemWork + sizeOf(raw), 0)
}
