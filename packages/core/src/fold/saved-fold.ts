import type { DigestDraft } from '../digest/digest.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { readMessage, type Call, type Message } from '../log/message.ts'
import { countsKey, layoutKey, settingsOf, type CompileOptions } from '../policy/settings.ts'
import { loadIndex, saveIndex, type StemIndexData } from '../recall/stem-index.ts'
import { mapped, upTo, type Column } from './column.ts'
import { columnsOver, listsUpTo, type Counts, type Lists, type Remains } from './columns.ts'
import type { Epoch } from './epoch.ts'
import { replayEpochs, type Fold } from './fold.ts'
import { bringUpToDate } from './indexing.ts'

/** A fold as plain data, with the entries that it knows. The same bytes however the fold came to be. */
export interface SavedFold {
  readonly version: 3
  /** The id of the newest entry: what it was saved for. */
  readonly head: string | null
  /** What the counts depend on, and what the epoch depends on beside them. */
  readonly counted: string
  readonly laidOut: string
  readonly counts: Counts
  readonly entries: Column<SavedEntry>
  readonly lists: Lists
  readonly remains: Remains
  readonly index: StemIndexData
  readonly epoch: Epoch
  readonly open: readonly Call[]
  readonly digest: DigestDraft
}

/** An entry without what follows from its message. */
export type SavedEntry = Pick<Entry, 'id' | 'parent' | 'seq' | 'kind' | 'origin' | 'status' | 'speaker' | 'time' | 'key' | 'raw' | 'version'>

/**
 * All that a fold knows, to be kept beside the log and loaded instead of reading and counting again. Messages are kept as
 * their JSON. A condensed fold is small, however long its log.
 *
 * @example
 * const saved = JSON.stringify(saveFold(condensed(fold)))
 * const same = loadFold(JSON.parse(saved), options)
 */
export function saveFold(fold: Fold): SavedFold {
  const { columns, settings, length, exchanges, steps, systems, notes, firstUser, afterFirst, epoch, open, digest } = fold
  const indexed = settings.policy.recall ? length : 0
  bringUpToDate(fold, indexed)
  const entries = mapped(upTo(columns.entries, length), savedEntry)
  return {
    version: 3,
    head: entries.values.at(-1)?.id ?? null,
    counted: countsKey(settings),
    laidOut: layoutKey(settings),
    counts: { length, exchanges, steps, systems, notes, firstUser, afterFirst },
    entries,
    lists: listsUpTo(columns, fold),
    remains: columns.remains,
    index: saveIndex(columns.index, indexed),
    epoch,
    open,
    digest,
  }
}

/**
 * The fold that was saved. Under another window, reserve, policy or set of tools its epoch is worked out anew, which a
 * condensed fold cannot: it throws `forgotten`. Another counter, profile or digester throws `stale_fold`.
 */
export function loadFold<M extends Message = Message>(saved: SavedFold, options: CompileOptions): Fold<M> {
  const settings = settingsOf(options)
  const { version, counts, counted, laidOut, lists, remains, index, epoch, open, digest } = saved
  if (version !== 3) throw stale('has another version')
  if (counted !== countsKey(settings)) throw stale('was counted with another counter, profile or digester')
  const entries = mapped(saved.entries, (entry) => ({ ...readMessage(entry.raw), ...entry }) as Entry<M>)
  const fold = { ...counts, columns: columnsOver(entries, listsUpTo(lists, counts), remains, loadIndex(index)), settings, epoch, open, digest }
  return laidOut === layoutKey(settings) ? fold : { ...fold, epoch: replayEpochs(fold, settings) }
}

function savedEntry({ id, parent, seq, kind, origin, status, speaker, time, key, raw, version }: Entry): SavedEntry {
  return {
    id, parent, seq, kind, origin, status,
    ...(speaker !== undefined && { speaker }),
    ...(time !== undefined && { time }),
    ...(key !== undefined && { key }),
    raw, version,
  }
}

function stale(why: string): MinutebookError {
  return new MinutebookError('stale_fold', `The saved fold ${why}; fold the entries again with advance().`)
}
