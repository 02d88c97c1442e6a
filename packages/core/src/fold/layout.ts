import { traits } from '../log/kind.ts'
import type { Settings } from '../policy/settings.ts'
import { at, type Column } from './column.ts'
import { danglingCalls, exchangeOf, exchangeStart, spokenBetween, type View } from './columns.ts'
import { clippable, ladder, type Clippable, type ClippedEntry } from './ladder.ts'
import { earlierMarker, firstShare, ownCost, roomsOf, systemCost, type Rooms } from './rooms.ts'

/** Tokens in which a single line can stand for any number of exchanges. */
const shortestLine = 24

/** More entries than this are not clipped together: too little would be left of each. */
export const longestClipped: number = 16

/** Where a prompt cuts the log: what stands before the cut is outlined, recalled or elided, what stands after is sent as it is. */
export interface Layout {
  /** The start of an exchange, or of a step in the exchange that was current when the cut was made. */
  readonly cut: number
  /** Entries before this index go without their reasoning. */
  readonly bare: number
  /** Room for the outline of the exchanges before the cut; 0 when they are elided. */
  readonly outlineRoom: number
  /** Room for the digests of the current turn's earlier steps. */
  readonly stepsRoom: number
  /** What stands at the cut where it is sent but does not fit whole: an exchange or a step, up to `to`, in `room` tokens. */
  readonly clipped: { readonly to: number; readonly room: number } | null
}

/** What is sent as it is: where it starts, and what it costs. */
interface Newest {
  readonly cut: number
  readonly used: number
  readonly clipped: Layout['clipped']
}

/**
 * The layout that fills `low` of the capacity. Every decision compares stored counts with amounts that only grow
 * with the window, and stops at the first that does not fit: so no entry fares worse in a larger window.
 */
export function layoutOf(view: View, settings: Settings, low: number): Layout {
  const rooms = roomsOf(view, settings)
  const turnLimit = turnShare(low, rooms)
  const turn = currentTurn(view, settings, turnLimit)
  const newest = withFinished(view, settings, rooms, turn, low)
  const bare = exchangeStart(view, view.exchanges - 1)
  // What is promised grows with the window; what happens to be left over only makes an outline finer.
  const digests = newest.cut > bare ? stepsShare(turnLimit) : 0
  const stepsRoom = coveredBy(Math.min(digests, rooms.base - turn.floor), settings.prices.steps)
  const promised = settings.policy.outline && exchangeOf(view, newest.cut) > 0 ? Math.min(rooms.outline, rooms.base - turn.floor - digests) : 0
  const outlineRoom = coveredBy(promised, settings.prices.outline)
  const left = low === 1 && outlineRoom > 0 ? Math.max(0, rooms.base - rooms.recall - newest.used - stepsRoom - outlineRoom) : 0
  return { cut: newest.cut, clipped: newest.clipped, bare, stepsRoom, outlineRoom: outlineRoom + left }
}

/** What everything costs when nothing is left out; infinite where the policy caps the number of messages below it. */
export function wholeCost(view: View, settings: Settings): number {
  if (view.exchanges > 1 && beyondCap(view, settings, exchangeStart(view, 0), 0)) return Infinity
  const marker = earlierMarker(view, settings) < 0 ? 0 : settings.marker
  return systemCost(view, settings) + marker + at(view.columns.full, view.length)
}

/**
 * What the entries from the cut on take of the room: with the user entry of a turn that the cut runs through, less what is
 * set aside for the first user entry where that is among them.
 */
export function usedBy(view: View, settings: Settings, { cut, bare, clipped }: Layout, { first }: Rooms): number {
  const { lean, full } = view.columns
  const aside = pinsFirst(view, settings, cut) ? 0 : first
  const from = clipped?.to ?? cut
  const middle = Math.max(from, bare)
  return keptUser(view, cut).tokens + (clipped?.room ?? 0) + between(lean, from, middle) + between(full, middle, view.length) - aside
}

/** The user entry of the exchange that a cut runs through: it stays, for what follows answers it. */
export function keptUser(view: View, cut: number): { readonly index: number; readonly tokens: number } {
  const exchange = exchangeOf(view, cut)
  const start = exchangeStart(view, exchange)
  if (cut >= view.length || exchange < 0 || cut === start || at(view.columns.entries, start).kind !== 'user') return { index: -1, tokens: 0 }
  return { index: start, tokens: ownCost(view, start) }
}

/** True where the first user entry is pinned and stands apart from the exchanges that are sent whole. */
export function pinsFirst(view: View, { policy }: Settings, cut: number): boolean {
  return policy.firstUser !== null && view.firstUser >= 0 && view.firstUser < cut && keptUser(view, cut).index !== view.firstUser
}

/** The turn, and before it as many finished exchanges as fit. */
function withFinished(view: View, settings: Settings, rooms: Rooms, turn: Newest, low: number): Newest {
  const limit = Math.floor(low * rooms.capacity)
  const current = view.exchanges - 1
  let { cut, used } = turn
  for (let exchange = current - 1; exchange >= 0 && cut === exchangeStart(view, exchange + 1); exchange--) {
    const from = exchangeStart(view, exchange)
    const next = used + between(view.columns.lean, from, cut) - (holdsFirst(view, exchange) ? rooms.first : 0)
    // Beyond the limit, too, where a line each for all that is older still fits beside it.
    const fine = low === 1 && settings.policy.outline !== null && next + outlinePrice(exchange, settings) <= rooms.base - rooms.recall
    if (beyondCap(view, settings, from, current - exchange)) break
    if (next > limit && !fine) {
      const first = holdsFirst(view, exchange)
      // What was just said, or first, is worth a clip. More would fill the room that the next turns need.
      if (exchange < current - 1 && !first) break
      return clippedAt(view, settings, from, cut, limit - used + (first ? rooms.first : 0), limit, view.length) ?? { cut, used, clipped: null }
    }
    cut = from
    used = next
  }
  return { cut, used, clipped: turn.clipped }
}

/** The first exchange or step that does not fit whole, clipped into the room that is left, where that is worth it. */
function clippedAt(view: View, settings: Settings, from: number, to: number, room: number, limit: number, bare: number): Newest | undefined {
  if (!settings.policy.verbatim.clipped || room < limit / 4 || to - from > longestClipped) return undefined
  return clipsBetween(view, settings, from, to, bare, room) && { cut: from, used: limit, clipped: { to, room } }
}

/** The clips that bring what was said between two indexes into `room` tokens; undefined where they cannot. */
export function clipsBetween(
  view: View, settings: Settings, from: number, to: number, bare: number, room: number,
): ReadonlyMap<number, ClippedEntry> | undefined {
  const { entries, reasoning } = view.columns
  const items: Clippable[] = []
  for (let index = from; index < to; index++) {
    const { pinned, chained } = traits[at(entries, index).kind]
    if (pinned || !chained) continue
    const thought = index < bare ? 0 : at(reasoning, index)
    const item = clippable(view, settings, index, ownCost(view, index) + thought + danglingCalls(view, index) * settings.prices.interrupted)
    // The first user entry has its share among others, too: no less than it has when it is sent without them.
    const share = index === view.firstUser ? Math.min(item.tokens, firstShare(view, settings)) : 0
    items.push({ ...item, minimum: Math.max(item.minimum, share) })
  }
  return ladder(view, settings, items, room)
}

/** The whole turn where it fits; else its user entry, the newest step, and as many steps before it as leave room for digests of the rest. */
function currentTurn(view: View, settings: Settings, limit: number): Newest & { readonly floor: number } {
  const { steps, full } = view.columns
  const start = exchangeStart(view, view.exchanges - 1)
  let step = view.steps - 1
  let cut = step < 0 ? view.length : at(steps, step)
  const user = keptUser(view, cut)
  const floor = user.tokens + between(full, cut, view.length)
  const whole = between(full, start, view.length)
  if (whole <= limit || cut <= start) return { cut: Math.min(cut, start), used: whole, clipped: null, floor }
  const room = limit - stepsShare(limit)
  let used = floor
  for (step--; step >= 0 && at(steps, step) > Math.max(user.index, start - 1); step--) {
    const from = at(steps, step)
    const next = used + between(full, from, cut)
    if (next > room) return { ...(clippedAt(view, settings, from, cut, room - used, limit, start) ?? { cut, used, clipped: null }), floor }
    cut = from
    used = next
  }
  return { cut, used, clipped: null, floor }
}

/** What a single turn may fill: it needs what it did last more than the conversation needs a low-water mark. */
export function turnShare(low: number, { capacity }: Rooms): number {
  return Math.floor(((low + 1) / 2) * capacity)
}

/** What the digests of a turn's earlier steps may take of the room for exchanges. */
export function stepsShare(limit: number): number {
  return Math.floor(limit / 3)
}

/** The room, or 0 where it does not hold a head and one short line. */
function coveredBy(room: number, head: number): number {
  return room >= head + shortestLine ? room : 0
}

export function outlinePrice(exchanges: number, { prices, digesting }: Settings): number {
  return exchanges === 0 ? 0 : prices.outline + exchanges * digesting.line
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
