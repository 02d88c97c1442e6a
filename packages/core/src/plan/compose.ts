import { exchangeOf, exchangeStart, spokenBetween } from '../fold/columns.ts'
import type { Fold } from '../fold/fold.ts'
import type { ClippedEntry } from '../fold/ladder.ts'
import { keptUser, layoutOf, pinsFirst, usedBy, wholeCost, type Layout } from '../fold/layout.ts'
import { earlierMarker, notesShare, roomsOf, type Rooms } from '../fold/rooms.ts'
import { outlineParts, stepsParts } from './digests.ts'
import { headParts, leadingNotes, newestParts, pinnedPart } from './entries.ts'
import { floorClips } from './floor.ts'
import { markerParts } from './marker.ts'
import { notesParts } from './notes.ts'
import type { Part } from './part.ts'
import { recallPart } from './recall.ts'

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
  const chosen = settings.policy.epochs && fold.epoch.compacted ? fold.epoch : layoutOf(fold, settings, 1)
  // An epoch may have begun before the first exchange did: what stands before that is in the head.
  const layout = { ...chosen, cut: Math.max(chosen.cut, exchangeStart(fold, 0)) }
  const rooms = roomsOf(fold, settings)
  const fits = usedBy(fold, settings, layout, rooms) <= rooms.base
  if (fits) return { parts: fitted(fold, layout, rooms, new Map()), layout, overflow: 0 }
  if (settings.policy.overflow === 'keep') return composeKept(fold, layout, rooms)
  return { parts: fitted(fold, layout, rooms, floorClips(fold, layout, rooms)), layout, overflow: 0 }
}

function composeWhole(fold: Fold): Composition {
  const layout = { cut: exchangeStart(fold, 0), bare: 0, outlineRoom: 0, stepsRoom: 0, clipped: null }
  return { parts: [...headParts(fold, 0), ...leadingNotes(fold), ...newestParts(fold, layout, new Map(), [])], layout, overflow: 0 }
}

/** The floor as it is, although it does not fit. */
function composeKept(fold: Fold, layout: Layout, rooms: Rooms): Composition {
  const parts = fitted(fold, layout, { ...rooms, first: Infinity }, new Map())
  return { parts, layout, overflow: Math.max(0, total(parts) - fold.settings.budget) }
}

/** Head, notes, pinned entry, outline, marker, newest exchanges, recall, current turn. */
function fitted(fold: Fold, layout: Layout, rooms: Rooms, clips: ReadonlyMap<number, ClippedEntry>): Part[] {
  const { settings } = fold
  const { cut } = layout
  const user = keptUser(fold, cut).index
  const outlined = exchangeOf(fold, cut)
  const pinned = pinsFirst(fold, settings, cut)
  const outline = outlineParts(fold, outlined, layout.outlineRoom)
  const steps = user < 0 ? [] : stepsParts(fold, user + 1, cut, layout.stepsRoom)
  const omittedExchanges = outline.length ? 0 : spokenBetween(fold, exchangeStart(fold, 0), exchangeStart(fold, outlined)) - (pinned ? 1 : 0)
  const omittedSteps = steps.length || user < 0 ? 0 : spokenBetween(fold, user + 1, cut)
  const marker = markerParts(fold, omittedExchanges + omittedSteps)
  const onlySteps = omittedSteps > 0 && omittedExchanges === 0
  const head = headParts(fold, cut)
  const older = [
    ...(pinned ? [pinnedPart(fold, rooms.first, clips)] : []),
    ...outline,
    ...(onlySteps || earlierMarker(fold, settings) >= (layout.clipped?.to ?? cut) ? [] : marker),
  ]
  const after = newestParts(fold, layout, clips, onlySteps ? marker : steps)
  const notes = notesParts(fold, layout.clipped?.to ?? cut, Math.min(notesShare(settings), settings.budget - total([...head, ...older, ...after])))
  const before = [...head, ...notes, ...older]
  const recall = recallPart(fold, layout, settings.budget - total(before) - total(after))
  const current = after.findIndex((part) => part.tier === 'current' && part.shape === 'entries')
  return [...before, ...(recall ? after.toSpliced(current, 0, recall) : after)]
}

function total(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.tokens, 0)
}
