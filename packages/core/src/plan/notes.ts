import { clip, smallestClip } from '../fold/clip.ts'
import { at, lastNotAfter } from '../fold/column.ts'
import type { Fold } from '../fold/fold.ts'
import { priceAt, type ClippedEntry } from '../fold/ladder.ts'
import { mostNotes } from '../fold/rooms.ts'
import type { NotesPart } from './part.ts'

/**
 * The newest notes from before the cut, the newest first, as far as they fit. Where not all do, none takes more than half
 * of the room: a longer one is clipped to that, or to the least that can be said of it.
 */
export function notesParts(fold: Fold, cut: number, room: number): NotesPart[] {
  const { columns, settings: { prices } } = fold
  const entries: { index: number; tokens: number }[] = []
  const clips: ClippedEntry[] = []
  const newest = lastNotAfter(columns.notes, fold.notes, cut - 1)
  let left = room - prices.notes
  const cap = at(columns.noteSums, newest + 1) <= left ? Infinity : Math.floor(left / 2)
  for (let note = newest; note >= 0 && note > newest - mostNotes && left >= 0; note--) {
    const index = at(columns.notes, note)
    const entry = at(columns.entries, index)
    const text = at(columns.text, index)
    const whole = text + prices.note
    const least = whole <= Math.min(cap, left) ? whole : smallestClip(entry, text, priceAt(fold, fold.settings, index)).tokens + prices.note
    const allowed = Math.min(whole, Math.max(cap, least), left)
    left -= allowed
    if (allowed === whole) entries.unshift({ index, tokens: whole })
    else if (allowed >= least) {
      const clipped = clip(entry, text, allowed - prices.note, priceAt(fold, fold.settings, index))
      clips.unshift({ index, ...clipped })
      entries.unshift({ index, tokens: clipped.tokens + prices.note })
    }
  }
  const tokens = entries.reduce((sum, each) => sum + each.tokens, prices.notes)
  return entries.length ? [{ shape: 'notes', tier: 'notes', entries, clips, tokens }] : []
}
