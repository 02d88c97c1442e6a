import { MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import type { Steps } from '../log/time.ts'
import { budgetOf, costInPlace, headNotes, notesShare, ownCost, type Budget } from './budget.ts'
import { clip, clippable, clipToFit, priceAt, smallestClip, type ClipCandidate, type ClippedEntry } from './clip.ts'
import { at, between, exchangeOf, exchangeStart, spokenBetween } from './columns.ts'
import type { Fold } from './fold.ts'
import { numberOf } from './framing.ts'
import { layoutOf, usedBy, wholeCost } from './cut.ts'
import {
  firstPart,
  frameOf,
  headParts,
  leadingNotes,
  markerParts,
  newestParts,
  outlineParts,
  stepsParts,
  type NotesPart,
  type Part,
  type PromptFrame,
} from './parts.ts'
import { pinsBudget, pinsParts, type PinsBudget } from './pins.ts'
import { isApart, notesInHead } from './policy.ts'
import { recalling, type RecallReader } from './recall.ts'

/** What is the prompt made of? The parts, in the order of the prompt. */
export interface PartList {
  readonly parts: readonly Part[]
  readonly frame: PromptFrame
  /** Tokens above the budget, if the policy keeps required messages that do not fit. */
  readonly overflow: number
}

/**
 * Chooses the parts. If everything fits, all entries are sent whole. If not, the required messages are sent, and
 * whatever the tiers have room for.
 */
export function* composing(fold: Fold, read: RecallReader | undefined): Steps<PartList> {
  const { settings } = fold
  if (wholeCost(fold) <= settings.whole) return composeWhole(fold)
  const chosen = settings.policy.epochs && fold.epoch.compacted ? fold.epoch : layoutOf(fold, 1)
  // An epoch may have begun before the first exchange did. Everything before that exchange is in the head.
  const layout = { ...chosen, cut: Math.max(chosen.cut, exchangeStart(fold, 0)) }
  const budget = budgetOf(fold)
  const frame = frameOf(fold, layout)
  const fits = usedBy(fold, layout, budget) <= budget.base
  if (!fits && settings.policy.overflow === 'keep') return yield* composeKept(fold, frame, budget, read)
  const pins = pinsBudget(fold, frame.pins)
  const floor = fits ? { clips: new Map<number, ClippedEntry>(), pins } : floorOf(fold, frame, budget, pins)
  return { parts: yield* fitted(fold, frame, budget, floor, read), frame, overflow: 0 }
}

function composeWhole(fold: Fold): PartList {
  const layout = { cut: exchangeStart(fold, 0), reasoningFrom: 0, outlineRoom: 0, stepsRoom: 0, clipped: null }
  const frame = frameOf(fold, layout)
  const notes = notesInHead(fold.settings.policy) ? notesParts(fold, 0, Infinity) : leadingNotes(fold)
  const parts = [...headParts(fold, frame), ...notes, ...newestParts(fold, frame, new Map(), [])]
  return { parts, frame, overflow: 0 }
}

/** Sends the required messages unclipped, although they do not fit. */
function* composeKept(fold: Fold, frame: PromptFrame, budget: Budget, read: RecallReader | undefined): Steps<PartList> {
  const floor = { clips: new Map<number, ClippedEntry>(), pins: { ...pinsBudget(fold, frame.pins), room: Infinity } }
  const parts = yield* fitted(fold, frame, { ...budget, first: Infinity }, floor, read)
  return { parts, frame, overflow: Math.max(0, total(parts) - fold.settings.budget) }
}

/** What the required messages may take. */
interface Floor {
  readonly clips: ReadonlyMap<number, ClippedEntry>
  readonly pins: PinsBudget
}

/** The parts in order: head, notes, pinned entries, outline, marker, newest exchanges, recall, current turn. */
function* fitted(
  fold: Fold,
  frame: PromptFrame,
  budget: Budget,
  { clips, pins }: Floor,
  read: RecallReader | undefined,
): Steps<Part[]> {
  const { settings } = fold
  const { layout, keptUser: user, pinsFirst: pinned } = frame
  const { cut } = layout
  const outlined = exchangeOf(fold, cut)
  const outline = outlineParts(fold, outlined, layout.outlineRoom)
  const steps = user < 0 ? [] : stepsParts(fold, user + 1, cut, layout.stepsRoom)
  const omitted = (from: number, to: number): number =>
    spokenBetween(fold, from, to) - frame.pins.filter((index) => index >= from && index < to).length
  const omittedExchanges = outline.length
    ? 0
    : omitted(exchangeStart(fold, 0), exchangeStart(fold, outlined)) - (pinned ? 1 : 0)
  // An exchange without a user entry begins with a step.
  const firstStep = user < 0 ? exchangeStart(fold, outlined) : user + 1
  const omittedSteps = steps.length ? 0 : omitted(firstStep, cut)
  const marker = markerParts(fold, frame, omittedExchanges + omittedSteps)
  const onlySteps = user >= 0 && omittedSteps > 0 && omittedExchanges === 0
  const head = headParts(fold, frame)
  const older = [
    ...(pinned ? [firstPart(fold, frame, budget.first, clips)] : []),
    ...pinsParts(fold, pins),
    ...outline,
    ...(onlySteps || frame.earlierMarker >= (layout.clipped?.to ?? cut) ? [] : marker),
  ]
  const after = newestParts(fold, frame, clips, onlySteps ? marker : steps)
  const notes = notesParts(
    fold,
    layout.clipped?.to ?? cut,
    Math.min(notesShare(settings), settings.budget - total([...head, ...older, ...after])),
  )
  const before = [...head, ...notes, ...older]
  const recall = yield* recalling(fold, frame, budget, settings.budget - total(before) - total(after), read)
  const current = after.findIndex((part) => part.tier === 'current' && part.shape === 'entries')
  return [...before, ...(recall ? after.toSpliced(current, 0, recall) : after)]
}

function total(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.tokens, 0)
}

/**
 * Clips the required messages (user entries of the beginning and of the turn, newest step) until they fit next to the
 * quoted ones. These have less than their room only if the others are clipped as far as possible. If even the smallest
 * clips do not fit, throws `window_overflow`, which names every item.
 */
function floorOf(
  fold: Fold,
  { layout, keptUser: user, pinsFirst }: PromptFrame,
  budget: Budget,
  pins: PinsBudget,
): Floor {
  const { settings, columns } = fold
  const items: ClipCandidate[] = []
  if (pinsFirst) items.push(clippable(fold, fold.firstUser, ownCost(fold, fold.firstUser), budget.first))
  if (user >= 0) items.push(clippable(fold, user, ownCost(fold, user)))
  for (let index = layout.cut; index < fold.length; index++) {
    if (isApart(at(columns.entries, index).kind, settings.policy)) continue
    items.push(clippable(fold, index, costInPlace(fold, index, layout.reasoningFrom)))
  }
  const room = settings.budget - budget.system - settings.marker
  const least = items.reduce((sum, { minimum }) => sum + minimum, 0)
  // Notes are in every prompt. The required messages are clipped to make room for them, as far as they can be.
  const notes = headNotes(fold, layout.cut).length > 0 ? budget.notes : 0
  const aside = Math.min(pins.room, room - least)
  const clips = aside < pins.least ? undefined : clipToFit(fold, items, Math.max(least, room - aside - notes))
  if (clips) return { clips, pins: { ...pins, room: aside } }
  const system = between(columns.systems, 0, fold.systems).map((index) => clippable(fold, index, ownCost(fold, index)))
  const minimum = budget.system + settings.marker + pins.least + least
  throw windowOverflowError(fold, [...system, ...pins.items, ...items], minimum)
}

function windowOverflowError(
  { settings, columns }: Fold,
  items: readonly ClipCandidate[],
  minimum: number,
): MinutebookError {
  const { window, reserve, tools, budget, marker, prices } = settings
  const largest = items.toSorted((left, right) => right.minimum - left.minimum).slice(0, 12)
  const named = largest.map(
    (item) =>
      `${item.pinned ? 'pinned ' : ''}${item.kind} #${numberOf(at(columns.entries, item.index))}: ${item.tokens}${item.minimum < item.tokens ? ` (at least ${item.minimum})` : ''}`,
  )
  const more = items.length > named.length ? [`and ${items.length - named.length} smaller ones`] : []
  const around = marker > 0 ? [`the marker: ${marker}`] : []
  const unpin = items.some(({ pinned }) => pinned) ? ', unpin messages' : ''
  const enough = minimum + tools + prices.prompt + reserve
  return new MinutebookError(
    'window_overflow',
    `What must be sent does not fit: it needs ${minimum} tokens (${[...named, ...more, ...around].join('; ')}), ` +
      `and the window of ${window} leaves ${budget > 0 ? budget : 'no room for it'} ` +
      `(less ${reserve} for the answer, ${tools} for tools, ${prices.prompt} around the prompt).`,
    `A window of ${enough} would do; else shorten the largest of these${unpin}, send fewer tools or reserve less. ` +
      `A policy with overflow: 'keep' sends it all the same, larger than the window.`,
    { window, reserve, tools, budget, minimum, enough, items },
  )
}

/**
 * The newest notes and journal entries, as many as fit. If not all of them fit, each may use at most half of the room.
 * A longer one is clipped to half of the room, or to its smallest possible clip.
 */
function notesParts(fold: Fold, cut: number, room: number): NotesPart[] {
  const {
    columns,
    settings: { prices },
  } = fold
  const entries: { index: number; tokens: number }[] = []
  const clips: ClippedEntry[] = []
  const newest = headNotes(fold, cut)
  const isJournal = (index: number): boolean => traits[at(columns.entries, index).kind].late
  const headings = new Set(newest.map((note) => isJournal(at(columns.notes, note)))).size
  let left = room - headings * prices.notes
  const cap = at(columns.noteSums, (newest.at(-1) ?? -1) + 1) <= left ? Infinity : Math.floor(left / 2)
  for (const note of newest.toReversed()) {
    if (left < 0) break
    const index = at(columns.notes, note)
    const entry = at(columns.entries, index)
    const text = at(columns.text, index)
    const price = prices.note
    const whole = text + price
    const least = whole <= Math.min(cap, left) ? whole : smallestClip(entry, text, priceAt(fold, index)).tokens + price
    const allowed = Math.min(whole, Math.max(cap, least), left)
    left -= allowed
    if (allowed === whole) entries.unshift({ index, tokens: whole })
    else if (allowed >= least) {
      const clipped = clip(entry, text, allowed - price, priceAt(fold, index))
      clips.unshift({ index, ...clipped })
      entries.unshift({ index, tokens: clipped.tokens + price })
    }
  }
  return (['notes', 'journal'] as const).flatMap((of): NotesPart[] => {
    const isOfIt = ({ index }: { readonly index: number }): boolean => isJournal(index) === (of === 'journal')
    const own = entries.filter(isOfIt)
    const tokens = own.reduce((sum, each) => sum + each.tokens, prices.notes)
    return own.length > 0
      ? [{ shape: 'notes', of, tier: 'notes', entries: own, clips: clips.filter(isOfIt), tokens }]
      : []
  })
}
