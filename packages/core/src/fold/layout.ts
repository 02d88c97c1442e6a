import { systemOnlyFirst } from '../policy/profile.ts'
import type { Settings } from '../policy/settings.ts'
import { smallestClip } from './clip.ts'
import { at, exchangeOf, exchangeStart, type View } from './columns.ts'

/** Tokens in which a single line can stand for any number of exchanges. */
const shortestLine = 24

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
}

/** How the budget is divided. */
export interface Rooms {
  readonly system: number
  readonly first: number
  readonly notes: number
  /** What system, first entry, notes and marker leave. */
  readonly base: number
  readonly recall: number
  readonly outline: number
  /** For whole exchanges, the current one among them. */
  readonly capacity: number
}

/**
 * The layout that fills `low` of the capacity. Every decision compares stored counts with amounts that only grow
 * with the window, and stops at the first that does not fit: so no entry fares worse in a larger window.
 */
export function layoutOf(view: View, settings: Settings, low: number): Layout {
  const { policy } = settings
  const rooms = roomsOf(view, settings)
  const limit = Math.floor(low * rooms.capacity)
  // The turn that is under way needs what it did last more than the conversation needs a low-water mark.
  const turnLimit = Math.floor(((low + 1) / 2) * rooms.capacity)
  const turn = currentTurn(view, turnLimit)
  let { cut, used } = turn
  const current = view.exchanges - 1
  const start = exchangeStart(view, current)

  for (let exchange = current - 1; exchange >= 0 && cut === exchangeStart(view, exchange + 1); exchange--) {
    const from = exchangeStart(view, exchange)
    const next = used + between(view.columns.lean, from, cut) - (holdsFirst(view, exchange) ? rooms.first : 0)
    const fine = low === 1 && policy.outline !== null && next + outlinePrice(exchange, settings) <= rooms.base - rooms.recall
    if (next > limit && !fine) break
    if (beyondCap(view, settings, from, current - exchange)) break
    cut = from
    used = next
  }

  // What is promised grows with the window; what happens to be left over only makes an outline finer.
  const digests = cut > start ? stepsShare(turnLimit) : 0
  const stepsRoom = coveredBy(Math.min(digests, rooms.base - turn.floor), settings.prices.steps)
  const promised = policy.outline && exchangeOf(view, cut) > 0 ? Math.min(rooms.outline, rooms.base - turn.floor - digests) : 0
  const outlineRoom = coveredBy(promised, settings.prices.outline)
  const left = low === 1 && outlineRoom > 0 ? Math.max(0, rooms.base - rooms.recall - used - stepsRoom - outlineRoom) : 0
  return { cut, bare: start, stepsRoom, outlineRoom: outlineRoom + left }
}

/** How the budget is divided for this log. */
export function roomsOf(view: View, settings: Settings): Rooms {
  const { policy, budget } = settings
  const system = systemCost(view, settings)
  const first = firstCost(view, settings)
  const notes = view.notes === 0 ? 0 : Math.floor(budget / 8)
  const base = budget - system - first - notes - settings.marker
  const free = Math.max(0, base)
  const recall = Math.floor(free * (policy.recall?.reserve ?? 0))
  const outline = Math.floor((free - recall) * (policy.outline?.share ?? 0))
  return { system, first, notes, base, recall, outline, capacity: free - recall - outline }
}

/** What everything costs when nothing is left out; infinite where the policy caps the number of messages below it. */
export function wholeCost(view: View, settings: Settings): number {
  if (view.exchanges > 1 && beyondCap(view, settings, exchangeStart(view, 0), 0)) return Infinity
  const marker = earlierMarker(view, settings) < 0 ? 0 : settings.marker
  return systemCost(view, settings) + marker + at(view.columns.full, view.length)
}

/** What the entries from the cut on cost, with the user entry of a turn that the cut runs through. */
export function usedBy(view: View, { cut, bare }: Layout): number {
  const { lean, full } = view.columns
  const middle = Math.max(cut, bare)
  return keptUser(view, cut).tokens + between(lean, cut, middle) + between(full, middle, view.length)
}

/** The user entry of the exchange that a cut runs through: it stays, for what follows answers it. */
export function keptUser(view: View, cut: number): { readonly index: number; readonly tokens: number } {
  const start = exchangeStart(view, exchangeOf(view, cut))
  if (cut >= view.length || cut === start || view.columns.entries[start]?.kind !== 'user') return { index: -1, tokens: 0 }
  return { index: start, tokens: ownCost(view, start) }
}

/** What an entry costs by itself, without reasoning. */
export function ownCost(view: View, index: number): number {
  return at(view.columns.text, index) + at(view.columns.rest, index)
}

/** A marker that the messages brought along: a system message with its very text, right after the first user message. Or -1. */
export function earlierMarker(view: View, { policy }: Settings): number {
  const index = view.firstUser + 1
  const entry = view.firstUser >= 0 && index < view.length ? view.columns.entries[index] : undefined
  const isMarker = entry?.kind === 'system' && policy.marker !== null && entry.text === policy.marker && !policy.marker.includes('{messages}')
  return isMarker ? index : -1
}

/** True where no system entry may stand in the middle. */
export function systemsFirst({ policy, prices }: Settings): boolean {
  return policy.system !== 'in place' || systemOnlyFirst(prices.profile)
}

/** True where the first user entry is pinned and stands apart from the exchanges that are sent whole. */
export function pinsFirst(view: View, { policy }: Settings, cut: number): boolean {
  return policy.firstUser !== null && view.firstUser >= 0 && view.firstUser < cut && keptUser(view, cut).index !== view.firstUser
}

/** The whole turn where it fits; else its user entry, the newest step, and as many steps before it as leave room for digests of the rest. */
function currentTurn(view: View, limit: number): { cut: number; used: number; floor: number } {
  const { steps, full } = view.columns
  const start = exchangeStart(view, view.exchanges - 1)
  let step = view.steps - 1
  let cut = step < 0 ? view.length : at(steps, step)
  const user = keptUser(view, cut)
  const floor = user.tokens + between(full, cut, view.length)
  const whole = between(full, start, view.length)
  if (whole <= limit || cut <= start) return { cut: Math.min(cut, start), used: whole, floor }
  let used = floor
  for (step--; step >= 0 && at(steps, step) > Math.max(user.index, start - 1); step--) {
    const next = used + between(full, at(steps, step), cut)
    if (next > limit - stepsShare(limit)) break
    cut = at(steps, step)
    used = next
  }
  return { cut, used, floor }
}

/** What the digests of a turn's earlier steps may take of the room for exchanges. */
function stepsShare(limit: number): number {
  return Math.floor(limit / 3)
}

/** The room, or 0 where it does not hold a head and one short line. */
function coveredBy(room: number, head: number): number {
  return room >= head + shortestLine ? room : 0
}

function outlinePrice(exchanges: number, { prices, digesting }: Settings): number {
  return exchanges === 0 ? 0 : prices.outline + exchanges * digesting.line
}

function beyondCap(view: View, { policy }: Settings, from: number, finished: number): boolean {
  const { exchanges = Infinity, messages = Infinity } = policy.verbatim
  if (finished > exchanges) return true
  if (messages === Infinity) return false
  const { systems } = view.columns
  let spoken = view.length - from
  for (let index = view.systems - 1; index >= 0 && at(systems, index) >= from; index--) spoken--
  return spoken > messages
}

function systemCost(view: View, settings: Settings): number {
  const { systemSums, systemOnceSums } = view.columns
  const marker = earlierMarker(view, settings)
  const all = at(settings.policy.system === 'once' ? systemOnceSums : systemSums, view.systems)
  return marker < 0 ? all : all - ownCost(view, marker)
}

function firstCost(view: View, { policy, budget, prices }: Settings): number {
  const { firstUser, columns } = view
  if (!policy.firstUser || firstUser < 0 || exchangeOf(view, firstUser) === view.exchanges - 1) return 0
  const cost = ownCost(view, firstUser)
  const share = Math.floor(budget * policy.firstUser.share)
  if (cost <= share) return cost
  const entry = columns.entries[firstUser]!
  const smallest = at(columns.rest, firstUser) + smallestClip(entry, at(columns.text, firstUser), prices.counter).tokens
  return Math.min(cost, Math.max(share, smallest))
}

function holdsFirst(view: View, exchange: number): boolean {
  return view.firstUser >= 0 && exchangeOf(view, view.firstUser) === exchange
}

function between(sums: readonly number[], from: number, to: number): number {
  return at(sums, to) - at(sums, from)
}
