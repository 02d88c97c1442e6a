import type { Entry } from '../log/entry.ts'
import type { Steps } from '../log/time.ts'
import { mapped, type Column } from '../compiler/columns.ts'
import { withinRights, type Fold } from '../compiler/fold.ts'
import { indexEntries } from '../compiler/recall.ts'
import { createIndex, indexedIn, indexOver, saveIndex, type Segment } from '../compiler/stem-index.ts'
import { storedSource, type PieceReader } from './stored-index.ts'
import { condensedOver, saveFold, savedEntry, type SavedEntry, type SavedFold } from './saved-fold.ts'

/**
 * How is a fold of the past saved in little room? Like a saved fold, but without what is stored elsewhere: entries are
 * named by their seqs, because the log has them, and the index of recall is that of the newest fold, read only up to
 * this one's end.
 */
export interface PastFold extends Omit<SavedFold, 'entries' | 'index'> {
  readonly entries: Column<PastEntry>
  /** How many stems its entries have, or null if nothing is indexed. */
  readonly stems: number | null
}

/** The seq of an entry, its number in prompts, and whether it is pinned. */
type PastEntry = readonly [seq: number, place: number | null, pinned?: true]

/** Undefined if the fold still needs all its entries: then reading them from the beginning costs the same. */
export function* pastFold(fold: Fold): Steps<PastFold | undefined> {
  const { length, settings, columns } = fold
  const indexed = settings.policy.recall ? length : 0
  yield* indexEntries(fold, indexed)
  const stems = indexed > 0 ? (columns.index.totals[length - columns.index.base] ?? 0) : null
  const small = condensedOver(fold, stems === null ? createIndex() : indexOver([], length, stems))
  if (small === fold) return undefined
  const { entries, index: _, ...rest } = saveFold(small)
  return { ...rest, entries: mapped(entries, asPast), stems }
}

function asPast({ seq, place, pinned }: SavedEntry): PastEntry {
  return pinned ? [seq, place ?? null, pinned] : [seq, place ?? null]
}

/** How many entries a past fold still needs. */
export function sizeOfPast({ entries: { values, older } }: PastFold): number {
  return values.length + older.length
}

/** The seqs of the entries that a past fold needs. */
export function seqsOf({ entries: { values, older } }: PastFold): number[] {
  return [...older.map(([, [seq]]) => seq), ...values.map(([seq]) => seq)].sort((one, other) => one - other)
}

/**
 * The saved fold of a past one. `entries`: those with its seqs. `segments`: those of a newer fold of the same branch.
 * Undefined if something is missing.
 */
export function restoredFold(
  past: PastFold,
  entries: readonly Entry[],
  segments: readonly Segment[],
): SavedFold | undefined {
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]))
  const { stems, entries: needed, ...rest } = past
  const { length } = past.counts
  if (seqsOf(past).some((seq) => !bySeq.has(seq)) || (stems !== null && (segments.at(-1)?.to ?? 0) < length))
    return undefined
  const restored = mapped(needed, ([seq, place, pinned]) =>
    savedEntry(withinRights({ ...bySeq.get(seq)!, ...(place !== null && { place }), ...(pinned && { pinned }) })!),
  )
  const index = stems === null ? createIndex() : indexOver(segments, length, stems)
  return { ...rest, entries: restored, index: saveIndex(index, indexedIn(index)) }
}

/**
 * True if segments are of the same branch as a past fold: they have its last entry in the same place. A newer fold may
 * be of another branch.
 */
export function* areOfBranch(
  { stems, counts: { length }, entries }: PastFold,
  segments: readonly Segment[],
  read: PieceReader,
): Steps<boolean> {
  if (stems === null) return true
  const facts = yield* storedSource(indexOver(segments, length, stems), read).factsOf(length - 1)
  return facts?.seq === entries.values.at(-1)?.[0]
}
