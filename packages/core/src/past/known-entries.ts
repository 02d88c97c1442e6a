import { followBranch, headOf, type BranchReader } from '../log/log.ts'
import { loose, type BranchPosition, type Checkpoint } from './checkpoint.ts'
import type { entryOf } from '../log/entry.ts'
import { notLoadedError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import { waitingIn } from '../log/next.ts'
import type { StoredEntry } from '../log/store.ts'
import { sizeOf, storedFrom } from '../log/stored-entry.ts'
import type { StoredLog } from './stored-log.ts'

/** The loaded part of a log, with its indexes: all entries, or those after a checkpoint plus older pending messages. */
export interface KnownEntries {
  readonly start: Checkpoint | undefined
  /** Entries before the checkpoint, as far as they were read: all of them from the first one on. */
  before: readonly StoredEntry[]
  /** The landmarks of the checkpoint, if they were read. */
  landmarks: readonly StoredEntry[] | undefined
  readonly entries: StoredEntry[]
  readonly byId: Map<string, StoredEntry>
  readonly line: BranchReader<StoredEntry>
  /** The number of entries in the log. */
  length: number
  /** About how many characters `entries` have. */
  size: number
}

export function createKnown(start?: Checkpoint): KnownEntries {
  const entries = start ? pendingOf(start) : []
  return {
    start,
    before: [],
    landmarks: undefined,
    entries,
    byId: new Map(entries.map((entry) => [entry.id, entry])),
    line: followBranch(entries, start?.head),
    length: start ? start.seq + 1 : 0,
    size: 0,
  }
}

/**
 * What is known, as if it had been read from this checkpoint on. So a thread that is used for long takes no more memory
 * than one that was just opened. Unchanged if a turn before the checkpoint is the newest one, or if an entry before it
 * says that a later message waits no more.
 */
export function continued(checkpoint: Checkpoint, known: KnownEntries): KnownEntries {
  const later = createKnown(checkpoint)
  addEntries(
    later,
    known.entries.filter(({ seq }) => seq > checkpoint.seq),
  )
  if (known.before.length > 0) later.before = lastBefore(checkpoint, known)
  if (checkpoint.landmarks && (known.landmarks || !known.start)) {
    const seqs = new Set(landmarkSeqs(checkpoint))
    const loaded = [...(known.landmarks ?? []), ...known.entries].filter(({ seq }) => seqs.has(seq))
    later.landmarks = [...new Map(loaded.map((entry) => [entry.seq, entry])).values()]
  }
  const isSame = later.length === known.length && haveSameWaiting(later, known)
  return isSame && coversNewestTurn(later, later.entries) ? later : known
}

/** False if a message seems to wait in one of them only: the other one also has what was sent under its key. */
function haveSameWaiting(left: KnownEntries, right: KnownEntries): boolean {
  const waiting = waitingIn(left.entries)
  const others = waitingIn(right.entries)
  return waiting.length === others.length && waiting.every(({ id }, index) => id === others[index]!.id)
}

/** The seqs of the system entries among the landmarks of a checkpoint. */
export function landmarkSeqs(start: Checkpoint | undefined): readonly number[] {
  const { systems = [], texts = [] } = start?.landmarks ?? {}
  return [...new Set([...systems, ...texts.map(([, seq]) => seq)])]
}

/** As many entries before the checkpoint as were loaded before the last one. */
function lastBefore({ seq }: Checkpoint, { start, before, entries }: KnownEntries): readonly StoredEntry[] {
  const from = start?.seq ?? -1
  const loaded = [...before, ...entries.filter((entry) => entry.seq > from && entry.seq <= seq)]
  return loaded.slice(-before.length)
}

/** Adds the entries that come next, and returns those that are new. */
export function addEntries(known: KnownEntries, read: readonly StoredEntry[]): StoredEntry[] {
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
export function coversNewestTurn(known: KnownEntries, fresh: readonly StoredEntry[]): boolean {
  const { start, entries, byId } = known
  if (!start) return true
  const isBefore = ({ kind, parent, text }: StoredEntry): boolean => {
    if (traits[kind].chained || loose.has(kind)) return false
    if (kind === 'revocation' && !byId.has(text)) return true
    return !coversAllAfter(known, parent) || (kind === 'pin' && !byId.has(parent ?? ''))
  }
  return !fresh.some(isBefore) && hasQuestion(known, headOf(entries))
}

/**
 * True if one of these messages seems to wait, but an entry that is not loaded was sent under its key: it may have been
 * admitted.
 */
export async function mayBeSettled(
  { start, byId }: KnownEntries,
  among: readonly StoredEntry[],
  stored: Pick<StoredLog, 'sentAs'>,
): Promise<boolean> {
  if (!start) return false
  for (const { key, seq } of waitingIn(among)) {
    if (key === undefined || seq <= start.seq) continue
    const older = await stored.sentAs(key, start.seq + 1)
    if (older.some(({ id }) => !byId.has(id))) return true
  }
  return false
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

/** What the next entry needs to know of the entry before it. */
export function placeAfter(known: KnownEntries, after: string | null): Parameters<typeof entryOf>[1] {
  if (!coversAllAfter(known, after)) throw notLoadedError()
  const { start, byId } = known
  return start?.head === after
    ? { id: start.head, parent: null, seq: start.seq, kind: 'assistant' }
    : byId.get(after ?? '')
}

/** The same for an entry that a form hangs off. Only forms may be added before the checkpoint. */
export function formPlace(known: KnownEntries, off: string): Parameters<typeof entryOf>[1] {
  return readBefore(known, off) ?? placeAfter(known, off)
}

/** True if forms can hang off the entry. */
export function hasFormPlace(known: KnownEntries, off: string): boolean {
  return coversAllAfter(known, off) || readBefore(known, off) !== undefined
}

function readBefore({ before }: KnownEntries, id: string): StoredEntry | undefined {
  return before.find((entry) => entry.id === id)
}

function pendingOf({ pending }: BranchPosition): StoredEntry[] {
  return pending.map(storedFrom)
}
