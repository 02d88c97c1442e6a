import {
  checkpointFrom,
  checkpointName,
  indexedSettings,
  keepSegments,
  pastName,
  type Checkpoint,
  type KeptSegments,
} from './checkpoint.ts'
import type { PieceId } from '../log/segments.ts'
import { readInPages, type Stretch } from '../log/read-in-pages.ts'
import type { Store, StoredEntry } from '../log/store.ts'
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
  keepSegments(kept: KeptSegments, erasures: number): Promise<void>
  /** Saves a checkpoint for the next reader of the log. */
  keep(checkpoint: Checkpoint): Promise<void>
  /** Saves a checkpoint for readers of the past, next to the older ones. */
  keepPast(checkpoint: Checkpoint & { readonly settings: string }): Promise<void>
  /** The newest of these from before a seq. Undefined if there is none. */
  past(settings: string, to: number): Promise<Checkpoint | undefined>
  /** The newest checkpoint for settings. Undefined if there is none. */
  newest(settings: string): Promise<Checkpoint | undefined>
  /** The hashes of the settings under which there is an index, those that were used last first. */
  indexed(): Promise<readonly string[]>
  /** The entry with this id. */
  find(id: string): Promise<StoredEntry | undefined>
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
    keepSegments: (kept, erasures) => keepSegments(store, thread, kept, erasures),
    keep: (checkpoint) => saveCheckpoint(store, thread, checkpoint),
    keepPast: ({ settings, ...rest }) => {
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
export async function saveCheckpoint(
  store: Pick<Store, 'snapshots'>,
  thread: string,
  checkpoint: Checkpoint,
): Promise<void> {
  const { settings, fold: _, ...rest } = checkpoint
  const { head: id, seq, erasures } = checkpoint
  const save = (name: string, value: Checkpoint): Promise<void> =>
    store.snapshots.save(thread, name, { id, seq, value }, { erasures, only: true })
  await Promise.all([
    ...(settings === undefined ? [] : [save(checkpointName(settings), checkpoint)]),
    save(checkpointName(undefined), rest),
  ])
}
