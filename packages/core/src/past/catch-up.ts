import { createFold } from '../compiler/fold.ts'
import type { StemIndexData } from '../compiler/stem-index.ts'
import { indexFor, type SavedFold } from './saved-fold.ts'
import type { CompileOptions } from '../compiler/settings.ts'
import { sharing, type SharedIndex } from './shared-index.ts'
import type { Checkpoint } from './checkpoint.ts'
import { headOf } from '../log/log.ts'
import { traits } from '../log/kind.ts'
import type { LiveLog } from './live-log.ts'
import {
  addEntries,
  continued,
  coversNewestTurn,
  createKnown,
  mayBeSettled,
  type KnownEntries,
} from './known-entries.ts'
import type { Standing, StoredEntry } from '../log/store.ts'
import { inSlices } from '../log/time.ts'
import {
  checkpointOf,
  foldBeforeTurn,
  pastSpacing,
  savePast,
  spacingOf,
  type CheckpointOptions,
  type FoldedPosition,
  type KnownLog,
} from './make-checkpoint.ts'
import { createFoldCache } from './fold-branch.ts'

/**
 * How is a long log read that has no checkpoint near its end, such as after an import? In parts: folds a part, makes a
 * checkpoint at the beginning of its newest turn, forgets what is before, and goes on from there. So the memory that it
 * takes depends on the window, not on the log. The checkpoints are those that turns would have made.
 *
 * Returns the newest checkpoint. If a later entry belongs before a checkpoint, the ones after it are of no use: it then
 * stops, and the reader of the log notices the same.
 */
export async function catchUp(
  log: Pick<LiveLog, 'stored' | 'pause'>,
  options: CompileOptions,
  schedule: CheckpointOptions,
  { from, length, erasures }: { readonly from: Checkpoint | undefined } & Pick<Standing, 'length' | 'erasures'>,
): Promise<Checkpoint | undefined> {
  const most = partLength * spacingOf(schedule)
  if (length - (from ? from.seq + 1 : 0) < far * spacingOf(schedule) || !Number.isFinite(most)) return from
  // Without a shared index, the log is indexed again.
  const shared = await sharedIndex(log, options, schedule, from).catch(() => undefined)
  const follow = createFoldCache(options, shared?.tokensOf)
  const folded = async (moment: KnownLog): Promise<FoldedPosition | undefined> => {
    const position = await inSlices(foldBeforeTurn(moment, follow, schedule), log.pause)
    return position && shared ? { ...position, fold: shared.under(position.fold) } : position
  }
  let known = createKnown(from)
  try {
    while (known.length < length) {
      const read = await log.stored.read({ from: known.length, to: known.length + most, work: mostWork })
      const fresh = addEntries(known, read)
      // The thread may have been removed since.
      if (fresh.length === 0 || !coversNewestTurn(known, fresh)) break
      if (await mayBeSettled(known, known.entries, log.stored)) break
      const { start, entries } = known
      const moment = {
        start,
        erasures,
        foldSeq: start?.seq ?? -1,
        stored: log.stored,
        entries,
        branch: branchIn(known),
      }
      if (shared) await inSlices(shared.load(lengthAt(start), entries.length), log.pause).catch(() => undefined)
      await savePasts(log, moment, folded, schedule)
      const position = await folded(moment)
      const checkpoint = position && (await checkpointOf(log, position, schedule))
      if (!checkpoint) continue
      await log.stored.save(checkpoint)
      known = continued(checkpoint, known)
    }
  } catch {
    // A checkpoint can be lost at any time. Who needs more than there is, reads the log.
  }
  return known.start
}

function branchIn({ line, entries }: KnownEntries): readonly StoredEntry[] {
  return line(headOf(entries)) ?? []
}

/** The number of entries in the fold of a checkpoint. */
function lengthAt(start: Checkpoint | undefined): number {
  return (start?.fold as SavedFold | undefined)?.counts.length ?? 0
}

/** The longest index of other settings under which entries have the same counts, as far as it is of the same branch. */
async function sharedIndex(
  { stored, pause }: Pick<LiveLog, 'stored' | 'pause'>,
  options: CompileOptions,
  { settingsHash }: CheckpointOptions,
  from: Checkpoint | undefined,
): Promise<SharedIndex | undefined> {
  const { settings } = createFold(options)
  if (!settings.policy.recall) return undefined
  let longest: StemIndexData | undefined
  for (const other of await stored.indexed()) {
    if (other === settingsHash) continue
    const fold = (await stored.newest(other))?.fold as SavedFold | undefined
    const index = fold && indexFor(settings, fold)
    if (index && index.base > (longest?.base ?? 0)) longest = index
  }
  const own = (from?.fold as SavedFold | undefined)?.index
  return (
    longest &&
    inSlices(
      sharing(longest, own, (wanted) => stored.pieces(wanted)),
      pause,
    )
  )
}

/** Saves checkpoints for dumps along the branch, as far as there are calls under these settings to be dumped. */
async function savePasts(
  log: Pick<LiveLog, 'stored' | 'pause'>,
  { entries, branch, ...moment }: KnownLog,
  folded: (moment: KnownLog) => Promise<FoldedPosition | undefined>,
  schedule: CheckpointOptions,
): Promise<void> {
  // Its text has the hash of the settings. Parsing each receipt would cost more than folding it.
  const newest = entries.findLast(({ kind, text }) => kind === 'receipt' && text.includes(schedule.settingsHash))
  let { foldSeq } = moment
  for (const { kind, seq } of branch) {
    if (seq > (newest?.seq ?? -1)) return
    if (!traits[kind].opensExchange || seq - foldSeq <= pastSpacing(schedule)) continue
    // Entries that came later did not exist then.
    const then = {
      entries: entries.filter((entry) => entry.seq <= seq),
      branch: branch.filter((entry) => entry.seq <= seq),
    }
    const position = await folded({ ...moment, ...then, foldSeq })
    if (!position) continue
    await savePast(log, position, schedule)
    foldSeq = position.seq
  }
}

/** How many times the usual spacing of checkpoints: the entries of a part, and what is left to be read at once. */
const partLength = 16
const far = 4

/** Characters of a part, about. It has more only if a turn is longer. */
const mostWork = 8_000_000
