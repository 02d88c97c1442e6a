import type { Fold } from '../compiler/fold.ts'
import { pastFold, sizeOfPast } from './past-fold.ts'
import { createIndex, indexOver, rememberSegments, type Segment, type StemIndex } from '../compiler/stem-index.ts'
import { sealing } from './segment-seal.ts'
import { condensedOver, saveFold } from './saved-fold.ts'
import { positionBeforeTurn, type BranchPosition, type Checkpoint } from './checkpoint.ts'
import type { LiveLog } from './live-log.ts'
import type { Past } from './past.ts'
import { newestTurn } from '../log/next.ts'
import type { Entry } from '../log/entry.ts'
import type { StoredEntry } from '../log/store.ts'
import { inSlices, type Steps } from '../log/time.ts'
import type { FoldCache } from './fold-branch.ts'

/** When checkpoints are made, and under which settings. */
export interface CheckpointOptions {
  readonly settingsText: string
  readonly settingsHash: string
  /**
   * The number of entries after which a checkpoint is due. Default: 64, or the size of the checkpoint if that is
   * larger.
   */
  readonly every?: number | undefined
  /** Whether an entry is the record of a model call whose prompt may be in the cache of the server. */
  readonly isCall: (entry: Entry) => boolean
}

/** The number of entries after which a checkpoint may be due. */
export function spacingOf({ every = 64 }: Pick<CheckpointOptions, 'every'>): number {
  return every
}

/** A log at one moment. */
export interface KnownLog extends Pick<Past, 'start' | 'erasures' | 'foldSeq'>, Pick<LiveLog, 'stored'> {
  readonly entries: readonly StoredEntry[]
  readonly branch: readonly StoredEntry[]
}

/** A checkpoint whose fold is still in memory. */
export interface FoldedPosition
  extends BranchPosition, Pick<Checkpoint, 'erasures' | 'recorded' | 'isErased' | 'call'> {
  readonly fold: Fold
  /** How many entries came since the checkpoint before it. */
  readonly grown: number
}

/** The position before the newest turn of a branch, folded. Undefined if no checkpoint is due there, or none can be. */
export function* foldBeforeTurn(
  { entries, branch, start, erasures, foldSeq }: KnownLog,
  follow: FoldCache,
  schedule: CheckpointOptions,
): Steps<FoldedPosition | undefined> {
  const { settingsText, settingsHash, isCall } = schedule
  if (start && start.settings !== settingsHash) return undefined
  const position = positionBeforeTurn(entries, branch, start)
  if (!position || position.seq - foldSeq < spacingOf(schedule)) return undefined
  const before = branch.slice(0, branch.length - newestTurn(branch).length)
  const fold = yield* follow(before, start)
  const recorded = before.find(({ kind, text }) => kind === 'settings' && text === settingsText)?.seq
  return {
    ...position,
    erasures,
    recorded: recorded ?? start?.recorded ?? null,
    isErased: isErasedIn(before, start),
    call: callBefore(entries, position.seq, start, isCall),
    fold,
    grown: position.seq - foldSeq,
  }
}

/** True if an entry of a branch was erased. */
export function isErasedIn(branch: readonly StoredEntry[], start: Checkpoint | undefined): boolean {
  return start?.isErased || branch.some(({ status }) => status === 'erased')
}

/** The seq of the newest model call up to a position, or null. */
export function callBefore(
  entries: readonly StoredEntry[],
  position: number,
  start: Checkpoint | undefined,
  isCall: CheckpointOptions['isCall'],
): Checkpoint['call'] {
  return entries.findLast((entry) => entry.seq <= position && isCall(entry))?.seq ?? start?.call ?? null
}

/**
 * Makes the checkpoint, and stores the segments that it uses. Undefined if it would be so large that it saves no
 * reading.
 */
export async function checkpointOf(
  log: Pick<LiveLog, 'stored' | 'pause'>,
  folded: FoldedPosition,
  schedule: CheckpointOptions,
): Promise<Checkpoint | undefined> {
  const { fold, grown, ...position } = folded
  const { settingsHash: settings, every } = schedule
  const small = condensedOver(fold, createIndex())
  if (every === undefined && (small === fold || grown < sizeOf(small))) return undefined
  // Not before: while no checkpoint is made, `grown` counts from the same place in every turn.
  await savePast(log, folded, schedule)
  const index = fold.settings.policy.recall ? await storeIndex(log, folded, settings) : createIndex()
  return { version: 2, ...position, settings, fold: saveFold(condensedOver(fold, index)) }
}

/**
 * Saves a checkpoint for dumps of the calls after it, if none was saved of about this part of the log. They are further
 * apart if they are larger: so what is saved for each entry is bounded.
 */
export async function savePast(
  { stored, pause }: Pick<LiveLog, 'stored' | 'pause'>,
  { fold, grown, ...position }: FoldedPosition,
  schedule: CheckpointOptions,
): Promise<void> {
  const past = await inSlices(pastFold(fold), pause)
  if (!past) return
  const least = schedule.every === undefined ? Math.max(pastSpacing(schedule), sizeOfPast(past)) : pastSpacing(schedule)
  const spacing = 2 ** Math.ceil(Math.log2(least))
  if (Math.floor(position.seq / spacing) === Math.floor((position.seq - grown) / spacing)) return
  await stored.savePast({ version: 2, ...position, settings: schedule.settingsHash, fold: past })
}

/** The fewest entries between two checkpoints for dumps. */
export function pastSpacing(schedule: CheckpointOptions): number {
  return 2 * spacingOf(schedule)
}

/** Stores what is not stored yet of a fold's index. Returns the index without what is stored. */
async function storeIndex(
  log: Pick<LiveLog, 'stored' | 'pause'>,
  { fold, erasures }: FoldedPosition,
  settings: string,
): Promise<StemIndex> {
  const inUse = namesOf(fold.columns.index.segments)
  const { segments, stored } = await inSlices(
    sealing(fold, (name) => log.stored.segment(name)),
    log.pause,
  )
  await log.stored.storeSegments({ settings, names: namesOf(segments), stored, inUse }, erasures)
  const { index } = fold.columns
  rememberSegments(index, segments)
  return indexOver(segments, fold.length, index.totals[fold.length - index.base])
}

function sizeOf({ columns: { entries } }: Fold): number {
  return entries.values.length + entries.older.length
}

function namesOf(segments: readonly Segment[]): string[] {
  return segments.map(({ name }) => name)
}
