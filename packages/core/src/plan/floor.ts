import { at, between } from '../fold/column.ts'
import { danglingCalls } from '../fold/columns.ts'
import type { Fold } from '../fold/fold.ts'
import { clippable, ladder, type Clippable, type ClippedEntry } from '../fold/ladder.ts'
import { keptUser, pinsFirst, type Layout } from '../fold/layout.ts'
import { ownCost, type Rooms } from '../fold/rooms.ts'
import { MinutebookError } from '../log/error.ts'

/**
 * The clips under which what must be sent fits: pinned entry, user entry of the turn, newest step.
 * Throws `window_overflow`, naming every item, where even the smallest clips do not.
 */
export function floorClips(fold: Fold, layout: Layout, rooms: Rooms): ReadonlyMap<number, ClippedEntry> {
  const { settings, columns } = fold
  const user = keptUser(fold, layout.cut).index
  const items: Clippable[] = []
  if (pinsFirst(fold, settings, layout.cut)) items.push(clippable(fold, settings, fold.firstUser, ownCost(fold, fold.firstUser), rooms.first))
  if (user >= 0) items.push(clippable(fold, settings, user, ownCost(fold, user)))
  for (let index = layout.cut; index < fold.length; index++) {
    if (at(columns.entries, index).kind === 'system') continue
    const reasoning = index >= layout.bare ? at(columns.reasoning, index) : 0
    items.push(clippable(fold, settings, index, ownCost(fold, index) + reasoning + danglingCalls(fold, index) * settings.prices.interrupted))
  }
  const room = settings.budget - rooms.system - settings.marker
  const least = items.reduce((sum, { minimum }) => sum + minimum, 0)
  // Notes are in every prompt: the floor is clipped to make way for them, as far as it can be.
  const notes = fold.notes > 0 && at(columns.notes, 0) < layout.cut ? rooms.notes : 0
  const clips = least > room ? undefined : ladder(fold, settings, items, Math.max(least, room - notes))
  if (clips) return clips
  const system = between(columns.systems, 0, fold.systems).map((index) => clippable(fold, settings, index, ownCost(fold, index)))
  throw overflow(fold, [...system, ...items], rooms.system + settings.marker + least)
}

function overflow({ settings }: Fold, items: readonly Clippable[], minimum: number): MinutebookError {
  const { window, reserve, tools, budget, marker, prices } = settings
  const largest = items.toSorted((left, right) => right.minimum - left.minimum).slice(0, 12)
  const named = largest.map((item) => `${item.kind} #${item.index}: ${item.tokens}${item.minimum < item.tokens ? ` (at least ${item.minimum})` : ''}`)
  const more = items.length > named.length ? [`and ${items.length - named.length} smaller ones`] : []
  const around = marker > 0 ? [`the marker: ${marker}`] : []
  const enough = minimum + tools + prices.prompt + reserve
  return new MinutebookError(
    'window_overflow',
    `What must be sent does not fit: it needs ${minimum} tokens (${[...named, ...more, ...around].join('; ')}), ` +
      `and the window of ${window} leaves ${budget} (less ${reserve} for the answer, ${tools} for tools, ${prices.prompt} around the prompt). ` +
      `A window of ${enough} would do; else shorten the largest of these, send fewer tools or reserve less. ` +
      `A policy with overflow: 'keep' sends it all the same, larger than the window.`,
    { window, reserve, tools, budget, minimum, enough, items },
  )
}
