import type { Digest } from '../digest/digest.ts'
import { outlineReach, type OutlineReach } from '../digest/outline.ts'
import type { Message } from '../log/message.ts'
import { createIndex } from '../recall/stem-index.ts'
import { at, between, keeping, lastNotAfter, upTo, type Column, type Known } from './column.ts'
import { columnsOver, exchangeOf, exchangeStart, type Lists } from './columns.ts'
import type { Fold } from './fold.ts'
import { stepsShare, turnShare, wholeCost } from './layout.ts'
import { reachOf } from './reach.ts'
import { openingOf, stepDigest } from './remains.ts'
import { mostNotes, roomsOf } from './rooms.ts'

/**
 * The fold without all that no later prompt under its settings can need: its size follows the window and the logarithm
 * of the log. It can be advanced and compiled like any other, to the same bytes; what it no longer knows throws `forgotten`.
 *
 * @example
 * const saved = JSON.stringify(saveFold(condensed(fold)))
 */
export function condensed<M extends Message>(fold: Fold<M>): Fold<M> {
  const { settings, columns, open } = fold
  const least = wholeCost(fold, settings) - open.length * settings.prices.interrupted
  if (fold.exchanges === 0 || settings.policy.recall || least <= settings.whole) return fold
  const kept = keptOf(fold)
  const entries = keeping(columns.entries, fold.length, kept.from, kept.singles)
  const openings = kept.openings.map((index) => [index, openingOf(fold, index)] as const)
  return { ...fold, columns: columnsOver(entries, listsOf(fold, kept), { openings, steps: kept.told }, createIndex()) }
}

/** What is kept of the entries before an index, from which on everything is. All indexes in order. */
interface Kept {
  readonly from: number
  /** Entries that every prompt holds, or may. */
  readonly singles: readonly number[]
  /** Entries that a span may begin with. */
  readonly openings: readonly number[]
  /** Where sums are taken, and how many exchanges and notes stand before. */
  readonly posts: readonly number[]
  /** The steps with which the turn may be told that the index is in. */
  readonly told: Known<Digest>
  /** What outlines may show. */
  readonly outline: OutlineReach
}

function keptOf(fold: Fold): Kept {
  const { columns, settings, systems, notes, firstUser, epoch } = fold
  const reach = reachOf(fold, settings, fold.open.length)
  const firstExchange = exchangeStart(fold, 0)
  // An epoch may have begun before the first exchange did.
  const from = epoch.compacted ? Math.max(firstExchange, Math.min(epoch.cut, reach.from)) : reach.from
  const user = exchangeStart(fold, exchangeOf(fold, from))
  const before = lastNotAfter(columns.notes, notes, from - 1) + 1
  const recent = between(columns.notes, Math.max(0, before - mostNotes), before)
  const pinned = settings.policy.firstUser ? firstUser : -1
  const singles = ascending([...between(columns.systems, 0, systems), ...recent, pinned, user], from)
  const isSingle = new Set(singles)
  const neighbours = singles.flatMap((index) => [index - 1, index, index + 1])
  const outline = outlineReach({ digest: (exchange) => at(columns.digests, exchange) }, exchangeOf(fold, from), outlineRoom(fold))
  const told = toldSteps(fold, user, from)
  // What is told in a line of its own may begin with any of these.
  const lines = told.map(([index]) => index)
  for (let exchange = outline.digests; exchange <= exchangeOf(fold, from); exchange++) lines.push(exchangeStart(fold, exchange))
  return {
    from,
    singles,
    openings: ascending([0, ...singles.map((index) => index + 1), ...lines], from).filter((index) => !isSingle.has(index)),
    posts: ascending([0, firstExchange - 1, firstExchange, firstUser, epoch.cut, reach.weighed, from - 1, ...neighbours, ...lines.flatMap((index) => [index - 1, index])], from),
    told,
    outline,
  }
}

function listsOf(fold: Fold, { from, singles, posts, told, outline }: Kept): Lists {
  const { columns, length, exchanges, steps, systems, notes } = fold
  const first = told[0]?.[0] ?? from
  const firstNote = lastNotAfter(columns.notes, notes, first - 1) + 1 - mostNotes
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
    lean: sum(columns.lean),
    exchanges: keeping(columns.exchanges, exchanges, exchangeOf(fold, from), around(columns.exchanges, exchanges)),
    steps: keeping(columns.steps, steps, lastNotAfter(columns.steps, steps, first) - 1, []),
    digests: keeping(columns.digests, exchanges - 1, outline.digests, []),
    titles: keeping(columns.titles, exchanges - 1, outline.titles, outline.older),
    // What is weighed but never sent is an exchange at the most.
    digestSums: keeping(columns.digestSums, exchanges, exchangeOf(fold, from) - 1, []),
    systems: upTo(columns.systems, systems),
    systemSums: upTo(columns.systemSums, systems + 1),
    systemOnceSums: upTo(columns.systemOnceSums, systems + 1),
    notes: keeping(columns.notes, notes, firstNote, around(columns.notes, notes)),
    noteSums: keeping(columns.noteSums, notes + 1, firstNote, []),
  }
}

/** The digests of a turn's steps between its user entry and `to`, as many as may have room, and the one that has none. */
function toldSteps(fold: Fold, user: number, to: number): Known<Digest> {
  const { columns, settings, steps, epoch } = fold
  const told: (readonly [number, Digest])[] = []
  let left = Math.max(epoch.stepsRoom, stepsShare(turnShare(settings.policy.epochs?.low ?? 1, roomsOf(fold, settings))))
  for (let step = lastNotAfter(columns.steps, steps, to - 1), end = to; end > user && at(columns.steps, step) > user && left >= 0; step--) {
    const start = at(columns.steps, step)
    const digest = stepDigest(fold, start, end, settings.digesting)
    told.unshift([start, digest])
    left -= digest.tokens
    end = start
  }
  return told
}

/** The most that a later outline may fill. */
function outlineRoom(fold: Fold): number {
  const { settings: { policy, prices }, settings, epoch } = fold
  const { base, recall, outline } = roomsOf(fold, settings)
  if (!policy.outline) return 0
  return Math.max(epoch.outlineRoom, (policy.epochs?.low ?? 1) === 1 ? base - recall : outline) - prices.outline
}

function ascending(indexes: readonly number[], below: number): number[] {
  return [...new Set(indexes)].filter((index) => index >= 0 && index < below).sort((one, other) => one - other)
}
