import { checkedCount } from '../count/tokens.ts'
import { systemOnlyFirst } from '../policy/profile.ts'
import type { Settings } from '../policy/settings.ts'
import { smallestClip } from './clip.ts'
import { at, lastNotAfter } from './column.ts'
import { exchangeOf, type View } from './columns.ts'

/** How the budget is divided. */
export interface Rooms {
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
export function roomsOf(view: View, settings: Settings): Rooms {
  const { policy, budget } = settings
  const system = systemCost(view, settings)
  const first = firstShare(view, settings)
  const notes = view.notes === 0 ? 0 : Math.min(notesShare(settings), settings.prices.notes + at(view.columns.noteSums, view.notes))
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
export function systemCost(view: View, settings: Settings): number {
  const { systemSums, systemOnceSums } = view.columns
  const marker = earlierMarker(view, settings)
  const all = at(settings.policy.system === 'once' ? systemOnceSums : systemSums, view.systems)
  return marker < 0 ? all : all - ownCost(view, marker)
}

/** What an entry costs by itself, without reasoning. */
export function ownCost(view: View, index: number): number {
  return at(view.columns.text, index) + at(view.columns.rest, index)
}

/** A marker that the messages brought along: a system message with its very text, right after the first user message and its notes. Or -1. */
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

/** What the first user entry may take from all others: what it costs, or its share if that is less. 0 if it is part of the current exchange. */
export function firstShare(view: View, { policy, budget, prices }: Settings): number {
  const { firstUser, columns } = view
  if (!policy.firstUser || firstUser < 0 || exchangeOf(view, firstUser) === view.exchanges - 1) return 0
  const cost = ownCost(view, firstUser)
  const share = Math.floor(budget * policy.firstUser.share)
  if (cost <= share) return cost
  const entry = at(columns.entries, firstUser)
  const smallest = at(columns.rest, firstUser) + smallestClip(entry, at(columns.text, firstUser), (text) => checkedCount(prices.counter, text)).tokens
  return Math.min(cost, Math.max(share, smallest))
}
