// Which exchanges are sent whole, and which become a digest? `layoutOf` decides where the log is cut. `compose` asks it
// for each prompt. With epochs, `nextEpoch` in epoch.ts asks it when the window
// overflows, and keeps the cut until then.
import { traits } from '../log/kind.ts'
import { clippable, clipToFit, type ClipCandidate, type ClippedEntry } from './clip.ts'
import {
  budgetOf,
  costInPlace,
  earlierMarker,
  firstShare,
  headNotesCost,
  keptUser,
  pinsBefore,
  pinsFirst,
  stepsShare,
  systemCost,
  turnShare,
  type Budget,
} from './budget.ts'
import { at, exchangeOf, exchangeStart, lastNotAfter, spokenBetween, type Column, type View } from './columns.ts'

/** The tokens of a single line that can cover any number of exchanges. */
const shortestLine = 24

/** If there are more entries than this, they are not clipped together: too little would be left of each. */
export const longestClipped: number = 16

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

/** What all parts of one prompt agree on. Computed once for each plan. */
export interface PromptFrame {
  readonly layout: Layout
  /** The user entry of the exchange that the cut is inside of, which is sent as well; -1 if there is none. */
  readonly keptUser: number
  /** True if the first user entry is pinned: it is not among the exchanges that are sent whole. */
  readonly pinsFirst: boolean
  /** The other pinned entries that are quoted, because they are not sent in their place. */
  readonly pins: readonly number[]
  /** The index of a marker that is already in the log, or -1. */
  readonly earlierMarker: number
}

export function frameOf(view: View, layout: Layout): PromptFrame {
  const { cut } = layout
  const { index: user } = keptUser(view, cut)
  const isFirst = pinsFirst(view, cut)
  return {
    layout,
    keptUser: user,
    pinsFirst: isFirst,
    pins: pinsBefore(view, cut).filter((index) => index !== user && !(isFirst && index === view.firstUser)),
    earlierMarker: earlierMarker(view),
  }
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
  const { withoutReasoning, full } = view.columns
  const aside = pinsFirst(view, cut) ? 0 : first
  const from = clipped?.to ?? cut
  const middle = Math.max(from, reasoningFrom)
  return (
    keptUser(view, cut).tokens +
    (clipped?.room ?? 0) +
    between(withoutReasoning, from, middle) +
    between(full, middle, view.length) -
    aside
  )
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
    const next = used + between(view.columns.withoutReasoning, from, cut) - first
    if (beyondCap(view, from, current - exchange)) return { cut, used, clipped: null, settled: low === 1 }
    const digests = outlineCost(view, exchange)
    const sent = turn.used + between(view.columns.withoutReasoning, from, exchangeStart(view, current))
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
    const next = used + between(withoutReasoning, at(steps, step), cut)
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
  if (!view.settings.policy.verbatim.clipped || room < limit / 4 || to - from > longestClipped) return undefined
  return (
    clipsBetween(view, from, to, reasoningFrom, room) && {
      cut: from,
      used: limit,
      clipped: { to, room },
      settled: false,
    }
  )
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
  const floor = user.tokens + between(full, cut, view.length)
  const whole = between(full, start, view.length)
  if (whole <= limit || cut <= start)
    return { cut: Math.min(cut, start), used: whole, clipped: null, settled: false, floor }
  const room = limit - stepsShare(limit)
  let used = floor
  for (step--; step >= 0 && at(steps, step) > Math.max(user.index, start - 1); step--) {
    const from = at(steps, step)
    const next = used + between(full, from, cut)
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
export function outlineCost({ columns, settings }: View, exchanges: number): number {
  return exchanges === 0 ? 0 : settings.prices.outline + at(columns.digestSums, exchanges)
}

export function beyondCap(view: View, from: number, finished: number): boolean {
  const { exchanges = Infinity, messages = Infinity } = view.settings.policy.verbatim
  if (finished > exchanges) return true
  return messages < Infinity && spokenBetween(view, from, view.length) > messages
}

function holdsFirst(view: View, exchange: number): boolean {
  return view.firstUser >= 0 && exchangeOf(view, view.firstUser) === exchange
}

function between(sums: Column<number>, from: number, to: number): number {
  return at(sums, to) - at(sums, from)
}
