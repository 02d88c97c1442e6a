import { clip, smallestClip } from '../fold/clip.ts'
import { at, type View } from '../fold/columns.ts'
import { MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import type { Settings } from '../policy/settings.ts'
import type { ClippedEntry } from './part.ts'

/** One entry of the floor: what it costs as it is, and what it costs at the least. */
export interface FloorItem {
  readonly index: number
  readonly kind: string
  readonly tokens: number
  readonly minimum: number
  /** What it costs beside its text: this cannot be clipped. */
  readonly rest: number
}

/**
 * The clips that bring the floor into `room` tokens: tool results first, then what was said, the largest first.
 * Throws `window_overflow`, naming every item, where even the smallest clips do not fit.
 */
export function ladder(view: View, settings: Settings, items: readonly FloorItem[], fixed: readonly FloorItem[], room: number): Map<number, ClippedEntry> {
  const first = items.filter((item) => clippedFirst(view, item))
  const last = items.filter((item) => !clippedFirst(view, item))
  const least = sum(first.map(({ minimum }) => minimum))
  const lastWhole = sum(last.map(({ tokens }) => tokens))
  if (least + sum(last.map(({ minimum }) => minimum)) > room) throw overflow(settings, items, fixed, room)
  const level = least + lastWhole <= room ? waterLevel(first, room - lastWhole) : 0
  const lastLevel = least + lastWhole <= room ? Infinity : waterLevel(last, room - least)
  const clips = new Map<number, ClippedEntry>()
  for (const item of items) {
    const allowed = Math.max(item.minimum, clippedFirst(view, item) ? level : lastLevel)
    if (item.tokens > allowed) clips.set(item.index, clipTo(view, settings, item.index, allowed - item.rest))
  }
  return clips
}

/** The floor item of an entry that costs `whole` where it stands and is allowed `allowed`. */
export function floorItem(view: View, settings: Settings, index: number, whole: number, allowed: number = whole): FloorItem {
  const entry = view.columns.entries[index]!
  const text = at(view.columns.text, index)
  const smallest = traits[entry.kind].clipped === 'never' ? text : smallestClip(entry, text, settings.prices.counter).tokens
  const rest = whole - text
  return { index, kind: entry.kind, tokens: Math.min(whole, allowed), minimum: rest + Math.min(text, smallest), rest }
}

/** The entry, without reasoning, clipped so that it costs at most `tokens`, as far as it can be. */
export function clipItem(view: View, settings: Settings, index: number, tokens: number): ClippedEntry {
  return clipTo(view, settings, index, tokens - at(view.columns.rest, index))
}

function clipTo({ columns }: View, { prices }: Settings, index: number, room: number): ClippedEntry {
  return { index, ...clip(columns.entries[index]!, at(columns.text, index), room, prices.counter) }
}

function clippedFirst(view: View, { index }: FloorItem): boolean {
  return traits[view.columns.entries[index]!.kind].clipped === 'first'
}

/** The highest cap under which all items together fit. */
function waterLevel(items: readonly FloorItem[], room: number): number {
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

/** `room` is what system entries, marker and interrupted calls leave of the budget. */
function overflow({ window, reserve, tools, budget }: Settings, clippable: readonly FloorItem[], system: readonly FloorItem[], room: number): MinutebookError {
  const items = [...system, ...clippable]
  const fixed = budget - room
  const minimum = fixed + sum(clippable.map((item) => item.minimum))
  const named = items
    .toSorted((left, right) => right.minimum - left.minimum)
    .slice(0, 12)
    .map((item) => `${item.kind} #${item.index}: ${item.tokens}${item.minimum < item.tokens ? ` (at least ${item.minimum})` : ''}`)
  const list = items.length > named.length ? [...named, `and ${items.length - named.length} smaller ones`] : named
  return new MinutebookError(
    'window_overflow',
    `What must be sent does not fit: it needs ${minimum} tokens, and the window of ${window} leaves ${budget} ` +
      `(reserve ${reserve}, tools ${tools}). ${list.join('; ')}. ` +
      `Use a larger window, shorten the largest of these, or pass a policy with overflow: 'keep'.`,
    { window, reserve, tools, budget, minimum, fixed, items },
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
