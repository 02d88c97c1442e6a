import { traits } from '../log/kind.ts'
import { checkedCount } from '../tokens/tokens.ts'
import { clippable, clipToFit, smallestClip, type Clippable, type ClippedEntry } from './clip.ts'
import { at, lastNotAfter, type Column } from './column.ts'
import { danglingCalls, exchangeOf, exchangeStart, spokenBetween, type View } from './columns.ts'
import { systemOnlyFirst } from './profile.ts'
import type { Settings } from './settings.ts'

/** Tokens in which a single line can stand for any number of exchanges. */
const shortestLine = 24

/** More entries than this are not clipped together: too little would be left of each. */
export const longestClipped: number = 16

/**
 * Where a prompt cuts the log: what stands before the cut is digested, outlined, recalled or omitted, what stands after
 * is sent as it is.
 */
export interface Layout {
  /** The start of an exchange, or of a step in the exchange that was current when the cut was made. */
  readonly cut: number
  /** Entries before this index go without their reasoning. */
  readonly reasoningFrom: number
  /** Room for the outline of the exchanges before the cut; 0 if they are omitted. */
  readonly outlineRoom: number
  /** Room for the digests of the current turn's earlier steps. */
  readonly stepsRoom: number
  /**
   * What stands at the cut where it is sent but does not fit whole: an exchange or a step, up to `to`, in `room`
   * tokens.
   */
  readonly clipped: { readonly to: number; readonly room: number } | null
}

/** What is sent as it is: where it starts, and what it costs. */
interface Newest {
  readonly cut: number
  readonly used: number
  readonly clipped: Layout['clipped']
  /**
   * Whether what it leaves of the room is the outline's for good: no exchange will want it in a larger window, or not
   * at the cost of a digest.
   */
  readonly settled: boolean
}

/**
 * The layout that fills `low` of the capacity. Every decision compares stored counts with amounts that only grow with
 * the window, and stops at the first that does not fit: so no entry fares worse in a larger window.
 */
export function layoutOf(view: View, settings: Settings, low: number): Layout {
  const rooms = budgetOf(view, settings)
  const turnLimit = turnShare(low, rooms)
  const turn = currentTurn(view, settings, turnLimit)
  const newest = withFinished(view, settings, rooms, turn, low)
  const reasoningFrom = exchangeStart(view, view.exchanges - 1)
  // What is promised grows with the window. What happens to be left over does not: a larger window may have an exchange
  // there.
  const digests = newest.cut > reasoningFrom ? stepsShare(turnLimit) : 0
  const stepsRoom = coveredBy(Math.min(digests, rooms.base - turn.floor), settings.prices.steps + shortestLine)
  const older = settings.policy.outline?.share ? exchangeOf(view, newest.cut) : 0
  const promised = newest.settled
    ? rooms.base - rooms.recall - newest.used - stepsRoom
    : Math.min(rooms.outline, rooms.base - turn.floor - digests)
  const outlineRoom =
    older > 0
      ? coveredBy(promised, Math.min(settings.prices.outline + shortestLine, outlineCost(view, settings, older)))
      : 0
  return { cut: newest.cut, clipped: newest.clipped, reasoningFrom, stepsRoom, outlineRoom }
}

/** What everything costs when nothing is left out; infinite where the policy caps the number of messages below it. */
export function wholeCost(view: View, settings: Settings): number {
  if (view.exchanges > 1 && beyondCap(view, settings, exchangeStart(view, 0), 0)) return Infinity
  const marker = earlierMarker(view, settings) < 0 ? 0 : settings.marker
  return systemCost(view, settings) + marker + at(view.columns.full, view.length)
}

/**
 * What the entries from the cut on take of the room: with the user entry of a turn that the cut runs through, less what
 * is set aside for the first user entry where that is among them.
 */
export function usedBy(
  view: View,
  settings: Settings,
  { cut, reasoningFrom, clipped }: Layout,
  { first }: Budget,
): number {
  const { withoutReasoning, full } = view.columns
  const aside = pinsFirst(view, settings, cut) ? 0 : first
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

/** The user entry of the exchange that a cut runs through: it stays, for what follows answers it. */
export function keptUser(view: View, cut: number): { readonly index: number; readonly tokens: number } {
  const exchange = exchangeOf(view, cut)
  const start = exchangeStart(view, exchange)
  if (cut >= view.length || exchange < 0 || cut === start || at(view.columns.entries, start).kind !== 'user')
    return { index: -1, tokens: 0 }
  return { index: start, tokens: ownCost(view, start) }
}

/** True where the first user entry is pinned and stands apart from the exchanges that are sent whole. */
export function pinsFirst(view: View, { policy }: Settings, cut: number): boolean {
  return (
    policy.firstUser !== null &&
    view.firstUser >= 0 &&
    view.firstUser < cut &&
    keptUser(view, cut).index !== view.firstUser
  )
}

/**
 * The turn, and before it as many finished exchanges as fit beside the outline's share, or beside a digest each for all
 * that is older. Once these digests cost no more than that share, no exchange takes it from them: so none is lost in a
 * larger window.
 */
function withFinished(view: View, settings: Settings, rooms: Budget, turn: Newest, low: number): Newest {
  const share = Math.floor(low * rooms.capacity)
  const current = view.exchanges - 1
  const outline = low === 1 ? settings.policy.outline : null
  const beside = (exchanges: number): number =>
    outline ? rooms.base - rooms.recall - outlineCost(view, settings, exchanges) : -Infinity
  let { cut, used } = turn
  for (let exchange = current - 1; exchange >= 0 && cut === exchangeStart(view, exchange + 1); exchange--) {
    const from = exchangeStart(view, exchange)
    const first = holdsFirst(view, exchange) ? rooms.first : 0
    const next = used + between(view.columns.withoutReasoning, from, cut) - first
    if (beyondCap(view, settings, from, current - exchange)) return { cut, used, clipped: null, settled: low === 1 }
    const digests = outlineCost(view, settings, exchange)
    const sent = turn.used + between(view.columns.withoutReasoning, from, exchangeStart(view, current))
    const isCheap = outline !== null && digests <= Math.floor((sent + digests) * outline.share)
    const limit = Math.max(isCheap ? 0 : share, beside(exchange))
    if (next > limit) {
      // What was just said, or first, is worth a clip. More would fill the room that the next turns need.
      const isWorth = exchange === current - 1 || holdsFirst(view, exchange)
      const clipped = isWorth
        ? clippedAt(view, settings, from, cut, limit - used + first, limit, view.length)
        : undefined
      return clipped
        ? { ...clipped, settled: isCheap }
        : { cut, used, clipped: null, settled: isCheap && used <= beside(exchange + 1) }
    }
    cut = from
    used = next
  }
  return { cut, used, clipped: turn.clipped, settled: false }
}

/** The first exchange or step that does not fit whole, clipped into the room that is left, where that is worth it. */
function clippedAt(
  view: View,
  settings: Settings,
  from: number,
  to: number,
  room: number,
  limit: number,
  reasoningFrom: number,
): Newest | undefined {
  if (!settings.policy.verbatim.clipped || room < limit / 4 || to - from > longestClipped) return undefined
  return (
    clipsBetween(view, settings, from, to, reasoningFrom, room) && {
      cut: from,
      used: limit,
      clipped: { to, room },
      settled: false,
    }
  )
}

/** The clips that bring what was said between two indexes into `room` tokens; undefined where they cannot. */
export function clipsBetween(
  view: View,
  settings: Settings,
  from: number,
  to: number,
  reasoningFrom: number,
  room: number,
): ReadonlyMap<number, ClippedEntry> | undefined {
  const { entries, reasoning } = view.columns
  const items: Clippable[] = []
  for (let index = from; index < to; index++) {
    const { pinned, chained } = traits[at(entries, index).kind]
    if (pinned || !chained) continue
    const thought = index < reasoningFrom ? 0 : at(reasoning, index)
    const item = clippable(
      view,
      settings,
      index,
      ownCost(view, index) + thought + danglingCalls(view, index) * settings.prices.interrupted,
    )
    // The first user entry has its share among others, too: no less than it has when it is sent without them.
    const share = index === view.firstUser ? Math.min(item.tokens, firstShare(view, settings)) : 0
    items.push({ ...item, minimum: Math.max(item.minimum, share) })
  }
  return clipToFit(view, settings, items, room)
}

/**
 * The whole turn where it fits; else its user entry, the newest step, and as many steps before it as leave room for
 * digests of the rest.
 */
function currentTurn(view: View, settings: Settings, limit: number): Newest & { readonly floor: number } {
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
        ...(clippedAt(view, settings, from, cut, room - used, limit, start) ?? {
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

/** What a single turn may fill: it needs what it did last more than the conversation needs a low-water mark. */
export function turnShare(low: number, { capacity }: Budget): number {
  return Math.floor(((low + 1) / 2) * capacity)
}

/** What the digests of a turn's earlier steps may take of the room for exchanges. */
export function stepsShare(limit: number): number {
  return Math.floor(limit / 3)
}

/**
 * The room, or 0 where it does not hold the least that is worth it: a head and one short line, or all there is to tell.
 */
function coveredBy(room: number, least: number): number {
  return room >= least ? room : 0
}

/** What an outline with a digest each for the first exchanges costs. */
export function outlineCost({ columns }: View, { prices }: Settings, exchanges: number): number {
  return exchanges === 0 ? 0 : prices.outline + at(columns.digestSums, exchanges)
}

export function beyondCap(view: View, { policy }: Settings, from: number, finished: number): boolean {
  const { exchanges = Infinity, messages = Infinity } = policy.verbatim
  if (finished > exchanges) return true
  return messages < Infinity && spokenBetween(view, from, view.length) > messages
}

function holdsFirst(view: View, exchange: number): boolean {
  return view.firstUser >= 0 && exchangeOf(view, view.firstUser) === exchange
}

function between(sums: Column<number>, from: number, to: number): number {
  return at(sums, to) - at(sums, from)
}

/** How the budget is divided. */
export interface Budget {
  readonly system: number
  readonly first: number
  /** For the notes that a compaction folds into the head: no more than all of them need. */
  readonly notes: number
  /** What system, first entry, notes and marker leave. */
  readonly base: number
  readonly recall: number
  readonly outline: number
  /** For whole exchanges, the current one among them. */
  readonly capacity: number
}

/** How the budget is divided for this log. */
export function budgetOf(view: View, settings: Settings): Budget {
  const { policy, budget } = settings
  const system = systemCost(view, settings)
  const first = firstShare(view, settings)
  const notes =
    view.notes === 0 ? 0 : Math.min(notesShare(settings), settings.prices.notes + at(view.columns.noteSums, view.notes))
  const base = budget - system - first - notes - settings.marker
  const free = Math.max(0, base)
  const recall = Math.floor(free * (policy.recall?.reserve ?? 0))
  const outline = Math.floor((free - recall) * (policy.outline?.share ?? 0))
  return { system, first, notes, base, recall, outline, capacity: free - recall - outline }
}

/** How many notes fold into the head. */
export const mostNotes: number = 10

/** What folded notes may take of the budget. */
export function notesShare({ budget, policy }: Settings): number {
  return Math.max(0, Math.floor(budget * (policy.notes?.share ?? 1 / 8)))
}

/** What the system entries cost, as the policy sends them. */
function systemCost(view: View, settings: Settings): number {
  const { systemSums, systemOnceSums } = view.columns
  const marker = earlierMarker(view, settings)
  const all = at(settings.policy.system === 'once' ? systemOnceSums : systemSums, view.systems)
  return marker < 0 ? all : all - ownCost(view, marker)
}

/** What an entry costs by itself, without reasoning. */
export function ownCost(view: View, index: number): number {
  return at(view.columns.text, index) + at(view.columns.rest, index)
}

/**
 * A marker that the messages brought along: a system message with its very text, right after the first user message and
 * its notes. Or -1.
 */
export function earlierMarker({ columns, systems, afterFirst }: View, { policy }: Settings): number {
  if (afterFirst < 0 || policy.marker === null || policy.marker.includes('{messages}')) return -1
  const place = lastNotAfter(columns.systems, systems, afterFirst)
  if (place < 0 || at(columns.systems, place) !== afterFirst) return -1
  return at(columns.entries, afterFirst).text === policy.marker ? afterFirst : -1
}

/** True where no system entry may stand in the middle. */
export function systemsFirst({ policy, prices }: Settings): boolean {
  return policy.system !== 'in place' || systemOnlyFirst(prices.profile)
}

/**
 * What the first user entry may take from all others: what it costs, or its share if that is less. 0 if it is part of
 * the current exchange.
 */
function firstShare(view: View, { policy, budget, prices }: Settings): number {
  const { firstUser, columns } = view
  if (!policy.firstUser || firstUser < 0 || exchangeOf(view, firstUser) === view.exchanges - 1) return 0
  const cost = ownCost(view, firstUser)
  const share = Math.floor(budget * policy.firstUser.share)
  if (cost <= share) return cost
  const entry = at(columns.entries, firstUser)
  const smallest =
    at(columns.rest, firstUser) +
    smallestClip(entry, at(columns.text, firstUser), (text) => checkedCount(prices.counter, text)).tokens
  return Math.min(cost, Math.max(share, smallest))
}
