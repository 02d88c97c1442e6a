import type { Entry } from '../log/entry.ts'
import { maxJsonDepth, parseJson } from '../log/json.ts'
import { traits } from '../log/kind.ts'
import type { Range, Snapshot, Store } from '../log/store.ts'
import { noCalls } from '../log/unanswered-calls.ts'
import { foldState, isRecord, settle, type StateFold, type StateReader } from './state.ts'

/** Which state to read. */
export interface StateQuery {
  readonly store: Pick<Store, 'standing' | 'read' | 'snapshots'>
  readonly thread: string
  /**
   * The end of the branch, or null for a thread without entries. Throws `unknown_entry` if the thread does not have it.
   */
  readonly head: string | null
  /** Reads the state as of this entry, including it: its id, or a seq on the branch. */
  readonly at?: string | number
  /** A snapshot is saved if more entries than this were folded. Default: 64. */
  readonly every?: number
}

/**
 * What is the state of a stored thread? Loads the newest snapshot on the branch and folds the entries after it.
 *
 * @example
 * await readState(hypothesis, { store, thread: 'ann', head })
 * await readState(hypothesis, { store, thread: 'ann', head, at: entry.id })
 */
export async function readState<T>(reader: StateReader<T>, place: StateQuery): Promise<T> {
  const head = typeof place.at === 'string' ? place.at : place.head
  if (head === null) return reader.initial
  // Read this before the log: an entry that is erased meanwhile must not come back in a snapshot.
  const { erasures } = await place.store.standing(place.thread)
  const { from, entries } = await startOf(reader, { ...place, head })
  const settled = settledLength(entries)
  const fold = foldState(reader, entries.slice(0, settled), from)
  if (settled > (place.every ?? usual)) await keep(reader, place, fold, entries.slice(0, settled), erasures)
  return foldState(reader, entries.slice(settled), fold).value
}

interface Start<T> {
  readonly from?: StateFold<T>
  /** The entries after it, up to the end. */
  readonly entries: readonly Entry[]
}

/**
 * Goes back along the branch to the newest snapshot that was taken on it. Skips snapshots of other branches, and reads
 * no entry twice.
 */
async function startOf<T>(
  reader: StateReader<T>,
  { store, thread, head, at, every = usual }: StateQuery & { readonly head: string },
): Promise<Start<T>> {
  const read = (range: Range): Promise<readonly Entry[]> => store.read(thread, { ...range, head })
  const end = typeof at === 'number' ? { to: at + 1 } : {}
  let unread: { readonly to?: number } = end
  let before = end.to
  let entries: readonly Entry[] = []
  for (;;) {
    const snapshot = await store.snapshots.load(thread, nameOf(reader), before)
    if (!snapshot) return { entries: [...(await read(unread)), ...entries] }
    if (snapshot.seq < (unread.to ?? Infinity)) {
      entries = [...(await read({ ...unread, from: snapshot.seq })), ...entries]
      unread = { to: snapshot.seq }
    }
    const place = entries.findIndex(({ id }) => id === snapshot.id)
    const from = place < 0 ? undefined : foldOf<T>(snapshot)
    if (from) return { from, entries: entries.slice(place + 1) }

    // The snapshot is of another branch, or unreadable. Only snapshots up to the branch's own next older entry can be
    // of use.
    if (!entries.some((entry) => isChainedBefore(entry, snapshot.seq))) {
      const older = await read({ ...unread, last: Math.max(1, every) })
      if (older.length === 0) return { entries }
      entries = [...older, ...entries]
      unread = { to: older.find(isChained)?.seq ?? snapshot.seq }
    }
    const candidate = entries.findLast((entry) => isChainedBefore(entry, snapshot.seq))
    before = candidate ? candidate.seq + 1 : snapshot.seq
  }
}

const usual = 64

/** Saves the state as text, so that later changes of the value by a caller do not reach it. */
async function keep<T>(
  reader: StateReader<T>,
  { store, thread }: StateQuery,
  { value }: StateFold<T>,
  entries: readonly Entry[],
  erasures: number,
): Promise<void> {
  const newest = entries.findLast(isChained)
  if (!newest || !(value === undefined || survivesJson(value))) return
  await store.snapshots.save(
    thread,
    nameOf(reader),
    { id: newest.id, seq: newest.seq, value: JSON.stringify({ value }) },
    { erasures },
  )
}

/** Undefined if it is not a valid snapshot. The state can always be computed again. */
function foldOf<T>({ id, value: text }: Snapshot): StateFold<T> | undefined {
  const kept = typeof text === 'string' ? parseJson(text) : undefined
  return typeof kept === 'object' && kept !== null
    ? { value: (kept as { value?: unknown }).value as T, head: id, open: [] }
    : undefined
}

/** True if JSON returns exactly this value: no undefined inside, no -0, no dates, maps, classes or holes. */
export function survivesJson(value: unknown, levels: number = maxJsonDepth - 1): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || levels === 0) return false
  if (Array.isArray(value))
    return Object.keys(value).length === value.length && value.every((item) => survivesJson(item, levels - 1))
  return isRecord(value) && Object.values(value).every((field) => survivesJson(field, levels - 1))
}

function nameOf({ name, version }: StateReader<unknown>): string {
  return `state:${name}@${version}`
}

function isChained({ kind }: Entry): boolean {
  return traits[kind].chained
}

function isChainedBefore(entry: Entry, seq: number): boolean {
  return isChained(entry) && entry.seq < seq
}

/**
 * The number of entries before the calls that are still open at the end. Up to there a fold does not depend on later
 * entries.
 */
function settledLength(entries: readonly Entry[]): number {
  let open = noCalls
  let length = 0
  for (const [index, entry] of entries.entries()) {
    if (traits[entry.kind].chained) open = settle(entry, open).open
    if (open.length === 0) length = index + 1
  }
  return length
}
