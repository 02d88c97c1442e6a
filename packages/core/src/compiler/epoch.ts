import { matchCall, type CallMatch } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import { noCalls, type UnansweredCalls } from '../log/unanswered-calls.ts'
import { budgetOf, ownCost, stepsShare, systemsFirst, turnShare, type Budget } from './budget.ts'
import { at, between, emptyView, exchangeOf, exchangeStart, grown, type Column, type View } from './columns.ts'
import { notesInHead } from './policy.ts'
import { beyondCap, layoutOf, longestClipped, outlineCost, usedBy, wholeCost, type Layout } from './layout.ts'
import type { Settings } from './settings.ts'

/**
 * When does the cut move? An epoch is the time between two compactions. While it lasts, the prompts grow at their end,
 * except if the newest step or the head changes: see `since`.
 */
export interface Epoch extends Layout {
  /** The number of compactions so far. */
  readonly number: number
  /**
   * The length of the log when the beginning of the prompt last changed. That is at the compaction or later: a result
   * replaced a placeholder, or a system entry moved to the head. While it is the same, each prompt begins with the one
   * before it.
   */
  readonly since: number
  /** True if anything was ever left out. */
  readonly compacted: boolean
  /** True if even the required messages had to be clipped. Such an epoch lasts for one prompt. */
  readonly overflowed: boolean
}

export const firstEpoch: Epoch = {
  number: 0,
  since: 0,
  compacted: false,
  overflowed: false,
  cut: 0,
  reasoningFrom: 0,
  outlineRoom: 0,
  stepsRoom: 0,
  clipped: null,
}

/**
 * The epoch after one more entry. `repaired`: an earlier prompt showed a call as interrupted, and now its result is
 * here.
 */
export function nextEpoch(epoch: Epoch, view: View, repaired: boolean): Epoch {
  const { epochs } = view.settings.policy
  if (!epochs) return epoch
  const { number } = epoch
  const since = view.length
  if (epoch.compacted && shrinks(view) && wholeCost(view) <= view.settings.whole)
    return { ...firstEpoch, number, since }
  if (overflows(epoch, view)) {
    const layout = layoutOf(view, epochs.low)
    const rooms = budgetOf(view)
    const overflowed = usedBy(view, layout, rooms) > rooms.base
    return { ...layout, number: number + 1, since, compacted: true, overflowed }
  }
  if (!repaired && !shrinks(view) && !movesToHead(view)) return epoch
  return { ...epoch, since }
}

function overflows(epoch: Epoch, view: View): boolean {
  if (!epoch.compacted) return wholeCost(view) > view.settings.whole
  if (epoch.overflowed) return true
  const rooms = budgetOf(view)
  const outlined = Math.max(rooms.outline, epoch.outlineRoom + epoch.stepsRoom)
  return usedBy(view, epoch, rooms) > rooms.base - rooms.recall - outlined
}

/**
 * True if the newest entry is a result that is shorter than the placeholder it replaces. The prompt then has more room
 * than before.
 */
function shrinks({ columns: { full }, length }: View): boolean {
  return at(full, length) < at(full, length - 1)
}

function movesToHead(view: View): boolean {
  const { pinned, chained, late } = traits[at(view.columns.entries, view.length - 1).kind]
  if (!chained) return !late && notesInHead(view.settings.policy)
  if (!pinned) return false
  return view.exchanges === 0 ? view.notes > 0 : systemsFirst(view.settings)
}

/** The epoch that the log would be in if it had been folded under the settings of this view. Counts no text again. */
export function replayEpochs(fold: View): Epoch {
  let epoch = firstEpoch
  let open = noCalls
  let view: View = { ...emptyView(fold.settings), columns: fold.columns }
  for (const entry of between(fold.columns.entries, 0, fold.length)) {
    const place = matchCall(entry, open)
    const repaired = repairs(view, place, open)
    view = grown(view, fold.columns, entry.kind)
    epoch = nextEpoch(epoch, view, repaired)
    open = place.open
  }
  return epoch
}

/**
 * True if this result replaces the "interrupted" placeholder of an earlier prompt that had more text after it:
 * placeholders of other calls, or notes that waited for the step to end.
 */
export function repairs({ columns, steps, notes }: View, { answers }: CallMatch, open: UnansweredCalls): boolean {
  if (answers === undefined) return false
  return open.length > 1 || (notes > 0 && at(columns.notes, notes - 1) > at(columns.steps, steps - 1))
}

/** How far back later prompts can cut, whatever comes next in the log. */
export interface CutBound {
  /** Entries from here on may be sent. It is the start of an exchange, or of a step of the newest one. */
  readonly from: number
  /**
   * The start of the exchange or step before that: it is compared with the room but never sent. Or -1.
   */
  readonly weighed: number
}

/**
 * Computes how far back any later prompt can cut. While a log grows, its rooms never get larger and its entries never
 * get cheaper, with two exceptions: a finished turn is sent without its reasoning, and the result of an open call may
 * cost less than its placeholder. Both are subtracted here. Therefore an exchange that does not fit now never will.
 */
export function earliestCut(view: View, open: number): CutBound {
  const rooms = budgetOf(view)
  const low = view.settings.policy.epochs?.low ?? 1
  const cheaper = open * view.settings.prices.interrupted
  const turn = turnReach(view, turnShare(low, rooms), cheaper)
  const finished = finishedReach(view, rooms, low, cheaper, turn)
  return finished.from <= turn.from ? finished : turn
}

/** The newest turn, or as many of its steps as may fit. */
function turnReach(view: View, limit: number, cheaper: number): CutBound {
  const { full, steps } = view.columns
  const start = exchangeStart(view, view.exchanges - 1)
  if (since(full, start, view) - cheaper <= limit) return { from: start, weighed: -1 }
  let reached = at(steps, view.steps - 1)
  for (let step = view.steps - 2; reached > start; step--) {
    const from = at(steps, step)
    const fits = since(full, from, view) - cheaper <= limit - stepsShare(limit)
    if (!fits)
      return isClippable(view.settings, from, reached) ? { from, weighed: -1 } : { from: reached, weighed: from }
    reached = from
  }
  return { from: reached, weighed: -1 }
}

/**
 * The finished exchanges before the turn. The turn counts as one of them if it does not fit as a turn, because it may
 * fit later without its reasoning.
 */
function finishedReach(view: View, rooms: Budget, low: number, cheaper: number, turn: CutBound): CutBound {
  const newest = view.exchanges - 1
  const first = view.firstUser < 0 ? -1 : exchangeOf(view, view.firstUser)
  const aside = view.settings.policy.firstUser && first >= 0 ? ownCost(view, view.firstUser) : 0
  const isWhole = turn.from === exchangeStart(view, newest)
  let reached = isWhole ? turn.from : view.length
  for (let exchange = isWhole ? newest - 1 : newest; exchange >= 0; exchange--) {
    const from = exchangeStart(view, exchange)
    const used = since(view.columns.withoutReasoning, from, view) - cheaper - (exchange <= first ? aside : 0)
    const fine =
      low === 1 &&
      view.settings.policy.outline !== null &&
      used + outlineCost(view, exchange) <= rooms.base - rooms.recall
    const fits = used <= Math.floor(low * rooms.capacity) || fine
    const clipped = (exchange >= newest - 1 || exchange === first) && isClippable(view.settings, from, reached)
    const partly = view.settings.policy.verbatim.partly === true
    if (beyondCap(view, from, newest - exchange) || (!fits && !clipped && !partly))
      return { from: reached, weighed: from }
    if (!fits) return { from, weighed: -1 }
    reached = from
  }
  return { from: reached, weighed: -1 }
}

function isClippable({ policy }: Settings, from: number, to: number): boolean {
  return policy.verbatim.clipped === true && to - from <= longestClipped
}

function since(sums: Column<number>, from: number, { length }: View): number {
  return at(sums, length) - at(sums, from)
}
