import { at } from '../fold/columns.ts'
import type { Fold } from '../fold/fold.ts'
import { keptUser, pinsFirst, type Layout } from '../fold/layout.ts'
import { ownCost, type Rooms } from '../fold/rooms.ts'
import { floorItem, ladder, type FloorItem } from './ladder.ts'
import type { ClippedEntry } from './part.ts'

/** The clips under which what must be sent fits: pinned entry, user entry of the turn, newest step. */
export function floorClips(fold: Fold, layout: Layout, rooms: Rooms): ReadonlyMap<number, ClippedEntry> {
  const { settings, columns } = fold
  const user = keptUser(fold, layout.cut).index
  const items: FloorItem[] = []
  if (pinsFirst(fold, settings, layout.cut)) items.push(floorItem(fold, settings, fold.firstUser, ownCost(fold, fold.firstUser), rooms.first))
  if (user >= 0) items.push(floorItem(fold, settings, user, ownCost(fold, user)))
  for (let index = layout.cut; index < fold.length; index++) {
    const reasoning = index >= layout.bare ? at(columns.reasoning, index) : 0
    if (columns.entries[index]?.kind !== 'system') items.push(floorItem(fold, settings, index, ownCost(fold, index) + reasoning))
  }
  const system = columns.systems.slice(0, fold.systems).map((index) => floorItem(fold, settings, index, ownCost(fold, index)))
  const repairs = fold.open.length * settings.prices.interrupted
  return ladder(fold, settings, items, system, settings.budget - rooms.system - settings.marker - repairs)
}
