import { traits } from '../log/kind.ts'
import { clippable, clipToFit, type ClipCandidate, type ClippedEntry } from './clip.ts'
import {
  budgetOf,
  costBetween,
  costInPlace,
  earlierMarker,
  firstShare,
  headNotesCost,
  keptUser,
  ownCost,
  pinsBefore,
  pinsFirst,
  stepsShare,
  systemCost,
  systemsFirst,
  turnShare,
  type Budget,
} from './budget.ts'
import {
  at,
  between,
  emptyView,
  exchangeOf,
  exchangeStart,
  grown,
  lastNotAfter,
  spokenBetween,
  sumBetween,
  type View,
} from './columns.ts'
import { matchCall, type CallMatch } from '../log/exchange.ts'
import { noCalls, type UnansweredCalls } from '../log/unanswered-calls.ts'
import { notesInHead } from './policy.ts'

// Where is the log cut, and when does the cut move? Exchanges from the cut on are sent whole, older ones become digests.
// `layoutOf` places the cut. Without epochs, each prompt has a cut of its own. With epochs (below), a cut is made when
// the window overflows, and kept until then. At the end: how far back any later cut can be.

/** The tokens of a single line that can cover any number of exchanges. */
const shortestLine = 24

/** If there are more entries than this, they are not clipped together: too little would be left of each. */
const longestClipped = 16

/** Entries before the cut are digested, outlined, recalled or omitted. Entries from the cut on are sent as they are. */
export interface Layout {
  /** The start of an exchange, or of a step in the exchange that was current when the cut was made. */
  readonly cut: number
  /** Entries before this index are sent without their reasoning. */
  readonly reasoningFrom: number
  /** Room for the outline of the exchanges before the cut. 0 if they are omitted. */
  readonly outlineRoom: number
  /** Room for the digests of the current turn's earlier steps. */
  readonly stepsRoom: number
  /**
   * The exchange or step at the cut, up to `to`, if it is sent but does not fit whole. It is clipped to `room` tokens.
   */
  readonly clipped: { readonly to: number; readonly room: number } | null
}

/** What is sent as it is: its start, and its cost. */
interface Newest {
  readonly cut: number
  readonly used: number
  readonly clipped: Layout['clipped']
  /**
   * True if the outline may have all the room that is left. Then no exchange would take that room in a larger window,
   * or only at the cost of a digest.
   */
  readonly settled: boolean
}

/**
 * Computes the layout that fills `low` of the capacity: 1 without epochs, and less with them, so that the next turns
 * have room. Every decision compares stored counts with amounts that only
 * grow with the window, and stops at the first entry that does not fit. So no entry gets a worse verdict in a larger
 * window.
 */
export function layoutOf(view: View, low: number): Layout {
  const rooms = budgetOf(view)
  const turnLimit = turnShare(low, rooms)
  const turn = currentTurn(view, turnLimit)
  const newest = addFinishedExchanges(view, rooms, turn, low)
  const reasoningFrom = exchangeStart(view, view.exchanges - 1)
  // Only room that grows with the window is promised. Room that happens to be left over does not: in a larger window an
  // exchange may take it.
  const digests = newest.cut > reasoningFrom ? stepsShare(turnLimit) : 0
  const stepsRoom = coveredBy(Math.min(digests, rooms.base - turn.floor), view.settings.prices.steps + shortestLine)
  const older = view.settings.policy.outline?.share ? exchangeOf(view, newest.cut) : 0
  const promised = newest.settled
    ? rooms.base - rooms.recall - newest.used - stepsRoom
    : Math.min(rooms.outline, rooms.base - turn.floor - digests)
  const outlineRoom =
    older > 0 ? coveredBy(promised, Math.min(view.settings.prices.outline + shortestLine, outlineCost(view, older))) : 0
  return { cut: newest.cut, clipped: newest.clipped, reasoningFrom, stepsRoom, outlineRoom }
}

/** What the prompt costs if nothing is left out. Infinity if there are more messages than the policy allows. */
export function wholeCost(view: View): number {
  if (view.exchanges > 1 && beyondCap(view, exchangeStart(view, 0), 0)) return Infinity
  const marker = earlierMarker(view) < 0 ? 0 : view.settings.marker
  return systemCost(view) + marker + headNotesCost(view) + at(view.columns.full, view.length)
}

/**
 * What the entries from the cut on take of the room. If the cut is inside a turn, that includes the turn's user entry.
 * If the first user entry is among them, the room set aside for it is subtracted.
 */
export function usedBy(view: View, { cut, reasoningFrom, clipped }: Layout, { first }: Budget): number {
  const aside = pinsFirst(view, cut) ? 0 : first
  const from = clipped?.to ?? cut
  return keptUser(view, cut).tokens + (clipped?.room ?? 0) + costBetween(view, from, view.length, reasoningFrom) - aside
}

/**
 * Decides which finished exchanges are sent whole; all older ones go before the cut. Starts at the current turn and
 * adds the next older exchange until one does not fit.
 *
 * An exchange fits if what is sent then costs at most `low` of the capacity, which leaves the outline its share. If
 * `low` is 1, as without epochs, it also fits if there is room for it and for one digest of every older exchange. As
 * soon as these digests are cheap (they cost at most the outline's share of everything), only the second test counts:
 * an exchange is then never sent whole at the cost of another's digest. So no exchange loses its digest to a larger
 * window.
 *
 * The first exchange that does not fit is clipped if it is the newest finished one or has the first user entry.
 */
function addFinishedExchanges(view: View, rooms: Budget, turn: Newest, low: number): Newest {
  const share = Math.floor(low * rooms.capacity)
  const current = view.exchanges - 1
  const outline = low === 1 ? view.settings.policy.outline : null
  const beside = (exchanges: number): number =>
    outline ? rooms.base - rooms.recall - outlineCost(view, exchanges) : -Infinity
  let { cut, used } = turn
  for (let exchange = current - 1; exchange >= 0 && cut === exchangeStart(view, exchange + 1); exchange--) {
    const from = exchangeStart(view, exchange)
    const first = holdsFirst(view, exchange) ? rooms.first : 0
    const next = used + sumBetween(view.columns.withoutReasoning, from, cut) - first
    if (beyondCap(view, from, current - exchange)) return { cut, used, clipped: null, settled: low === 1 }
    const digests = outlineCost(view, exchange)
    const sent = turn.used + sumBetween(view.columns.withoutReasoning, from, exchangeStart(view, current))
    const isCheap = outline !== null && digests <= Math.floor((sent + digests) * outline.share)
    const limit = Math.max(isCheap ? 0 : share, beside(exchange))
    if (next > limit) {
      // Only the newest finished exchange and the first user entry are worth a clip. More clips would fill the room
      // that the next turns need.
      const isWorth = exchange === current - 1 || holdsFirst(view, exchange)
      const clipped = isWorth ? clippedAt(view, from, cut, limit - used + first, limit, view.length) : undefined
      if (clipped) return { ...clipped, settled: isCheap }
      if (view.settings.policy.verbatim.partly) ({ cut, used } = addMessages(view, from, cut, used, limit))
      return { cut, used, clipped: null, settled: isCheap && used <= beside(exchange + 1) }
    }
    cut = from
    used = next
  }
  return { cut, used, clipped: turn.clipped, settled: false }
}

/** Adds the newest messages of the exchange that begins at `start`, as long as they fit. A call goes with its results. */
function addMessages(
  view: View,
  start: number,
  end: number,
  spent: number,
  limit: number,
): { readonly cut: number; readonly used: number } {
  const { steps, withoutReasoning } = view.columns
  let [cut, used] = [end, spent]
  for (let step = lastNotAfter(steps, view.steps, end - 1); step >= 0 && at(steps, step) > start; step--) {
    const next = used + sumBetween(withoutReasoning, at(steps, step), cut)
    if (next > limit) break
    cut = at(steps, step)
    used = next
  }
  return { cut, used }
}

/**
 * Clips the first exchange or step that does not fit whole into the room that is left. Returns undefined if that is not
 * worth it.
 */
function clippedAt(
  view: View,
  from: number,
  to: number,
  room: number,
  limit: number,
  reasoningFrom: number,
): Newest | undefined {
  if (!isClippable(view, from, to) || room < limit / 4) return undefined
  return (
    clipsBetween(view, from, to, reasoningFrom, room) && {
      cut: from,
      used: limit,
      clipped: { to, room },
      settled: false,
    }
  )
}

function isClippable({ settings: { policy } }: View, from: number, to: number): boolean {
  return policy.verbatim.clipped === true && to - from <= longestClipped
}

/** The clips that bring the messages between two indexes into `room` tokens. Undefined if that is impossible. */
export function clipsBetween(
  view: View,
  from: number,
  to: number,
  reasoningFrom: number,
  room: number,
): ReadonlyMap<number, ClippedEntry> | undefined {
  const { entries } = view.columns
  const pins = new Set(pinsBefore(view, to))
  const items: ClipCandidate[] = []
  for (let index = from; index < to; index++) {
    const { pinned, chained } = traits[at(entries, index).kind]
    if (pinned || !chained) continue
    const item = clippable(view, index, costInPlace(view, index, reasoningFrom))
    // The first user entry keeps its share here, too: at least as much as it would have in the head. A pinned entry
    // stays whole, because it may be quoted whole in a smaller window.
    const share = index === view.firstUser ? Math.min(item.tokens, firstShare(view)) : 0
    items.push({ ...item, minimum: pins.has(index) ? item.tokens : Math.max(item.minimum, share) })
  }
  return clipToFit(view, items, room)
}

/**
 * Returns the whole turn if it fits. If not, its user entry, its newest step, and as many steps before that as leave
 * room for digests of the others.
 */
function currentTurn(view: View, limit: number): Newest & { readonly floor: number } {
  const { steps, full } = view.columns
  const start = exchangeStart(view, view.exchanges - 1)
  let step = view.steps - 1
  let cut = step < 0 ? view.length : at(steps, step)
  const user = keptUser(view, cut)
  const floor = user.tokens + sumBetween(full, cut, view.length)
  const whole = sumBetween(full, start, view.length)
  if (whole <= limit || cut <= start)
    return { cut: Math.min(cut, start), used: whole, clipped: null, settled: false, floor }
  const room = limit - stepsShare(limit)
  let used = floor
  for (step--; step >= 0 && at(steps, step) > Math.max(user.index, start - 1); step--) {
    const from = at(steps, step)
    const next = used + sumBetween(full, from, cut)
    if (next > room)
      return {
        ...(clippedAt(view, from, cut, room - used, limit, start) ?? {
          cut,
          used,
          clipped: null,
          settled: false,
        }),
        floor,
      }
    cut = from
    used = next
  }
  return { cut, used, clipped: null, settled: false, floor }
}

/**
 * Returns the room, or 0 if it is smaller than `least`: a heading and one short line, or all lines if these cost less.
 */
function coveredBy(room: number, least: number): number {
  return room >= least ? room : 0
}

/** What an outline costs that has one digest for each of the first exchanges. */
function outlineCost({ columns, settings }: View, exchanges: number): number {
  return exchanges === 0 ? 0 : settings.prices.outline + at(columns.digestSums, exchanges)
}

function beyondCap(view: View, from: number, finished: number): boolean {
  const { exchanges = Infinity, messages = Infinity } = view.settings.policy.verbatim
  if (finished > exchanges) return true
  return messages < Infinity && spokenBetween(view, from, view.length) > messages
}

function holdsFirst(view: View, exchange: number): boolean {
  return view.firstUser >= 0 && exchangeOf(view, view.firstUser) === exchange
}

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
interface CutBound {
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
  if (sumBetween(full, start, view.length) - cheaper <= limit) return { from: start, weighed: -1 }
  let reached = at(steps, view.steps - 1)
  for (let step = view.steps - 2; reached > start; step--) {
    const from = at(steps, step)
    const fits = sumBetween(full, from, view.length) - cheaper <= limit - stepsShare(limit)
    if (!fits) return isClippable(view, from, reached) ? { from, weighed: -1 } : { from: reached, weighed: from }
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
    const used =
      sumBetween(view.columns.withoutReasoning, from, view.length) - cheaper - (exchange <= first ? aside : 0)
    const fine =
      low === 1 &&
      view.settings.policy.outline !== null &&
      used + outlineCost(view, exchange) <= rooms.base - rooms.recall
    const fits = used <= Math.floor(low * rooms.capacity) || fine
    const clipped = (exchange >= newest - 1 || exchange === first) && isClippable(view, from, reached)
    const partly = view.settings.policy.verbatim.partly === true
    if (beyondCap(view, from, newest - exchange) || (!fits && !clipped && !partly))
      return { from: reached, weighed: from }
    if (!fits) return { from, weighed: -1 }
    reached = from
  }
  return { from: reached, weighed: -1 }
}
