import { at, exchangeOf, exchangeStart, type View } from './columns.ts'
import type { Fold } from './fold.ts'
import { clipItem, floorItem, ladder, type FloorItem } from './ladder.ts'
import {
  earlierMarker, keptUser, layoutOf, ownCost, pinsFirst, roomsOf, usedBy, wholeCost, type Layout, type Rooms,
} from './layout.ts'
import { outlineOf } from './outline.ts'
import type { DigestPart, EntriesPart, MarkerPart, NotesPart, Part, Tier } from './part.ts'
import { markerText } from './policy.ts'
import { systemOnlyFirst } from './profile.ts'
import { recallPart } from './recall.ts'
import type { Settings } from './settings.ts'
import { stepLines } from './steps.ts'
import { checkedCount } from './tokens.ts'

/** The parts of a prompt, in its order. */
export interface Composition {
  readonly parts: readonly Part[]
  readonly layout: Layout
  /** Tokens above the budget, where the policy keeps a floor that does not fit. */
  readonly overflow: number
}

/** Chooses the parts: everything where everything fits, else the floor and what the tiers have room for. */
export function compose(fold: Fold): Composition {
  const { settings } = fold
  if (wholeCost(fold, settings) <= settings.whole) return composeWhole(fold)
  const layout = settings.policy.epochs && fold.epoch.compacted ? fold.epoch : layoutOf(fold, settings, 1)
  const rooms = roomsOf(fold, settings)
  const missing = usedBy(fold, layout) - rooms.base
  if (missing <= 0) return { parts: fitted(fold, layout, rooms, new Map()), layout, overflow: 0 }
  if (settings.policy.overflow === 'keep') return composeKept(fold, layout, rooms)
  return { parts: fitted(fold, layout, { ...rooms, notes: 0 }, floorClips(fold, layout, rooms)), layout, overflow: 0 }
}

function composeWhole(fold: Fold): Composition {
  const layout = { cut: exchangeStart(fold, 0), bare: 0, outlineRoom: 0, stepsRoom: 0 }
  return { parts: [...headParts(fold, 0), ...newest(fold, layout, new Map(), [])], layout, overflow: 0 }
}

function composeKept(fold: Fold, layout: Layout, rooms: Rooms): Composition {
  const whole = { ...rooms, notes: 0, first: Infinity }
  const parts = fitted(fold, layout, whole, new Map())
  return { parts, layout, overflow: Math.max(0, total(parts) - fold.settings.budget) }
}

/** Head, pinned entry, outline, marker, newest exchanges, recall, current turn. */
function fitted(fold: Fold, layout: Layout, rooms: Rooms, clips: ReadonlyMap<number, Clip>): Part[] {
  const { settings } = fold
  const { cut } = layout
  const user = keptUser(fold, cut)
  const finished = exchangeOf(fold, cut)
  const outline = outlinePart(fold, finished, layout.outlineRoom)
  const steps = stepsPart(fold, user.index + 1, user.index < 0 ? 0 : cut, layout.stepsRoom)
  const pinned = pinsFirst(fold, settings, cut)
  const elidedBefore = outline.length ? 0 : spoken(fold, exchangeStart(fold, 0), exchangeStart(fold, finished)) - (pinned ? 1 : 0)
  const elidedSteps = steps.length || user.index < 0 ? 0 : spoken(fold, user.index + 1, cut)
  const marker = markerParts(fold, elidedBefore + elidedSteps)
  const early = elidedBefore > 0 || elidedSteps === 0
  const before = [
    ...headParts(fold, cut),
    ...notesPart(fold, cut, rooms.notes),
    ...(pinned ? [pinnedPart(fold, rooms.first, clips)] : []),
    ...outline,
    ...(early && earlierMarker(fold, settings) < cut ? marker : []),
  ]
  const after = newest(fold, layout, clips, early ? steps : marker)
  const room = settings.budget - total(before) - total(after)
  const recall = recallPart(fold, layout, room)
  if (!recall) return [...before, ...after]
  const current = after.findIndex((part) => part.tier === 'current' && part.shape === 'entries')
  return [...before, ...after.slice(0, current), recall, ...after.slice(current)]
}

type Clip = EntriesPart['clips'][number]

/** The system entries that open the prompt: those that open the log and those before the cut, or all of them. */
function headParts(fold: Fold, cut: number): Part[] {
  const { columns, settings } = fold
  const start = exchangeStart(fold, 0)
  const marker = earlierMarker(fold, settings)
  const parts: Part[] = []
  for (const index of columns.systems.slice(0, fold.systems)) {
    if (!systemsFirst(settings) && index >= Math.max(start, cut)) break
    if (index === marker || isRepeated(fold, index)) continue
    parts.push({ shape: 'entries', tier: 'system', from: index, to: index + 1, bare: 0, systems: true, clips: [], tokens: ownCost(fold, index) })
  }
  return parts
}

/** True where no system entry may stand in the middle. */
export function systemsFirst({ policy, prices }: Settings): boolean {
  return policy.system !== 'in place' || systemOnlyFirst(prices.profile)
}

/** True for a system entry whose text the head has already, where the policy sends each text once. */
export function isRepeated(fold: Fold, index: number): boolean {
  const text = fold.columns.entries[index]?.text ?? ''
  return fold.settings.policy.system === 'once' && (fold.columns.systemTexts.get(text) ?? index) < index
}

function pinnedPart(fold: Fold, allowed: number, clips: ReadonlyMap<number, Clip>): EntriesPart {
  const index = fold.firstUser
  const part = entriesPart(fold, 'pinned', index, index + 1, fold.length, clips)
  if (part.clips.length || part.tokens <= allowed) return part
  const clip = clipItem(fold, fold.settings, index, allowed)
  return entriesPart(fold, 'pinned', index, index + 1, fold.length, new Map([[index, { index, ...clip }]]))
}

function outlinePart(fold: Fold, exchanges: number, room: number): DigestPart[] {
  const { columns, settings: { digesting, prices } } = fold
  if (room === 0) return []
  const source = { ...digesting, digests: columns.digests, memory: columns.outlineMemory }
  const lines = outlineOf(source, exchanges, room - prices.outline)
  return digestPart('outline', 'exchanges', lines, prices.outline)
}

function stepsPart(fold: Fold, from: number, to: number, room: number): DigestPart[] {
  if (room === 0 || from >= to) return []
  const { prices } = fold.settings
  const tier = exchangeOf(fold, from) === fold.exchanges - 1 ? 'current' : 'verbatim'
  return digestPart(tier, 'steps', stepLines(fold, from, to, room - prices.steps), prices.steps)
}

function digestPart(tier: Tier, of: DigestPart['of'], lines: DigestPart['lines'], head: number): DigestPart[] {
  if (lines.length === 0) return []
  return [{ shape: 'digest', tier, of, lines, tokens: lines.reduce((sum, line) => sum + line.tokens, head) }]
}

function markerParts(fold: Fold, elided: number): MarkerPart[] {
  const { policy, prices } = fold.settings
  if (policy.marker === null || (elided === 0 && earlierMarker(fold, fold.settings) < 0)) return []
  const text = markerText(policy.marker, elided)
  return [{ shape: 'marker', tier: 'marker', text, tokens: prices.message + checkedCount(prices.counter, text) }]
}

/** The newest notes from before the cut: at most ten, as far as they fit. */
function notesPart(fold: Fold, cut: number, room: number): NotesPart[] {
  const { columns, settings: { prices } } = fold
  const entries: { index: number; tokens: number }[] = []
  let tokens = prices.notes
  for (let note = fold.notes - 1; note >= 0 && entries.length < 10; note--) {
    const index = at(columns.notes, note)
    if (index >= cut) continue
    const cost = ownCost(fold, index)
    if (tokens + cost > room) break
    tokens += cost
    entries.unshift({ index, tokens: cost })
  }
  return entries.length ? [{ shape: 'notes', tier: 'notes', entries, tokens }] : []
}

/** Everything from the cut on, with the user entry and the digests of a turn that the cut runs through. */
function newest(fold: Fold, { cut, bare }: Layout, clips: ReadonlyMap<number, Clip>, steps: readonly Part[]): Part[] {
  const current = exchangeStart(fold, fold.exchanges - 1)
  const user = keptUser(fold, cut).index
  const marker = earlierMarker(fold, fold.settings)
  const range = (from: number, to: number): Part[] => [
    entriesPart(fold, 'verbatim', from, Math.min(to, current), bare, clips),
    entriesPart(fold, 'current', Math.max(from, current), to, bare, clips),
  ]
  const kept = user < 0 ? [] : [...range(user, user + 1), ...steps]
  const rest = marker < cut ? range(cut, fold.length) : [...range(cut, marker), ...markerParts(fold, 0), ...range(marker + 1, fold.length)]
  return [...kept, ...rest].filter((part) => part.shape !== 'entries' || part.from < part.to)
}

function entriesPart(fold: Fold, tier: Tier, from: number, to: number, bare: number, clips: ReadonlyMap<number, Clip> = new Map()): EntriesPart {
  const { lean, full, text } = fold.columns
  const systems = !systemsFirst(fold.settings)
  const middle = Math.min(to, Math.max(from, bare))
  let tokens = at(lean, middle) - at(lean, from) + at(full, to) - at(full, middle)
  // A lone user entry carries no calls, so its sums are its own cost; system entries are not in the sums.
  for (const index of systems ? systemsBetween(fold, from, to) : []) tokens += ownCost(fold, index)
  const within = [...clips.values()].filter(({ index }) => index >= from && index < to)
  for (const clip of within) tokens += clip.tokens - at(text, clip.index)
  return { shape: 'entries', tier, from, to, bare, systems, clips: within, tokens }
}

/** The system entries that stand in place between two indexes. */
export function systemsBetween(fold: Fold, from: number, to: number): number[] {
  const found: number[] = []
  const marker = earlierMarker(fold, fold.settings)
  for (let system = fold.systems - 1; system >= 0; system--) {
    const index = at(fold.columns.systems, system)
    if (index < from) break
    if (index < to && index !== marker) found.unshift(index)
  }
  return found
}

function floorClips(fold: Fold, layout: Layout, rooms: Rooms): Map<number, Clip> {
  const { settings, columns } = fold
  const user = keptUser(fold, layout.cut).index
  const items: FloorItem[] = []
  if (pinsFirst(fold, settings, layout.cut)) items.push(floorItem(fold, settings, fold.firstUser, ownCost(fold, fold.firstUser), rooms.first))
  if (user >= 0) items.push(floorItem(fold, settings, user, ownCost(fold, user)))
  for (let index = layout.cut; index < fold.length; index++) {
    if (columns.entries[index]?.kind === 'system') continue
    items.push(floorItem(fold, settings, index, ownCost(fold, index) + (index >= layout.bare ? at(columns.reasoning, index) : 0)))
  }
  const fixed = columns.systems.slice(0, fold.systems).map((index) => floorItem(fold, settings, index, ownCost(fold, index)))
  const repairs = fold.open.length * settings.prices.interrupted
  const room = settings.budget - rooms.system - settings.marker - repairs
  return new Map([...ladder(fold, settings, items, fixed, room)].map(([index, clip]) => [index, { index, ...clip }]))
}

function spoken(view: View, from: number, to: number): number {
  let count = Math.max(0, to - from)
  for (let system = view.systems - 1; system >= 0; system--) {
    const index = at(view.columns.systems, system)
    if (index < from) break
    if (index < to) count--
  }
  return count
}

function total(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.tokens, 0)
}
