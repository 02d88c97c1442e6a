import { at } from '../fold/columns.ts'
import type { Fold } from '../fold/fold.ts'
import { ownCost } from '../fold/rooms.ts'
import type { NotesPart } from './part.ts'

/** The newest notes from before the cut: at most ten, as far as they fit. */
export function notesParts(fold: Fold, cut: number, room: number): NotesPart[] {
  const { columns, settings: { prices } } = fold
  const entries: { index: number; tokens: number }[] = []
  let tokens = prices.notes
  for (let note = fold.notes - 1; note >= 0 && entries.length < 10; note--) {
    const index = at(columns.notes, note)
    if (index >= cut) continue
    const cost = ownCost(fold, index)
    if (tokens + cost > room) break
    tokens += cost
    entries.unshift({ index, tokens: cost })
  }
  return entries.length ? [{ shape: 'notes', tier: 'notes', entries, tokens }] : []
}
