import { followBranch, headOf, type BranchReader } from './branch.ts'
import type { Clock } from './clock.ts'
import { withNewestSystemText } from './draft.ts'
import type { Entry } from './entry.ts'
import { traits } from './kind.ts'
import { newestTurn, openCalls, waitingIn } from './next.ts'
import { itemWork, type Pause } from './steps.ts'
import type { Snapshot, Store, StoredEntry } from './store.ts'
import { payloadOf, sizeOf, storedFrom } from './stored-entry.ts'

/** How much of a log is read. */
export interface Reading {
  /**
   * The hash of the settings under which prompts will be made, where some will be: the first time, their checkpoint is
   * enough.
   */
  readonly settings?: string | undefined
  /** Everything is needed. */
  readonly whole?: boolean | undefined
}

/** Reads a log, from a checkpoint on where that is enough. One piece of work at a time. */
export interface Reader {
  readonly known: KnownEntries
  /** How often something was erased, as of before the log was read; undefined where it was not read yet. */
  readonly erasures: number | undefined
  /** The seq of the newest checkpoint that is of use; -1 where there is none. */
  readonly kept: number
  /** Reads what is new; everything anew where something was erased. */
  sync(reading: Reading): Promise<void>
  whole(): Promise<void>
  /** Takes in what was appended, with what others have written before it. */
  take(appended: readonly StoredEntry[]): Promise<void>
  /** Whether something was sent under a key of which nothing is known. */
  isForeign(key: string): Promise<boolean>
  keep(checkpoint: Checkpoint): Promise<void>
}

/** How many entries are read at once: first, at most, and as many as are worth so much work. */
const pages = { first: 64, most: 512, work: 250_000 }

export function createReader(store: Store, thread: string, pause: Pause): Reader {
  let known = createKnown()
  let erasures: number | undefined
  let kept = -1
  /** Whether it could not be found out that what is known is enough. */
  let isDoubtful = false

  /** Reads a long log page by page, with others in between. The next `sync` notices what is erased meanwhile. */
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
  /** Reads everything where what is known is not enough. */
  const judge = async (fresh: readonly StoredEntry[]): Promise<void> => {
    isDoubtful ||= !coversNewestTurn(known, fresh)
    if (isDoubtful) return readFrom()
    isDoubtful = known.start !== undefined
    if (await isSentBefore(fresh)) return readFrom()
    isDoubtful = false
  }
  /** Whether a message waits under a key that was used long before: then it may wait no longer. */
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
  const begin = async ({ settings, whole }: Reading): Promise<void> => {
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

/**
 * What is known of a log, and what is kept to find one's way in it: everything, or what came after a checkpoint with
 * what waits from before.
 */
export interface KnownEntries {
  readonly start: Checkpoint | undefined
  readonly entries: StoredEntry[]
  readonly byId: Map<string, StoredEntry>
  readonly line: BranchReader<StoredEntry>
  /** How many entries the log has. */
  length: number
  /** About how many characters `entries` hold. */
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

/** Takes in what follows, and gives what of it is new. */
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

/** Whether all that follows an entry is known, and so whether something was said there before. */
export function coversAllAfter(known: Pick<KnownEntries, 'start' | 'byId'>, id: string | null): boolean {
  const { start, byId } = known
  if (!start || id === start.head) return true
  const entry = id === null ? undefined : byId.get(id)
  return entry !== undefined && (traits[entry.kind].chained || coversAllAfter(known, entry.parent))
}

/**
 * Whether the newest turn can be told from what is known, `fresh` being what came last: it stands in it, and nothing
 * came to what is before it.
 */
function coversNewestTurn(known: KnownEntries, fresh: readonly StoredEntry[]): boolean {
  const { start, entries, byId } = known
  if (!start) return true
  const isBefore = ({ kind, parent, text }: StoredEntry): boolean => {
    if (traits[kind].chained || kind === 'pending') return false
    return !coversAllAfter(known, parent) || (kind === 'revocation' && !byId.has(text))
  }
  return !fresh.some(isBefore) && hasQuestion(known, headOf(entries))
}

/** Whether the line of conversation that ends there has a question in what is known. */
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
 * Where a branch stood before one of its turns, with all that is still needed of what came before. Plain data, kept
 * beside the log; can be lost at any time. Whatever follows `head` is newer than it.
 */
export interface Checkpoint extends BranchPosition {
  readonly version: 1
  /** The `erasures` from before the log was read that it was made of. */
  readonly erasures: number
  /** The hash of the settings that it is for, and whether the branch has them on record. */
  readonly settings?: string
  readonly hasSettings: boolean
  /** The saved fold of the branch, under these settings. */
  readonly fold?: unknown
}

/** A place on a branch. */
export interface BranchPosition {
  /** The chained entry that it ends with. */
  readonly head: string
  /** The newest entry that went into it. */
  readonly seq: number
  /** How many chained entries the branch has up to here, of system texts only the newest. */
  readonly places: number
  /** What an operator said last, as the system text is compared with; null where nothing. */
  readonly system: string | null
  /** Messages that wait, as they are stored. */
  readonly pending: readonly { readonly seq: number; readonly checksum: string; readonly payload: string }[]
}

/**
 * The place before the newest turn of a branch. Undefined where a log that is read from there on would not tell all
 * that follows.
 */
export function positionBeforeTurn(
  log: readonly StoredEntry[],
  branch: readonly StoredEntry[],
  start: BranchPosition | undefined,
): BranchPosition | undefined {
  const before = branch.slice(0, branch.length - newestTurn(branch).length)
  const chain = before.filter(({ kind }) => traits[kind].chained)
  const head = chain.at(-1)
  if (!head || openCalls(before).length > 0) return undefined
  let seq = head.seq
  for (const entry of before) if (entry.kind !== 'pending' && entry.seq > seq) seq = entry.seq
  // The question, or another branch, before the last that came to what is before it.
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

/** Without settings: the one for whoever makes no prompts, which has no fold. */
function checkpointName(settings: string | undefined): string {
  return settings === undefined ? 'fold' : `fold:${settings}`
}

/** Undefined where there is none, or one of another time. */
function checkpointFrom(snapshot: Snapshot | undefined, erasures: number, length: number): Checkpoint | undefined {
  const kept = snapshot?.value as Partial<Checkpoint> | null | undefined
  return kept?.version === 1 && kept.erasures === erasures && snapshot!.seq < length ? (kept as Checkpoint) : undefined
}

/** How much is done at a stretch: some milliseconds of work, in the measure of `Steps`. */
const stretch = 250_000

/** Counts what is done, and lets others have their turn after each stretch of it, if the clock can. */
export function createPauses(clock: Clock | undefined): Pause {
  if (!clock?.pause) return () => undefined
  let done = 0
  return (work) => {
    done += work
    if (done < stretch) return undefined
    done = 0
    return clock.pause?.()
  }
}

/** How much work it is to read these entries. */
export function readingWork(entries: readonly Entry[]): number {
  return entries.reduce((work, { raw }) => work + itemWork + sizeOf(raw), 0)
}
