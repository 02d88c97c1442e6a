import type { Settings } from '../policy/settings.ts'
import { at, type Column } from './column.ts'
import { exchangeOf, exchangeStart, type View } from './columns.ts'
import { beyondCap, longestClipped, outlineCost, stepsShare, turnShare } from './layout.ts'
import { ownCost, roomsOf, type Rooms } from './rooms.ts'

/** How far back later prompts can cut, whatever is said next. */
export interface Reach {
  /** Entries from here on may be sent: the start of an exchange, or of a step of the newest one. */
  readonly from: number
  /** The start of what comes before it, which is weighed but never sent; -1 where nothing does. */
  readonly weighed: number
}

/**
 * Rooms never grow while a log does, and what was said never gets cheaper: but for reasoning, which a finished turn goes
 * without, and for open calls, whose results may cost less than the words that stand in for them. So what is too much
 * for the room without these is too much for ever.
 */
export function reachOf(view: View, settings: Settings, open: number): Reach {
  const rooms = roomsOf(view, settings)
  const low = settings.policy.epochs?.low ?? 1
  const cheaper = open * settings.prices.interrupted
  const turn = turnReach(view, settings, turnShare(low, rooms), cheaper)
  const finished = finishedReach(view, settings, rooms, low, cheaper, turn)
  return finished.from <= turn.from ? finished : turn
}

/** The newest turn, or as many of its steps as may fit. */
function turnReach(view: View, settings: Settings, limit: number, cheaper: number): Reach {
  const { full, steps } = view.columns
  const start = exchangeStart(view, view.exchanges - 1)
  if (since(full, start, view) - cheaper <= limit) return { from: start, weighed: -1 }
  let reached = at(steps, view.steps - 1)
  for (let step = view.steps - 2; reached > start; step--) {
    const from = at(steps, step)
    const fits = since(full, from, view) - cheaper <= limit - stepsShare(limit)
    if (!fits) return isClippable(settings, from, reached) ? { from, weighed: -1 } : { from: reached, weighed: from }
    reached = from
  }
  return { from: reached, weighed: -1 }
}

/** Finished exchanges before the turn; the turn is one of them where it does not fit as a turn, but may without its reasoning. */
function finishedReach(view: View, settings: Settings, rooms: Rooms, low: number, cheaper: number, turn: Reach): Reach {
  const newest = view.exchanges - 1
  const first = view.firstUser < 0 ? -1 : exchangeOf(view, view.firstUser)
  const aside = settings.policy.firstUser && first >= 0 ? ownCost(view, view.firstUser) : 0
  const isWhole = turn.from === exchangeStart(view, newest)
  let reached = isWhole ? turn.from : view.length
  for (let exchange = isWhole ? newest - 1 : newest; exchange >= 0; exchange--) {
    const from = exchangeStart(view, exchange)
    const used = since(view.columns.lean, from, view) - cheaper - (exchange <= first ? aside : 0)
    const fine = low === 1 && settings.policy.outline !== null && used + outlineCost(view, settings, exchange) <= rooms.base - rooms.recall
    const fits = used <= Math.floor(low * rooms.capacity) || fine
    const clipped = (exchange >= newest - 1 || exchange === first) && isClippable(settings, from, reached)
    if (beyondCap(view, settings, from, newest - exchange) || (!fits && !clipped)) return { from: reached, weighed: from }
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
