import { at, between } from '../fold/column.ts'
import { exchangeStart, notesBetween, systemsBetween } from '../fold/columns.ts'
import type { Fold } from '../fold/fold.ts'
import { clipItem, type ClippedEntry } from '../fold/ladder.ts'
import { clipsBetween, keptUser, type Layout } from '../fold/layout.ts'
import { earlierMarker, ownCost, systemsFirst } from '../fold/rooms.ts'
import { markerParts } from './marker.ts'
import type { EntriesPart, Part, Tier } from './part.ts'

type Clips = ReadonlyMap<number, ClippedEntry>

/** The system entries that open the prompt: those that open the log and those before the cut, or all of them. */
export function headParts(fold: Fold, cut: number): EntriesPart[] {
  const { columns, settings } = fold
  const last = systemsFirst(settings) ? fold.length : Math.max(exchangeStart(fold, 0), cut)
  const marker = earlierMarker(fold, settings)
  const parts: EntriesPart[] = []
  for (const index of between(columns.systems, 0, fold.systems)) {
    if (index >= last) break
    if (index === marker || isRepeated(fold, index)) continue
    parts.push({ shape: 'entries', tier: 'system', from: index, to: index + 1, bare: 0, systems: true, notes: true, clips: [], tokens: ownCost(fold, index) })
  }
  return parts
}

/** The notes from before the first exchange, where nothing is left out and so none are folded. */
export function leadingNotes(fold: Fold): EntriesPart[] {
  const { notes, full } = fold.columns
  const to = exchangeStart(fold, 0)
  if (fold.notes === 0 || at(notes, 0) >= to) return []
  return [{ shape: 'entries', tier: 'notes', from: 0, to, bare: 0, systems: false, notes: true, clips: [], tokens: at(full, to) }]
}

/** The first user entry, clipped where it is longer than it is allowed to be. */
export function pinnedPart(fold: Fold, allowed: number, clips: Clips): EntriesPart {
  const index = fold.firstUser
  const part = entriesPart(fold, 'pinned', index, index + 1, fold.length, clips)
  if (part.clips.length > 0 || part.tokens <= allowed) return part
  const clip = clipItem(fold, fold.settings, index, allowed)
  return entriesPart(fold, 'pinned', index, index + 1, fold.length, new Map([[index, clip]]))
}

/** Everything from the cut on, with the user entry of a turn that the cut runs through and what stands for its earlier steps. */
export function newestParts(fold: Fold, { cut, bare, clipped }: Layout, clips: Clips, steps: readonly Part[]): Part[] {
  const current = exchangeStart(fold, fold.exchanges - 1)
  const user = keptUser(fold, cut).index
  const marker = earlierMarker(fold, fold.settings)
  const range = (from: number, to: number): Part[] => [
    entriesPart(fold, 'verbatim', from, Math.min(to, current), bare, clips),
    entriesPart(fold, 'current', Math.max(from, current), to, bare, clips),
  ]
  const kept = user < 0 ? [] : [...range(user, user + 1), ...steps]
  const within = clipped ? clipsBetween(fold, fold.settings, cut, clipped.to, bare, clipped.room) : undefined
  const partly = clipped ? [withoutNotes(fold, entriesPart(fold, cut < current ? 'verbatim' : 'current', cut, clipped.to, bare, within ?? clips))] : []
  const from = clipped?.to ?? cut
  const rest = marker < from ? range(from, fold.length) : [...range(from, marker), ...markerParts(fold, 0), ...range(marker + 1, fold.length)]
  return [...kept, ...partly, ...rest].filter((part) => part.shape !== 'entries' || part.from < part.to)
}

/** True for a system entry whose text the head has already, where the policy sends each text once. */
export function isRepeated(fold: Fold, index: number): boolean {
  const { entries, systemTexts } = fold.columns
  return fold.settings.policy.system === 'once' && (systemTexts.get(at(entries, index).text) ?? index) < index
}

function entriesPart(fold: Fold, tier: Tier, from: number, to: number, bare: number, clips: Clips): EntriesPart {
  const { lean, full, text } = fold.columns
  const systems = !systemsFirst(fold.settings)
  const middle = Math.min(to, Math.max(from, bare))
  let tokens = at(lean, middle) - at(lean, from) + at(full, to) - at(full, middle)
  // System entries are not in the running sums.
  const marker = earlierMarker(fold, fold.settings)
  for (const index of systems ? systemsBetween(fold, from, to) : []) if (index !== marker) tokens += ownCost(fold, index)
  const within = [...clips.values()].filter(({ index }) => index >= from && index < to)
  for (const clip of within) tokens += clip.tokens - at(text, clip.index)
  return { shape: 'entries', tier, from, to, bare, systems, notes: true, clips: within, tokens }
}

/** What is sent in part has its notes in the head, where they are whole as long as they fit. */
function withoutNotes(fold: Fold, part: EntriesPart): EntriesPart {
  const { lean, full } = fold.columns
  const cost = (index: number): number => (index < part.bare ? at(lean, index + 1) - at(lean, index) : at(full, index + 1) - at(full, index))
  return { ...part, notes: false, tokens: notesBetween(fold, part.from, part.to).reduce((tokens, index) => tokens - cost(index), part.tokens) }
}
