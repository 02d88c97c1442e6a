import { checkedCount } from '../tokens/tokens.ts'
import {
  budgetOf,
  costBetween,
  costInPlace,
  earlierMarker,
  headNotes,
  keptUser,
  notesShare,
  ownCost,
  pinsBefore,
  pinsFirst,
  pinsRoom,
  systemsFirst,
  type Budget,
} from './budget.ts'
import {
  clip,
  clipItem,
  clippable,
  clipToFit,
  priceAt,
  quotable,
  smallestClip,
  type ClipCandidate,
  type ClippedEntry,
} from './clip.ts'
import {
  at,
  between,
  exchangeOf,
  exchangeStart,
  notesBetween,
  spokenBetween,
  stepDigest,
  systemsBetween,
  type View,
} from './columns.ts'
import type { Fold } from './fold.ts'
import { clipsBetween, layoutOf, usedBy, wholeCost, type Layout } from './cut.ts'
import { lengthened, outlineOf, type LineDraft, type OutlineLine } from './outline.ts'
import { markerText, numberOf } from './framing.ts'
import { isApart, notesInHead } from './policy.ts'
import { MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import type { Steps } from '../log/time.ts'
import { recallEntries, type RecallPart, type RecallReader } from './recall.ts'
import { totalTokens } from './cost.ts'

/** The tiers of a prompt. */
export type Tier = 'system' | 'pinned' | 'notes' | 'outline' | 'marker' | 'verbatim' | 'recall' | 'current'

/** A segment of a prompt. A plan is a list of these. Rendering only writes them down. */
export type Part = EntriesPart | DigestPart | MarkerPart | RecallPart | NotesPart | PinsPart

/** Entries that are sent as they are, except those that are clipped. */
export interface EntriesPart {
  readonly shape: 'entries'
  readonly tier: Tier
  readonly from: number
  readonly to: number
  /** Entries before this index are sent without their reasoning. */
  readonly reasoningFrom: number
  /** True if system entries in this range are sent here. If not, they are in the head. */
  readonly systems: boolean
  /** True if notes in this range are sent here. If not, they are in the head with the older ones. */
  readonly notes: boolean
  readonly clips: readonly ClippedEntry[]
  readonly tokens: number
}

/** Older exchanges or steps, as one line each or gathered. */
export interface DigestPart {
  readonly shape: 'digest'
  readonly tier: Tier
  /** The lines are about whole exchanges, or about steps of a turn. */
  readonly of: 'exchanges' | 'steps'
  readonly lines: readonly OutlineLine[]
  readonly tokens: number
}

/** The text that says that messages are omitted. */
interface MarkerPart {
  readonly shape: 'marker'
  readonly tier: 'marker'
  readonly text: string
  readonly tokens: number
}

/** The newest notes of the head, or the newest entries of the journal, under one heading. */
export interface NotesPart {
  readonly shape: 'notes'
  readonly of: 'notes' | 'journal'
  readonly tier: 'notes'
  readonly entries: readonly { readonly index: number; readonly tokens: number }[]
  readonly clips: readonly ClippedEntry[]
  readonly tokens: number
}

/**
 * Where are pinned messages, if they are before the cut? They are quoted in the head, as recalled ones are, under a
 * heading of their own. Room for all of them is set aside (`pinsRoom` in budget.ts).
 */
interface PinsPart {
  readonly shape: 'pins'
  readonly tier: 'pinned'
  readonly entries: readonly { readonly index: number; readonly tokens: number }[]
  readonly clips: readonly ClippedEntry[]
  readonly tokens: number
}

type Clips = ReadonlyMap<number, ClippedEntry>
const noClips: Clips = new Map()

/** What is the prompt made of? The parts, in the order of the prompt. */
export interface PartList {
  readonly parts: readonly Part[]
  readonly frame: PromptFrame
  /** Tokens above the budget, if the policy keeps required messages that do not fit. */
  readonly overflow: number
}

/** What all parts of one prompt agree on. Computed once for each plan. */
interface PromptFrame {
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

function frameOf(view: View, layout: Layout): PromptFrame {
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

/**
 * Chooses the parts. If everything fits, all entries are sent whole. If not, the required messages are sent, and
 * whatever the tiers have room for.
 */
export function* chooseParts(fold: Fold, read: RecallReader | undefined): Steps<PartList> {
  const { settings } = fold
  if (wholeCost(fold) <= settings.whole) return wholeParts(fold)
  const chosen = settings.policy.epochs && fold.epoch.compacted ? fold.epoch : layoutOf(fold, 1)
  // An epoch may have begun before the first exchange did. Everything before that exchange is in the head.
  const layout = { ...chosen, cut: Math.max(chosen.cut, exchangeStart(fold, 0)) }
  const budget = budgetOf(fold)
  const frame = frameOf(fold, layout)
  const pins = pinsBudget(fold, frame.pins)
  const fits = usedBy(fold, layout, budget) <= budget.base
  const isKept = !fits && settings.policy.overflow === 'keep'
  const floor = fits
    ? { clips: noClips, first: budget.first, pins }
    : isKept
      ? { clips: noClips, first: Infinity, pins: { ...pins, room: Infinity } }
      : floorOf(fold, frame, budget, pins)
  const parts = yield* partsInOrder(fold, frame, budget.base, floor, read)
  return { parts, frame, overflow: isKept ? Math.max(0, totalTokens(parts) - settings.budget) : 0 }
}

function wholeParts(fold: Fold): PartList {
  const layout = { cut: exchangeStart(fold, 0), reasoningFrom: 0, outlineRoom: 0, stepsRoom: 0, clipped: null }
  const frame = frameOf(fold, layout)
  const notes = notesInHead(fold.settings.policy) ? notesParts(fold, 0, Infinity) : leadingNotes(fold)
  const parts = [...headParts(fold, frame), ...notes, ...newestParts(fold, frame, noClips, [])]
  return { parts, frame, overflow: 0 }
}

/** The parts in order: head, notes, pinned entries, outline, marker, newest exchanges, recall, current turn. */
function* partsInOrder(
  fold: Fold,
  frame: PromptFrame,
  base: number,
  { clips, first, pins }: Floor,
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
    ...(pinned ? [firstPart(fold, frame, first, clips)] : []),
    ...pinsParts(fold, pins),
    ...outline,
    ...(onlySteps || frame.earlierMarker >= (layout.clipped?.to ?? cut) ? [] : marker),
  ]
  const after = newestParts(fold, frame, clips, onlySteps ? marker : steps)
  const notes = notesParts(
    fold,
    layout.clipped?.to ?? cut,
    Math.min(notesShare(settings), settings.budget - totalTokens([...head, ...older, ...after])),
  )
  const before = [...head, ...notes, ...older]
  const recall = yield* recallEntries(
    fold,
    {
      before: cut,
      // What is in the prompt already is not recalled, and neither is a step with a part that is.
      present: new Set([user, pinned ? fold.firstUser : -1, ...frame.pins]),
      base,
      room: settings.budget - totalTokens(before) - totalTokens(after),
    },
    read,
  )
  const current = after.findIndex((part) => part.tier === 'current' && part.shape === 'entries')
  return [...before, ...(recall ? after.toSpliced(current, 0, recall) : after)]
}

/** What the required messages may take. */
interface Floor {
  readonly clips: Clips
  /** The most for the first user entry, if it is pinned. */
  readonly first: number
  readonly pins: PinsBudget
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
  if (clips) return { clips, first: budget.first, pins: { ...pins, room: aside } }
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
 * The system entries at the start of the prompt: those at the start of the log and those before the cut, or all of them
 * if the policy or the profile wants them first.
 */
function headParts(fold: Fold, { layout: { cut }, earlierMarker: marker }: PromptFrame): EntriesPart[] {
  const { columns, settings } = fold
  const last = systemsFirst(settings) ? fold.length : Math.max(exchangeStart(fold, 0), cut)
  const parts: EntriesPart[] = []
  for (const index of between(columns.systems, 0, fold.systems)) {
    if (index >= last) break
    if (index === marker || isRepeated(fold, index)) continue
    parts.push({
      shape: 'entries',
      tier: 'system',
      from: index,
      to: index + 1,
      reasoningFrom: 0,
      systems: true,
      notes: true,
      clips: [],
      tokens: ownCost(fold, index),
    })
  }
  return parts
}

/** True for a system entry whose text the head already has, if the policy sends each text only once. */
export function isRepeated(fold: Fold, index: number): boolean {
  const { entries, systemTexts } = fold.columns
  return fold.settings.policy.system === 'once' && (systemTexts.get(at(entries, index).text) ?? index) < index
}

/**
 * The notes from before the first exchange. Only for a prompt that omits nothing: in others these notes are in the
 * head.
 */
function leadingNotes(fold: Fold): EntriesPart[] {
  const { notes, full } = fold.columns
  const to = exchangeStart(fold, 0)
  if (fold.notes === 0 || at(notes, 0) >= to) return []
  return [
    {
      shape: 'entries',
      tier: 'notes',
      from: 0,
      to,
      reasoningFrom: 0,
      systems: false,
      notes: true,
      clips: [],
      tokens: at(full, to),
    },
  ]
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
    const tokens = prices.notes + totalTokens(own)
    return own.length > 0
      ? [{ shape: 'notes', of, tier: 'notes', entries: own, clips: clips.filter(isOfIt), tokens }]
      : []
  })
}

/** The first user entry, clipped if it costs more than `allowed`. */
function firstPart(fold: Fold, frame: PromptFrame, allowed: number, clips: Clips): EntriesPart {
  const index = fold.firstUser
  const part = entriesPart(fold, frame, 'pinned', index, index + 1, fold.length, clips)
  if (part.clips.length > 0 || part.tokens <= allowed) return part
  const clip = clipItem(fold, index, allowed)
  return entriesPart(fold, frame, 'pinned', index, index + 1, fold.length, new Map([[index, clip]]))
}

/** What quoted entries cost, and what they may take. */
interface PinsBudget {
  readonly items: readonly ClipCandidate[]
  readonly room: number
  /** What they need at least, with their heading. */
  readonly least: number
}

/** The room for pinned entries that are quoted. */
function pinsBudget({ columns, settings }: Fold, pins: readonly number[]): PinsBudget {
  const { entries, text, rest } = columns
  const items = pins.map((index) =>
    quotable(index, at(entries, index), { text: at(text, index), rest: at(rest, index) }, settings.prices),
  )
  const whole = totalTokens(items)
  const least = items.reduce((sum, { minimum }) => sum + minimum, 0)
  const heading = items.length > 0 ? settings.prices.pins : 0
  return { items, room: pinsRoom(settings, { whole, least }), least: heading + least }
}

/** Quotes pinned entries. They are clipped, as far as that is necessary to fit into their room. */
function pinsParts(fold: Fold, { items, room }: PinsBudget): PinsPart[] {
  if (items.length === 0) return []
  const { settings } = fold
  const clips = clipToFit(fold, items, room - settings.prices.pins) ?? new Map<number, ClippedEntry>()
  const entries = items.map(({ index, tokens, rest }) => {
    const clip = clips.get(index)
    return { index, tokens: clip ? rest + clip.tokens : tokens }
  })
  const tokens = settings.prices.pins + totalTokens(entries)
  return [{ shape: 'pins', tier: 'pinned', entries, clips: [...clips.values()], tokens }]
}

/** The outline of the first exchanges, or nothing if there is no room. */
function outlineParts(fold: Fold, exchanges: number, room: number): DigestPart[] {
  if (room === 0) return []
  const {
    columns: { digests, titles, memory },
    settings: { digesting, prices },
  } = fold
  const source = {
    ...digesting,
    digest: (exchange: number) => at(digests, exchange),
    title: (exchange: number) => at(titles, exchange),
    memory: memory.outline,
  }
  return digestParts('outline', 'exchanges', outlineOf(source, exchanges, room - prices.outline), prices.outline)
}

/** The digests of a turn's steps between two indexes, or nothing if there is no room. */
function stepsParts(fold: Fold, from: number, to: number, room: number): DigestPart[] {
  if (room === 0 || from >= to) return []
  const { prices } = fold.settings
  const tier = exchangeOf(fold, from) === fold.exchanges - 1 ? 'current' : 'verbatim'
  return digestParts(tier, 'steps', stepLines(fold, from, to, room - prices.steps), prices.steps)
}

function digestParts(tier: Tier, of: DigestPart['of'], lines: readonly OutlineLine[], head: number): DigestPart[] {
  if (lines.length === 0) return []
  return [{ shape: 'digest', tier, of, lines, tokens: head + totalTokens(lines) }]
}

/** One line for each of the newest steps between two indexes, and one line that counts the older ones. Oldest first. */
function stepLines(view: View, from: number, to: number, room: number): OutlineLine[] {
  const { columns } = view
  const lines: LineDraft[] = []
  let end = to
  let spent = 0
  let step = lastStepBefore(view, to)
  for (; step >= 0 && at(columns.steps, step) >= from; step--) {
    const start = at(columns.steps, step)
    const { title: _, ...digest } = stepDigest(view, start, end)
    const older = gathered(view, from, start)
    if (spent + digest.tokens + totalTokens(older) > room) break
    lines.unshift({ from: start, to: end, own: true, ...digest })
    spent += digest.tokens
    end = start
  }
  const rest = gathered(view, from, end)
  return spent + totalTokens(rest) > room ? [] : lengthened([...rest, ...lines], room)
}

function gathered(view: View, from: number, to: number): OutlineLine[] {
  const messages = spokenBetween(view, from, to)
  if (messages === 0) return []
  const text = `[Earlier: ${messages} more messages of this turn]`
  return [{ from, to, own: false, text, tokens: checkedCount(view.settings.digesting.counter, `${text}\n`) }]
}

function lastStepBefore(view: View, index: number): number {
  let step = view.steps - 1
  while (step >= 0 && at(view.columns.steps, step) >= index) step--
  return step
}

/** The marker, if messages are omitted, or if the messages that were passed in already had one. */
function markerParts(fold: Fold, { earlierMarker: marker }: PromptFrame, omitted: number): MarkerPart[] {
  const { policy, prices } = fold.settings
  if (policy.marker === null || (omitted === 0 && marker < 0)) return []
  const text = markerText(policy.marker, omitted)
  return [{ shape: 'marker', tier: 'marker', text, tokens: prices.ours + checkedCount(prices.counter, text) }]
}

/**
 * Everything from the cut on. If the cut is inside a turn, also that turn's user entry and the digests of its earlier
 * steps.
 */
function newestParts(fold: Fold, frame: PromptFrame, clips: Clips, steps: readonly Part[]): Part[] {
  const { keptUser: user, earlierMarker: marker } = frame
  const { cut, reasoningFrom, clipped } = frame.layout
  const current = exchangeStart(fold, fold.exchanges - 1)
  const range = (from: number, to: number): Part[] => [
    entriesPart(fold, frame, 'verbatim', from, Math.min(to, current), reasoningFrom, clips),
    entriesPart(fold, frame, 'current', Math.max(from, current), to, reasoningFrom, clips),
  ]
  const kept = user < 0 ? [] : [...range(user, user + 1), ...steps]
  const within = clipped ? clipsBetween(fold, cut, clipped.to, reasoningFrom, clipped.room) : undefined
  const partly = clipped
    ? [
        withoutNotes(
          fold,
          entriesPart(
            fold,
            frame,
            cut < current ? 'verbatim' : 'current',
            cut,
            clipped.to,
            reasoningFrom,
            within ?? clips,
          ),
        ),
      ]
    : []
  const from = clipped?.to ?? cut
  const rest =
    marker < from
      ? range(from, fold.length)
      : [...range(from, marker), ...markerParts(fold, frame, 0), ...range(marker + 1, fold.length)]
  return [...kept, ...partly, ...rest].filter((part) => part.shape !== 'entries' || part.from < part.to)
}

function entriesPart(
  fold: Fold,
  { earlierMarker: marker }: PromptFrame,
  tier: Tier,
  from: number,
  to: number,
  reasoningFrom: number,
  clips: Clips,
): EntriesPart {
  const systems = !systemsFirst(fold.settings)
  let tokens = costBetween(fold, from, to, reasoningFrom)
  // System entries are not in the running sums.
  for (const index of systems ? systemsBetween(fold, from, to) : [])
    if (index !== marker) tokens += ownCost(fold, index)
  const within = [...clips.values()].filter(({ index }) => index >= from && index < to)
  for (const clip of within) tokens += clip.tokens - at(fold.columns.text, clip.index)
  const notes = !notesInHead(fold.settings.policy)
  return { shape: 'entries', tier, from, to, reasoningFrom, systems, notes, clips: within, tokens }
}

/** If an exchange is sent clipped, its notes go to the head: there they are whole as long as they fit. */
function withoutNotes(fold: Fold, part: EntriesPart): EntriesPart {
  const tokens = notesBetween(fold, part.from, part.to).reduce(
    (left, index) => left - costBetween(fold, index, index + 1, part.reasoningFrom),
    part.tokens,
  )
  return { ...part, notes: false, tokens }
}
