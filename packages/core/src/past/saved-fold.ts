import { MinutebookError } from '../log/error.ts'
import { callsOf } from '../log/exchange.ts'
import { readMessage, type Call, type Message } from '../log/message.ts'
import { atOnce } from '../log/time.ts'
import { budgetOf, mostNotes, pinsBefore, stepsShare, turnShare } from '../compiler/budget.ts'
import {
  at,
  between,
  columnsOver,
  exchangeOf,
  exchangeStart,
  keeping,
  lastNotAfter,
  listsUpTo,
  mapped,
  openingOf,
  stepDigest,
  upTo,
  type Column,
  type ColumnData,
  type Counts,
  type FoldMemory,
  type Lists,
} from '../compiler/columns.ts'
import type { Digest, DigestDraft } from '../compiler/digest.ts'
import { earliestCut, replayEpochs, wholeCost, type Epoch } from '../compiler/cut.ts'
import type { Fold } from '../compiler/fold.ts'
import type { FoldedEntry } from '../compiler/framing.ts'
import { outlineReach, type OutlineRange } from '../compiler/outline.ts'
import { indexEntries } from '../compiler/recall.ts'
import { createIndex, loadIndex, saveIndex, type StemIndex, type StemIndexData } from '../compiler/stem-index.ts'
import { countsKey, layoutKey, settingsOf, type CompileOptions, type Settings } from '../compiler/settings.ts'

/**
 * A fold as plain data, with the entries that it knows. The same fold is always saved as the same bytes, however it was
 * made.
 */
export interface SavedFold {
  readonly version: 7
  /** The id of the newest entry. */
  readonly head: string | null
  /** The settings that the counts depend on, and the others that the epoch depends on. */
  readonly counted: string
  readonly laidOut: string
  readonly counts: Counts
  readonly entries: Column<SavedEntry>
  readonly lists: Lists
  readonly remains: FoldMemory
  readonly index: StemIndexData
  readonly epoch: Epoch
  readonly open: readonly Call[]
  readonly digest: DigestDraft
}

/** An entry without the fields that can be read from its message. */
export type SavedEntry = Pick<
  FoldedEntry,
  'id' | 'parent' | 'seq' | 'kind' | 'origin' | 'status' | 'speaker' | 'time' | 'key' | 'raw' | 'version'
> &
  Pick<FoldedEntry, 'place' | 'pinned'>

/**
 * How can a fold be kept? Saves everything that a fold knows, to be stored next to the log and loaded instead of
 * reading and counting the log again. Messages are kept as JSON. A condensed fold is small, no matter how long its log
 * is.
 *
 * @example
 * const saved = JSON.stringify(saveFold(condensed(fold)))
 * const same = loadFold(JSON.parse(saved), options)
 */
export function saveFold(fold: Fold): SavedFold {
  const { columns, settings, length, epoch, open, digest } = fold
  const { exchanges, steps, systems, pins, notes, firstUser, afterFirst } = fold
  const indexed = settings.policy.recall ? length : 0
  atOnce(indexEntries(fold, indexed))
  const entries = mapped(upTo(columns.entries, length), savedEntry)
  return {
    version: 7,
    head: entries.values.at(-1)?.id ?? null,
    counted: countsKey(settings),
    laidOut: layoutKey(settings),
    counts: { length, exchanges, steps, systems, pins, notes, firstUser, afterFirst },
    entries,
    lists: listsUpTo(columns, fold),
    remains: columns.remains,
    index: saveIndex(columns.index, indexed),
    epoch,
    open: open.calls,
    digest,
  }
}

/**
 * Loads a saved fold. If the window, reserve, policy or tools differ, its epoch is computed again. A condensed fold
 * cannot do that and throws `not_loaded`. If the counter, profile or digesters differ, it throws `stale_fold`.
 */
export function loadFold<M extends Message = Message>(saved: SavedFold, options: CompileOptions): Fold<M> {
  const settings = settingsOf(options)
  const { version, counts, counted, laidOut, lists, remains, index, epoch, open, digest } = saved
  if (version !== 7) throw staleFoldError('has another version')
  if (counted !== countsKey(settings)) throw staleFoldError('was counted with another counter, profile or digester')
  const entries = mapped(saved.entries, (entry) => ({ ...readMessage(entry.raw), ...entry }) as FoldedEntry<M>)
  const fold = {
    ...counts,
    columns: columnsOver(entries, listsUpTo(lists, counts), remains, loadIndex(index)),
    settings,
    epoch,
    open: callsOf({ calls: open }),
    digest,
  }
  return laidOut === layoutKey(settings) ? fold : { ...fold, epoch: replayEpochs(fold) }
}

/** The index of a saved fold, if that counts entries as a fold under these settings does. */
export function indexFor(settings: Settings, { version, counted, index }: SavedFold): StemIndexData | undefined {
  return version === 7 && counted === countsKey(settings) ? index : undefined
}

export function savedEntry(entry: FoldedEntry): SavedEntry {
  const { id, parent, seq, place, pinned, kind, origin, status, speaker, time, key, raw, version } = entry
  return {
    id,
    parent,
    seq,
    ...(place !== undefined && { place }),
    ...(pinned && { pinned }),
    kind,
    origin,
    status,
    ...(speaker !== undefined && { speaker }),
    ...(time !== undefined && { time }),
    ...(key !== undefined && { key }),
    raw,
    version,
  }
}

function staleFoldError(why: string): MinutebookError {
  return new MinutebookError('stale_fold', `The saved fold ${why}.`, 'Fold the entries again with advance().')
}

/**
 * Drops everything that no later prompt under the same settings can need. The size of what is left depends on the
 * window and on the logarithm of the log's length. The fold can be advanced and compiled to the same bytes as before.
 * If it is asked for something that was dropped, it throws `not_loaded`. A policy with recall may need any entry: then
 * the fold is returned as it is, and `condensedOver` makes it small with an index that is stored elsewhere.
 *
 * @example
 * const saved = JSON.stringify(saveFold(condensed(fold)))
 */
export function condensed<M extends Message>(fold: Fold<M>): Fold<M> {
  return fold.settings.policy.recall ? fold : condensedOver(fold, createIndex())
}

/** The same with an index of which nothing is in memory: with recall, one over all entries. */
export function condensedOver<M extends Message>(fold: Fold<M>, index: StemIndex): Fold<M> {
  const { settings, columns, open } = fold
  const least = wholeCost(fold) - open.length * settings.prices.interrupted
  if (fold.exchanges === 0 || least <= settings.whole) return fold
  const needed = neededOf(fold)
  const entries = keeping(columns.entries, fold.length, needed.from, needed.singles)
  const openings = needed.openings.map((index) => [index, openingOf(fold, index)] as const)
  return { ...fold, columns: columnsOver(entries, listsOf(fold, needed), { openings, steps: needed.told }, index) }
}

/** What later prompts may need of the entries before `from`, and all from there on. All indexes are ascending. */
interface Needed {
  readonly from: number
  /** Entries that every prompt has, or may have. */
  readonly singles: readonly number[]
  /** Entries that may be the first of a span. */
  readonly openings: readonly number[]
  /** The indexes at which sums, and the numbers of exchanges and notes before them, are needed. */
  readonly posts: readonly number[]
  /** The steps before `from` that may appear as digests, in the turn that `from` is in. */
  readonly told: ColumnData<Digest>
  /** What outlines may show. */
  readonly outline: OutlineRange
}

function neededOf(fold: Fold): Needed {
  const { columns, settings, systems, notes, firstUser, epoch } = fold
  const reach = earliestCut(fold, fold.open.length)
  const firstExchange = exchangeStart(fold, 0)
  // An epoch may have begun before the first exchange did.
  const from = epoch.compacted ? Math.max(firstExchange, Math.min(epoch.cut, reach.from)) : reach.from
  const user = exchangeStart(fold, exchangeOf(fold, from))
  const before = lastNotAfter(columns.notes, notes, from - 1) + 1
  const recent = between(columns.notes, Math.max(0, before - mostNotes(settings)), before)
  const first = settings.policy.firstUser ? firstUser : -1
  const pins = pinsBefore(fold, from)
  const singles = ascending([...between(columns.systems, 0, systems), ...recent, first, ...pins, user], from)
  const isSingle = new Set(singles)
  const neighbours = singles.flatMap((index) => [index - 1, index, index + 1])
  const outline = outlineReach(
    { digest: (exchange) => at(columns.digests, exchange) },
    exchangeOf(fold, from),
    outlineRoom(fold),
  )
  const told = toldSteps(fold, user, from)
  // A span of entries that have their own line may begin with any of these.
  const lines = told.map(([index]) => index)
  for (let exchange = outline.digests; exchange <= exchangeOf(fold, from); exchange++)
    lines.push(exchangeStart(fold, exchange))
  return {
    from,
    singles,
    openings: ascending([0, firstExchange, ...singles.map((index) => index + 1), ...lines], from).filter(
      (index) => !isSingle.has(index),
    ),
    posts: ascending(
      [
        0,
        firstExchange - 1,
        firstExchange,
        firstUser,
        epoch.cut,
        reach.weighed,
        from - 1,
        ...neighbours,
        ...lines.flatMap((index) => [index - 1, index]),
      ],
      from,
    ),
    told,
    outline,
  }
}

function listsOf(fold: Fold, { from, singles, posts, told, outline }: Needed): Lists {
  const { columns, length, exchanges, steps, systems, pins, notes } = fold
  const first = told[0]?.[0] ?? from
  const firstNote = lastNotAfter(columns.notes, notes, first - 1) + 1 - mostNotes(fold.settings)
  const entry = (column: Column<number>): Column<number> => keeping(column, length, from, singles)
  const sum = (column: Column<number>): Column<number> => keeping(column, length + 1, from, posts)
  const around = (starts: Column<number>, count: number): number[] => {
    const places = posts.map((post) => lastNotAfter(starts, count, post))
    return ascending([0, ...places, ...places.map((place) => place + 1)], count)
  }
  return {
    text: entry(columns.text),
    reasoning: entry(columns.reasoning),
    rest: entry(columns.rest),
    full: sum(columns.full),
    withoutReasoning: sum(columns.withoutReasoning),
    exchanges: keeping(columns.exchanges, exchanges, exchangeOf(fold, from), around(columns.exchanges, exchanges)),
    steps: keeping(columns.steps, steps, lastNotAfter(columns.steps, steps, first) - 1, []),
    digests: keeping(columns.digests, exchanges - 1, outline.digests, []),
    titles: keeping(columns.titles, exchanges - 1, outline.titles, outline.older),
    // At most one exchange before `from` is weighed, and it is never sent.
    digestSums: keeping(columns.digestSums, exchanges, exchangeOf(fold, from) - 1, []),
    pins: upTo(columns.pins, pins),
    pinSums: upTo(columns.pinSums, pins + 1),
    systems: upTo(columns.systems, systems),
    systemSums: upTo(columns.systemSums, systems + 1),
    systemOnceSums: upTo(columns.systemOnceSums, systems + 1),
    notes: keeping(columns.notes, notes, firstNote, around(columns.notes, notes)),
    noteSums: keeping(columns.noteSums, notes + 1, firstNote, []),
  }
}

/**
 * The digests of a turn's steps between its user entry and `to`: as many as may have room, and the first that has none.
 */
function toldSteps(fold: Fold, user: number, to: number): ColumnData<Digest> {
  const { columns, settings, steps, epoch } = fold
  const told: (readonly [number, Digest])[] = []
  let left = Math.max(epoch.stepsRoom, stepsShare(turnShare(settings.policy.epochs?.low ?? 1, budgetOf(fold))))
  for (
    let step = lastNotAfter(columns.steps, steps, to - 1), end = to;
    end > user && at(columns.steps, step) > user && left >= 0;
    step--
  ) {
    const start = at(columns.steps, step)
    const digest = stepDigest(fold, start, end)
    told.unshift([start, digest])
    left -= digest.tokens
    end = start
  }
  return told
}

/** The most that a later outline may take. */
function outlineRoom(fold: Fold): number {
  const {
    settings: { policy, prices },
    epoch,
  } = fold
  const { base, recall, outline } = budgetOf(fold)
  if (!policy.outline) return 0
  return Math.max(epoch.outlineRoom, (policy.epochs?.low ?? 1) === 1 ? base - recall : outline) - prices.outline
}

function ascending(indexes: readonly number[], below: number): number[] {
  return [...new Set(indexes)].filter((index) => index >= 0 && index < below).sort((one, other) => one - other)
}
