import { traits } from '../log/kind.ts'
import { checkedCount } from '../tokens/tokens.ts'
import { smallestClip } from './clip.ts'
import {
  at,
  between,
  danglingCalls,
  exchangeOf,
  exchangeStart,
  lastNotAfter,
  sumBetween,
  type View,
} from './columns.ts'
import type { PinCost } from './cost.ts'
import { notesInHead } from './policy.ts'
import { systemOnlyFirst } from './profile.ts'
import type { Settings } from './settings.ts'

/** How is the room of a prompt divided? First comes what must be sent, then the tiers have their shares. */
export interface Budget {
  readonly system: number
  readonly first: number
  /** For the pinned entries, if a compaction moves them to the head. */
  readonly pins: number
  /** For the notes that a compaction moves to the head: at most what all of them need. */
  readonly notes: number
  /** What is left after system entries, first user entry, pinned entries, notes and marker. */
  readonly base: number
  readonly recall: number
  readonly outline: number
  /** For whole exchanges, including the current one. */
  readonly capacity: number
}

/** Divides the budget for this log. */
export function budgetOf(view: View): Budget {
  const { settings } = view
  const { policy, budget } = settings
  const system = systemCost(view)
  const first = firstShare(view)
  const pins = pinsRoom(settings, pinsCost(view))
  const notes = Math.min(notesShare(settings), notesCost(view))
  const base = budget - system - first - pins - notes - settings.marker
  const free = Math.max(0, base)
  const recall = Math.floor(free * (policy.recall?.reserve ?? 0))
  const outline = Math.floor((free - recall) * (policy.outline?.share ?? 0))
  return { system, first, pins, notes, base, recall, outline, capacity: free - recall - outline }
}

/** The pinned entries before an index. */
export function pinsBefore({ columns, pins }: View, index: number): readonly number[] {
  return between(columns.pins, 0, lastNotAfter(columns.pins, pins, index - 1) + 1)
}

/** What all pinned entries cost if they are quoted. If the policy pins the first user entry, that has its own room. */
function pinsCost({ columns: { pins, pinSums }, pins: count, firstUser, settings }: View): PinCost {
  const all = at(pinSums, count)
  const place = settings.policy.firstUser ? lastNotAfter(pins, count, firstUser) : -1
  if (place < 0 || at(pins, place) !== firstUser) return all
  const [before, after] = [at(pinSums, place), at(pinSums, place + 1)]
  return { whole: all.whole - after.whole + before.whole, least: all.least - after.least + before.least }
}

/**
 * The room for pinned entries: what they cost if they are quoted, or their share of the budget if that is less, but
 * always enough for their smallest clips.
 */
export function pinsRoom(settings: Settings, { whole, least }: PinCost): number {
  const { budget, policy, prices } = settings
  if (whole === 0) return 0
  // Of what notes may not have: so no room shrinks if the window grows by a token.
  const share = Math.floor((budget - notesShare(settings)) * (policy.pins?.share ?? 3 / 10)) - prices.pins
  return prices.pins + Math.min(whole, Math.max(share, least))
}

/** What all notes cost in the head: those of the model under one heading, the journal under another. */
function notesCost({ columns, notes, settings }: View): number {
  return Math.min(notes, 2) * settings.prices.notes + at(columns.noteSums, notes)
}

/** The most notes that the head has. */
export function mostNotes({ policy }: Settings): number {
  return policy.notes?.last ?? 10
}

/** What the notes in the head may take of the budget. */
export function notesShare({ budget, policy }: Settings): number {
  return Math.max(0, Math.floor(budget * (policy.notes?.share ?? (notesInHead(policy) ? 1 / 2 : 1 / 4))))
}

/**
 * The newest notes that the head may have, oldest first: those before the cut, or all of them if the policy wants them
 * there. A journal entry is sent only once the cut has passed it.
 */
export function headNotes({ columns, notes, settings }: View, cut: number): number[] {
  const isLate = (note: number): boolean => traits[at(columns.entries, at(columns.notes, note)).kind].late
  const found: number[] = []
  let note = notesInHead(settings.policy) ? notes - 1 : lastNotAfter(columns.notes, notes, cut - 1)
  for (const most = mostNotes(settings); note >= 0 && found.length < most; note--)
    if (at(columns.notes, note) < cut || !isLate(note)) found.push(note)
  return found.toReversed()
}

/** What notes in the head add to a prompt that leaves nothing out. */
export function headNotesCost(view: View): number {
  if (view.notes === 0 || !notesInHead(view.settings.policy)) return 0
  const notes = headNotes(view, 0)
  const { noteSums } = view.columns
  return notes.reduce(
    (sum, note) => sum + sumBetween(noteSums, note, note + 1),
    notes.length && view.settings.prices.notes,
  )
}

/**
 * What a single turn may fill. It is more than `low` of the capacity: a turn needs its own latest steps more than the
 * conversation needs free room.
 */
export function turnShare(low: number, { capacity }: Budget): number {
  return Math.floor(((low + 1) / 2) * capacity)
}

/** What the digests of a turn's earlier steps may take of the room for exchanges. */
export function stepsShare(limit: number): number {
  return Math.floor(limit / 3)
}

/** What the system entries cost, in the way that the policy sends them. */
export function systemCost(view: View): number {
  const { systemSums, systemOnceSums } = view.columns
  const marker = earlierMarker(view)
  const all = at(view.settings.policy.system === 'once' ? systemOnceSums : systemSums, view.systems)
  return marker < 0 ? all : all - ownCost(view, marker)
}

/** What the entries between two indexes cost where they are sent, without system entries. Exact over whole steps. */
export function costBetween({ columns }: View, from: number, to: number, reasoningFrom: number): number {
  const middle = Math.min(to, Math.max(from, reasoningFrom))
  return sumBetween(columns.withoutReasoning, from, middle) + sumBetween(columns.full, middle, to)
}

/** What an entry costs where it is sent: with its reasoning from `reasoningFrom` on, and its calls without a result. */
export function costInPlace(view: View, index: number, reasoningFrom: number): number {
  const reasoning = index < reasoningFrom ? 0 : at(view.columns.reasoning, index)
  return ownCost(view, index) + reasoning + danglingCalls(view, index) * view.settings.prices.interrupted
}

/** What an entry costs by itself, without reasoning. */
export function ownCost(view: View, index: number): number {
  return at(view.columns.text, index) + at(view.columns.rest, index)
}

/**
 * The index of a marker that is already in the log: a system message with exactly the marker's text, right after the
 * first user message and its notes. Or -1.
 */
export function earlierMarker({ columns, systems, afterFirst, settings: { policy } }: View): number {
  if (afterFirst < 0 || policy.marker === null || policy.marker.includes('{messages}')) return -1
  const place = lastNotAfter(columns.systems, systems, afterFirst)
  if (place < 0 || at(columns.systems, place) !== afterFirst) return -1
  return at(columns.entries, afterFirst).text === policy.marker ? afterFirst : -1
}

/** True if no system entry may come later than the head. */
export function systemsFirst({ policy, prices }: Settings): boolean {
  return policy.system !== 'in place' || systemOnlyFirst(prices.profile)
}

/**
 * The room set aside for the first user entry: its cost, or its share of the budget if that is less. 0 if it is in the
 * current exchange.
 */
export function firstShare(view: View): number {
  const { firstUser, columns } = view
  const { policy, budget, prices } = view.settings
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

/**
 * If the cut is inside an exchange, returns that exchange's user entry: it is sent as well, because the following
 * entries answer it. Not if the policy sends a finished exchange partly.
 */
export function keptUser(view: View, cut: number): { readonly index: number; readonly tokens: number } {
  const exchange = exchangeOf(view, cut)
  const start = exchangeStart(view, exchange)
  const isPartly = view.settings.policy.verbatim.partly === true && exchange < view.exchanges - 1
  if (
    cut >= view.length ||
    exchange < 0 ||
    cut === start ||
    isPartly ||
    at(view.columns.entries, start).kind !== 'user'
  )
    return { index: -1, tokens: 0 }
  return { index: start, tokens: ownCost(view, start) }
}

/** True if the first user entry is pinned and is not among the exchanges that are sent whole. */
export function pinsFirst(view: View, cut: number): boolean {
  return (
    view.settings.policy.firstUser !== null &&
    view.firstUser >= 0 &&
    view.firstUser < cut &&
    keptUser(view, cut).index !== view.firstUser
  )
}
