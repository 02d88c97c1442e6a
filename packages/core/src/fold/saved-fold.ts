import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { Call, Message } from '../log/message.ts'
import { countsKey, layoutKey, settingsOf, type CompileOptions } from '../policy/settings.ts'
import { loadIndex, saveIndex, type StemIndexData } from '../recall/stem-index.ts'
import { columnsOf, listsUpTo, type Counts, type Lists } from './columns.ts'
import type { Epoch } from './epoch.ts'
import { replayEpochs, type Fold } from './fold.ts'
import { bringUpToDate } from './indexing.ts'

/** What a fold knows beyond its entries, as plain data. The same bytes however the fold came to be. */
export interface SavedFold {
  readonly version: 1
  /** The id of the newest entry: what it was saved for. */
  readonly head: string | null
  /** What the counts depend on, and what the epoch depends on beside them. */
  readonly counted: string
  readonly laidOut: string
  readonly counts: Counts
  readonly lists: Lists
  readonly index: StemIndexData
  readonly epoch: Epoch
  readonly open: readonly Call[]
}

/**
 * The fold's knowledge without its entries, to be kept beside the log and loaded instead of counting again.
 *
 * @example
 * const saved = JSON.stringify(saveFold(fold))
 * const same = loadFold(JSON.parse(saved), entries, options)
 */
export function saveFold(fold: Fold): SavedFold {
  const { columns, settings, length, exchanges, steps, systems, notes, firstUser, epoch, open } = fold
  const indexed = settings.policy.recall ? length : 0
  bringUpToDate(fold, indexed)
  return {
    version: 1,
    head: columns.entries[length - 1]?.id ?? null,
    counted: countsKey(settings),
    laidOut: layoutKey(settings),
    counts: { length, exchanges, steps, systems, notes, firstUser },
    lists: listsUpTo(columns, fold),
    index: saveIndex(columns.index, indexed),
    epoch,
    open,
  }
}

/**
 * The fold that was saved, over the same entries. Under another window, reserve, policy or set of tools its epoch is worked
 * out anew; another log, counter, profile or digester throws `stale_fold`.
 */
export function loadFold<M extends Message>(saved: SavedFold, entries: readonly Entry<M>[], options: CompileOptions): Fold<M> {
  const settings = settingsOf(options)
  if (saved.version !== 1) throw stale('has another version')
  const { counts, head } = saved
  if (entries.length !== counts.length || (entries[counts.length - 1]?.id ?? null) !== head) throw stale('belongs to another log')
  if (saved.counted !== countsKey(settings)) throw stale('was counted with another counter, profile or digester')
  const columns = columnsOf([...entries], listsUpTo(saved.lists, counts), loadIndex(saved.index))
  const fold = { ...counts, columns, settings, epoch: saved.epoch, open: saved.open }
  return saved.laidOut === layoutKey(settings) ? fold : { ...fold, epoch: replayEpochs(fold, settings) }
}

function stale(why: string): MinutebookError {
  return new MinutebookError('stale_fold', `The saved fold ${why}; fold the entries again with advance().`)
}
