import type { Checkpoint } from './checkpoint.ts'
import type { PieceId, StoredSegment } from '../log/segments.ts'
import { readInPages, type Stretch } from '../log/read-in-pages.ts'
import type { Snapshot, Store, StoredEntry } from '../log/store.ts'
import type { Pause } from '../log/time.ts'

/** What is stored of a log, and next to it? For readers that need a little of what is not loaded. */
export interface StoredLog {
  /** The entries with these seqs, in order. */
  entries(seqs: readonly number[]): Promise<readonly StoredEntry[]>
  /** The entries of a stretch, as far as the log has them. It may be long: it is read in pages. */
  read(stretch: Stretch): Promise<readonly StoredEntry[]>
  /** The entries before a seq that were sent under this key. */
  sentAs(key: string, to: number): Promise<readonly StoredEntry[]>
  /** Pieces of segments, in the order asked for. */
  pieces(wanted: readonly PieceId[]): Promise<readonly (Uint8Array | undefined)[]>
  /** All pieces of a segment. */
  segment(name: string): Promise<readonly Uint8Array[] | undefined>
  /**
   * Stores new segments of an index, and removes those that no checkpoint uses any more. `erasures`: of before the log
   * was read.
   */
  storeSegments(segments: IndexSegments, erasures: number): Promise<void>
  /** Saves a checkpoint for the next reader of the log. */
  save(checkpoint: Checkpoint): Promise<void>
  /** Saves a checkpoint for readers of the past, next to the older ones. */
  savePast(checkpoint: Checkpoint & { readonly settings: string }): Promise<void>
  /** The newest of these from before a seq. Undefined if there is none. */
  past(settings: string, to: number): Promise<Checkpoint | undefined>
  /** The newest checkpoint for settings. Undefined if there is none. */
  newest(settings: string): Promise<Checkpoint | undefined>
  /** The hashes of the settings under which there is an index, those that were used last first. */
  indexed(): Promise<readonly string[]>
  /** The entry with this id. */
  find(id: string): Promise<StoredEntry | undefined>
}

/** The segments of an index under some settings. */
export interface IndexSegments {
  /** The hash of the settings. */
  readonly settings: string
  /** The names of all its segments. */
  readonly names: readonly string[]
  /** Those of them that are new. */
  readonly stored: readonly StoredSegment[]
  /** The names of those that the caller goes on reading. They stay as long as it says so. */
  readonly inUse: readonly string[]
}

export function storedLog(store: Store, thread: string, pause: Pause): StoredLog {
  const load = async (name: string, to?: number): Promise<Checkpoint | undefined> => {
    const [standing, snapshot] = await Promise.all([store.standing(thread), store.snapshots.load(thread, name, to)])
    return checkpointFrom(snapshot, standing.erasures, standing.length)
  }
  return {
    entries: (seqs) => store.read(thread, { seqs }),
    read: (stretch) => readInPages((from, to) => store.read(thread, { from, to }), stretch, pause),
    sentAs: (key, to) => store.read(thread, { key, to }),
    pieces: (wanted) => store.segments.read(thread, wanted),
    segment: (name) => store.segments.load(thread, name),
    storeSegments: (segments, erasures) => storeSegments(store, thread, segments, erasures),
    save: (checkpoint) => saveCheckpoint(store, thread, checkpoint),
    savePast: ({ settings, ...rest }) => {
      const { head: id, seq, erasures } = rest
      return store.snapshots.save(thread, pastName(settings), { id, seq, value: { settings, ...rest } }, { erasures })
    },
    past: (settings, to) => load(pastName(settings), to),
    newest: (settings) => load(checkpointName(settings)),
    indexed: () => indexedSettings(store, thread),
    find: async (id) => (await store.read(thread, { id }))[0],
  }
}

/** Saves a checkpoint instead of the one before it, also for readers that make no prompts. */
async function saveCheckpoint(store: Pick<Store, 'snapshots'>, thread: string, checkpoint: Checkpoint): Promise<void> {
  const { settings, fold: _, ...rest } = checkpoint
  const { head: id, seq, erasures } = checkpoint
  const save = (name: string, value: Checkpoint): Promise<void> =>
    store.snapshots.save(thread, name, { id, seq, value }, { erasures, only: true })
  await Promise.all([
    ...(settings === undefined ? [] : [save(checkpointName(settings), checkpoint)]),
    save(checkpointName(undefined), rest),
  ])
}

/** Without settings: the checkpoint without a fold, for readers that make no prompts. */
export function checkpointName(settings: string | undefined): string {
  return settings === undefined ? 'fold' : `fold:${settings}`
}

/** The name of the checkpoints of the past, for settings. Their folds are smaller. */
function pastName(settings: string): string {
  return `past:${settings}`
}

/** Undefined if there is no checkpoint, or if it no longer fits the log. */
export function checkpointFrom(
  snapshot: Snapshot | undefined,
  erasures: number,
  length: number,
): Checkpoint | undefined {
  const saved = snapshot?.value as Partial<Checkpoint> | null | undefined
  return saved?.version === 2 && saved.erasures === erasures && snapshot!.seq < length
    ? (saved as Checkpoint)
    : undefined
}

/**
 * Stores new segments, and removes those of the thread that no index uses any more. A thread may have an index under each
 * of the settings that it was used with last. The list of them is a snapshot: if two processes write it at once, segments
 * may be removed that are still in use. They are then made again.
 */
async function storeSegments(
  store: Pick<Store, 'segments' | 'snapshots'>,
  thread: string,
  { settings, names, stored, inUse }: IndexSegments,
  erasures: number,
): Promise<void> {
  const [snapshot, there] = await Promise.all([store.snapshots.load(thread, listName), store.segments.list(thread)])
  const known = (snapshot?.value ?? []) as readonly Pick<IndexSegments, 'settings' | 'names'>[]
  const others = known.filter((each) => each.settings !== settings).slice(0, mostSettings - 1)
  // What the last checkpoint of these settings uses stays until the next: a reader may still use it.
  const before = known.find((each) => each.settings === settings)?.names ?? []
  const used = new Set([...names, ...inUse, ...before, ...others.flatMap((each) => each.names)])
  await store.segments.change(thread, { stored, removed: there.filter((name) => !used.has(name)) }, erasures)
  const value = [{ settings, names }, ...others]
  await store.snapshots.save(thread, listName, { id: '', seq: 0, value }, { erasures })
}

/** The hashes of the settings under which a thread has an index, those that were used last first. */
async function indexedSettings(store: Pick<Store, 'snapshots'>, thread: string): Promise<readonly string[]> {
  const snapshot = await store.snapshots.load(thread, listName)
  return ((snapshot?.value ?? []) as readonly Pick<IndexSegments, 'settings'>[]).map(({ settings }) => settings)
}

const listName = 'segments'
const mostSettings = 4
