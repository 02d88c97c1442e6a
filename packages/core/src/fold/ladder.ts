import { checkedCount } from '../count/tokens.ts'
import { traits } from '../log/kind.ts'
import { markCost } from '../policy/cost.ts'
import type { Settings } from '../policy/settings.ts'
import { clip, smallestClip, type Clip, type Price } from './clip.ts'
import { at } from './column.ts'
import { isStray, type View } from './columns.ts'

/** An entry that may have to be clipped: what it costs as it is, and what it costs at the least. */
export interface Clippable {
  readonly index: number
  readonly kind: string
  readonly tokens: number
  readonly minimum: number
  /** What it costs beside its text: this cannot be clipped. */
  readonly rest: number
}

/** An entry of which only head and tail are sent. */
export interface ClippedEntry extends Clip {
  readonly index: number
}

/** The clips that bring entries into `room` tokens: tool results first, then what was said, the largest first. Undefined where the smallest do not fit. */
export function ladder(view: View, settings: Settings, items: readonly Clippable[], room: number): Map<number, ClippedEntry> | undefined {
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
    if (item.tokens > allowed) clips.set(item.index, clipTo(view, settings, item.index, allowed - item.rest))
  }
  return clips
}

/** The item for an entry that costs `whole` where it stands and is allowed `allowed`. */
export function clippable(view: View, settings: Settings, index: number, whole: number, allowed: number = whole): Clippable {
  const entry = at(view.columns.entries, index)
  const text = at(view.columns.text, index)
  const smallest = traits[entry.kind].clipped === 'never' ? text : smallestClip(entry, text, priceAt(view, settings, index)).tokens
  const rest = whole - text
  return { index, kind: entry.kind, tokens: Math.min(whole, allowed), minimum: rest + Math.min(text, smallest), rest }
}

/** The entry, without reasoning, clipped so that it costs at most `tokens`, as far as it can be. */
export function clipItem(view: View, settings: Settings, index: number, tokens: number): ClippedEntry {
  return clipTo(view, settings, index, tokens - at(view.columns.rest, index))
}

function clipTo(view: View, settings: Settings, index: number, room: number): ClippedEntry {
  return { index, ...clip(at(view.columns.entries, index), at(view.columns.text, index), room, priceAt(view, settings, index)) }
}

/** What a part of an entry's text costs where it stands: with the marks of its lines where it is quoted. */
export function priceAt(view: View, { prices }: Settings, index: number): Price {
  const entry = at(view.columns.entries, index)
  const stray = isStray(view, index)
  return (text) => checkedCount(prices.counter, text) + markCost(entry, text, stray, prices)
}

function clippedFirst(view: View, { index }: Clippable): boolean {
  return traits[at(view.columns.entries, index).kind].clipped === 'first'
}

/** The highest cap under which all items together fit. */
function waterLevel(items: readonly Clippable[], room: number): number {
  const fits = (cap: number): boolean => sum(items.map(({ tokens, minimum }) => Math.max(minimum, Math.min(tokens, cap)))) <= room
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
