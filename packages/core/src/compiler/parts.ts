import { checkedCount } from '../tokens/tokens.ts'
import { costBetween, earlierMarker, keptUser, ownCost, pinsBefore, pinsFirst, systemsFirst } from './budget.ts'
import { clipItem, type ClippedEntry } from './clip.ts'
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
import { clipsBetween, type Layout } from './cut.ts'
import { lengthened, outlineOf, type LineDraft, type OutlineLine } from './outline.ts'
import { markerText } from './framing.ts'
import type { PinsPart } from './pins.ts'
import { notesInHead } from './policy.ts'

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

/** Entries from before the cut, quoted because the latest message asks about them. */
export interface RecallPart {
  readonly shape: 'recall'
  readonly tier: 'recall'
  readonly entries: readonly { readonly index: number; readonly tokens: number }[]
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

/** What all parts of one prompt agree on. Computed once for each plan. */
export interface PromptFrame {
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

export function frameOf(view: View, layout: Layout): PromptFrame {
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

type Clips = ReadonlyMap<number, ClippedEntry>

/**
 * The system entries at the start of the prompt: those at the start of the log and those before the cut, or all of them
 * if the policy or the profile wants them first.
 */
export function headParts(fold: Fold, { layout: { cut }, earlierMarker: marker }: PromptFrame): EntriesPart[] {
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

/**
 * The notes from before the first exchange. Only for a prompt that omits nothing: in others these notes are in the
 * head.
 */
export function leadingNotes(fold: Fold): EntriesPart[] {
  const { notes, full } = fold.columns
  const to = exchangeStart(fold, 0)
  if (fold.notes === 0 || at(notes, 0) >= to || notesInHead(fold.settings.policy)) return []
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

/** The first user entry, clipped if it costs more than `allowed`. */
export function firstPart(fold: Fold, frame: PromptFrame, allowed: number, clips: Clips): EntriesPart {
  const index = fold.firstUser
  const part = entriesPart(fold, frame, 'pinned', index, index + 1, fold.length, clips)
  if (part.clips.length > 0 || part.tokens <= allowed) return part
  const clip = clipItem(fold, index, allowed)
  return entriesPart(fold, frame, 'pinned', index, index + 1, fold.length, new Map([[index, clip]]))
}

/**
 * Everything from the cut on. If the cut is inside a turn, also that turn's user entry and the digests of its earlier
 * steps.
 */
export function newestParts(fold: Fold, frame: PromptFrame, clips: Clips, steps: readonly Part[]): Part[] {
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

/** True for a system entry whose text the head already has, if the policy sends each text only once. */
export function isRepeated(fold: Fold, index: number): boolean {
  const { entries, systemTexts } = fold.columns
  return fold.settings.policy.system === 'once' && (systemTexts.get(at(entries, index).text) ?? index) < index
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

/** The outline of the first exchanges, or nothing if there is no room. */
export function outlineParts(fold: Fold, exchanges: number, room: number): DigestPart[] {
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
export function stepsParts(fold: Fold, from: number, to: number, room: number): DigestPart[] {
  if (room === 0 || from >= to) return []
  const { prices } = fold.settings
  const tier = exchangeOf(fold, from) === fold.exchanges - 1 ? 'current' : 'verbatim'
  return digestParts(tier, 'steps', stepLines(fold, from, to, room - prices.steps), prices.steps)
}

function digestParts(tier: Tier, of: DigestPart['of'], lines: readonly OutlineLine[], head: number): DigestPart[] {
  if (lines.length === 0) return []
  return [{ shape: 'digest', tier, of, lines, tokens: lines.reduce((sum, line) => sum + line.tokens, head) }]
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
    if (spent + digest.tokens + older.reduce((sum, line) => sum + line.tokens, 0) > room) break
    lines.unshift({ from: start, to: end, own: true, ...digest })
    spent += digest.tokens
    end = start
  }
  const rest = gathered(view, from, end)
  return spent + rest.reduce((sum, line) => sum + line.tokens, 0) > room ? [] : lengthened([...rest, ...lines], room)
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
export function markerParts(fold: Fold, { earlierMarker: marker }: PromptFrame, omitted: number): MarkerPart[] {
  const { policy, prices } = fold.settings
  if (policy.marker === null || (omitted === 0 && marker < 0)) return []
  const text = markerText(policy.marker, omitted)
  return [{ shape: 'marker', tier: 'marker', text, tokens: prices.ours + checkedCount(prices.counter, text) }]
}
