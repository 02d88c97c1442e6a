import { wellFormed } from '../log/json.ts'
import { traits } from '../log/kind.ts'
import { checkedCount } from '../tokens/tokens.ts'
import { at, isStray, type View } from './columns.ts'
import { markCost, quotedCost, type Cost, type PinCost, type Prices } from './cost.ts'
import { countLines, framing, numberOf, type FoldedEntry } from './framing.ts'

/** The head and the tail of a text, with a line between them that says what is missing. */
interface Clip {
  readonly text: string
  readonly tokens: number
}

/** Returns what a text costs at the entry's place in the prompt. */
type Price = (text: string) => number

/**
 * Shortens an entry's text to at most `room` tokens. If that is impossible, returns its smallest clip. `tokens`: what
 * the whole text costs, so that only candidates need counting.
 */
export function clip(entry: FoldedEntry, tokens: number, room: number, price: Price): Clip {
  const smallest = smallestClip(entry, tokens, price)
  const average = entry.text.length / Math.max(1, tokens)
  let kept = Math.floor((room - smallest.tokens) * average)
  for (; kept > 16; kept = Math.floor(kept * 0.8)) {
    const candidate = clipTo(entry, tokens, kept, price)
    if (candidate.tokens <= room) return candidate
  }
  return smallest
}

/** The first word, and the line that says what is missing. */
export function smallestClip(entry: FoldedEntry, tokens: number, price: Price): Clip {
  const text = `${firstWord(entry.text)} ${framing.clip(tokens, numberOf(entry), entry.id)}`
  return { text, tokens: price(text) }
}

function clipTo(entry: FoldedEntry, tokens: number, kept: number, price: Price): Clip {
  const { text } = entry
  const tailLength = Math.floor(kept / 3)
  const head = wellFormed(text.slice(0, toBlank(text, kept - tailLength)))
  const from = text.length - tailLength
  const tail = isLowSurrogate(text.charCodeAt(from)) ? text.slice(from + 1) : text.slice(from)
  const missing = Math.max(1, Math.round(tokens * (1 - (head.length + tail.length) / text.length)))
  const clipped = `${head}\n${framing.clip(missing, numberOf(entry), entry.id)}\n${tail}`
  return { text: clipped, tokens: price(clipped) }
}

/** Returns a little less than `length`, if a blank is near: then the cut is between words. */
function toBlank(text: string, length: number): number {
  const blank = text.lastIndexOf(' ', length)
  return blank > length - 32 && blank > 0 ? blank : length
}

/** The first word is found behind at most this many blanks: it is looked for again with each later entry. */
const mostBlanks = 65_536

function firstWord(text: string): string {
  const start = text.slice(0, mostBlanks).trimStart().slice(0, 24)
  const blanks = [' ', '\n', '\t'].map((blank) => start.indexOf(blank)).filter((index) => index > 0)
  return wellFormed(start.slice(0, Math.min(start.length, ...blanks)))
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** An entry that may have to be clipped: what it costs whole, and what its smallest clip costs. */
export interface ClipCandidate {
  readonly index: number
  readonly kind: string
  readonly tokens: number
  readonly minimum: number
  /** What it costs without its text. This part cannot be clipped. */
  readonly rest: number
  /** True if it is quoted, because it is pinned. */
  readonly pinned?: true
}

/** An entry of which only head and tail are sent. */
export interface ClippedEntry extends Clip {
  readonly index: number
}

/**
 * The clips that bring entries into `room` tokens. Tool results are clipped first, then messages, the largest first.
 * Returns undefined if the smallest clips do not fit.
 */
export function clipToFit(
  view: View,
  items: readonly ClipCandidate[],
  room: number,
): Map<number, ClippedEntry> | undefined {
  const first = items.filter((item) => clippedFirst(view, item))
  const last = items.filter((item) => !clippedFirst(view, item))
  const least = sum(first.map(({ minimum }) => minimum))
  const lastWhole = sum(last.map(({ tokens }) => tokens))
  if (least + sum(last.map(({ minimum }) => minimum)) > room) return undefined
  const level = least + lastWhole <= room ? waterLevel(first, room - lastWhole) : 0
  const lastLevel = least + lastWhole <= room ? Infinity : waterLevel(last, room - least)
  const clips = new Map<number, ClippedEntry>()
  for (const item of items) {
    const allowed = Math.max(item.minimum, clippedFirst(view, item) ? level : lastLevel)
    if (item.tokens > allowed) clips.set(item.index, clipIntoRoom(view, item, allowed - item.rest))
  }
  return clips
}

/** Describes an entry that costs `whole` in the prompt and may cost at most `allowed`. */
export function clippable(view: View, index: number, whole: number, allowed: number = whole): ClipCandidate {
  const entry = at(view.columns.entries, index)
  const text = at(view.columns.text, index)
  const smallest =
    traits[entry.kind].clipped === 'never' ? text : smallestClip(entry, text, priceAt(view, index)).tokens
  const rest = whole - text
  return { index, kind: entry.kind, tokens: Math.min(whole, allowed), minimum: rest + Math.min(text, smallest), rest }
}

/** Describes an entry that is quoted, because it is pinned. */
export function quotable(
  index: number,
  entry: FoldedEntry,
  cost: Pick<Cost, 'text' | 'rest'>,
  prices: Prices,
): ClipCandidate {
  const tokens = quotedCost(entry, cost, prices)
  const text = cost.text + quotedMarks(entry.text, prices)
  const smallest = smallestClip(entry, cost.text, quotedPrice(prices)).tokens
  const rest = tokens - text
  return { index, kind: entry.kind, tokens, minimum: rest + Math.min(text, smallest), rest, pinned: true }
}

/** What a pinned entry costs. */
export function pinCost(...quoting: Parameters<typeof quotable>): PinCost {
  const { tokens: whole, minimum: least } = quotable(...quoting)
  return { whole, least }
}

function quotedPrice(prices: Prices): Price {
  return (text) => checkedCount(prices.counter, text) + quotedMarks(text, prices)
}

function quotedMarks(text: string, { mark }: Prices): number {
  return (countLines(text) - 1) * mark
}

/** Clips an entry, without its reasoning, to at most `tokens`, as far as that is possible. */
export function clipItem(view: View, index: number, tokens: number): ClippedEntry {
  return clipIntoRoom(view, { index }, tokens - at(view.columns.rest, index))
}

function clipIntoRoom(
  view: View,
  { index, pinned }: Pick<ClipCandidate, 'index' | 'pinned'>,
  room: number,
): ClippedEntry {
  const price = pinned ? quotedPrice(view.settings.prices) : priceAt(view, index)
  return { index, ...clip(at(view.columns.entries, index), at(view.columns.text, index), room, price) }
}

/**
 * Returns what a part of an entry's text costs at its place. If the text is quoted, that includes the marks of its
 * lines.
 */
export function priceAt(view: View, index: number): Price {
  const { prices } = view.settings
  const entry = at(view.columns.entries, index)
  const stray = isStray(view, index)
  return (text) => checkedCount(prices.counter, text) + markCost(entry, text, stray, prices)
}

function clippedFirst(view: View, { index }: ClipCandidate): boolean {
  return traits[at(view.columns.entries, index).kind].clipped === 'first'
}

/** The highest cap under which all items fit together. */
function waterLevel(items: readonly ClipCandidate[], room: number): number {
  const fits = (cap: number): boolean =>
    sum(items.map(({ tokens, minimum }) => Math.max(minimum, Math.min(tokens, cap)))) <= room
  let low = 0
  let high = items.reduce((most, { tokens }) => Math.max(most, tokens), 0)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
