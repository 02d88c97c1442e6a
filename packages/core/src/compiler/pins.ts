import { pinsRoom } from './budget.ts'
import { clipToFit, quotable, type ClipCandidate, type ClippedEntry } from './clip.ts'
import { at } from './columns.ts'
import type { Fold } from './fold.ts'

/**
 * Where are pinned messages, if they are before the cut? They are quoted in the head, as recalled ones are, under a
 * heading of their own. Room for all of them is set aside (`pinsRoom` in budget.ts).
 */
export interface PinsPart {
  readonly shape: 'pins'
  readonly tier: 'pinned'
  readonly entries: readonly { readonly index: number; readonly tokens: number }[]
  readonly clips: readonly ClippedEntry[]
  readonly tokens: number
}

/** What quoted entries cost, and what they may take. */
export interface PinsBudget {
  readonly items: readonly ClipCandidate[]
  readonly room: number
  /** What they need at least, with their heading. */
  readonly least: number
}

/** The room for pinned entries that are quoted. */
export function pinsBudget({ columns, settings }: Fold, pins: readonly number[]): PinsBudget {
  const { entries, text, rest } = columns
  const items = pins.map((index) =>
    quotable(index, at(entries, index), { text: at(text, index), rest: at(rest, index) }, settings.prices),
  )
  const whole = items.reduce((sum, { tokens }) => sum + tokens, 0)
  const least = items.reduce((sum, { minimum }) => sum + minimum, 0)
  const heading = items.length > 0 ? settings.prices.pins : 0
  return { items, room: pinsRoom(settings, { whole, least }), least: heading + least }
}

/** Quotes pinned entries. They are clipped, as far as that is necessary to fit into their room. */
export function pinsParts(fold: Fold, { items, room }: PinsBudget): PinsPart[] {
  if (items.length === 0) return []
  const { settings } = fold
  const clips = clipToFit(fold, items, room - settings.prices.pins) ?? new Map<number, ClippedEntry>()
  const entries = items.map(({ index, tokens, rest }) => {
    const clip = clips.get(index)
    return { index, tokens: clip ? rest + clip.tokens : tokens }
  })
  const tokens = entries.reduce((sum, entry) => sum + entry.tokens, settings.prices.pins)
  return [{ shape: 'pins', tier: 'pinned', entries, clips: [...clips.values()], tokens }]
}
