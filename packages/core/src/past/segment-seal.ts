import { sha256 } from '#sha256'
import { fail, notLoadedError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import type { StoredSegment } from '../log/segments.ts'
import { reading, type Steps } from '../log/time.ts'
import { at, exchangeOf, lastNotAfter, notesBefore } from '../compiler/columns.ts'
import type { Fold } from '../compiler/fold.ts'
import { numberOf } from '../compiler/framing.ts'
import { indexEntries, isCall, isRecallable, recalledCost } from '../compiler/recall.ts'
import { lowerBound, postingsOf, type Segment } from '../compiler/stem-index.ts'
import {
  cutContent,
  decodeSegment,
  encodeSegment,
  joinContents,
  type IndexedEntry,
  type SegmentContent,
} from './segment.ts'
import { countsKey } from '../compiler/settings.ts'

/** What must be stored so that the index of a fold can leave the memory. */
export interface SealedSegments {
  /** All segments of the fold, in order. */
  readonly segments: readonly Segment[]
  /** Those of them that are new. */
  readonly stored: readonly StoredSegment[]
  /** The names of those that are part of larger ones now. */
  readonly replaced: readonly string[]
}

/** Reads all pieces of a stored segment. Undefined if it is gone. */
export type SegmentReader = (name: string) => Promise<readonly Uint8Array[] | undefined>

/** The most entries of a segment. Larger ones would be read in fewer pieces, but joining takes memory. */
const mostEntries = 65_536

/**
 * How does the index of a fold leave the memory? Makes segments of the entries that no segment has yet. Joins them with
 * the newest stored ones while those are not much larger: so there are few segments, and an entry is written again only
 * a few times.
 */
export function* sealing(fold: Fold, read: SegmentReader): Steps<SealedSegments> {
  yield* indexEntries(fold, fold.length)
  const { segments, base } = fold.columns.index
  // Folds of several lengths may share the index: what is stored may reach past the end of this one.
  const sealed = segments.filter(({ to }) => to <= (base > 0 ? base : fold.length))
  const over = segments.find(({ from, to }) => from < base && to > base)
  if (over && base === fold.length) return { segments, stored: [], replaced: [] }
  const stored: StoredSegment[] = []
  const replaced: string[] = []
  for (let from = sealed.at(-1)?.to ?? 0; from < fold.length;) {
    const to = Math.min(fold.length, from + mostEntries)
    const begin = Math.max(from, base)
    let content = contentOf(fold, begin, to)
    const names = [nameOf(fold, begin, to)]
    if (over && from < base) {
      const pieces = (yield* reading(() => read(over.name))) ?? fail(notLoadedError())
      content = joinContents([cutContent(yield* decodeSegment(over, pieces), base), content])
      names.unshift(`${over.name} ${base}`)
    }
    while (isJoined(sealed.at(-1), content)) {
      const before = sealed.pop()!
      const pieces =
        stored.find(({ name }) => name === before.name)?.pieces ?? (yield* reading(() => read(before.name)))
      if (!pieces) {
        sealed.push(before)
        break
      }
      content = joinContents([yield* decodeSegment(before, pieces), content])
      names.unshift(before.name)
      replaced.push(before.name)
    }
    const { segment, pieces } = yield* encodeSegment(content)
    const name = names.length === 1 ? names[0]! : sha256(names.join(' ')).slice(0, nameLength)
    sealed.push({ name, ...segment })
    stored.push({ name, pieces })
    from = to
  }
  return { segments: sealed, stored: stored.filter(({ name }) => !replaced.includes(name)), replaced }
}

const nameLength = 24
/** Part of every name: segments of another version have other names. */
const segmentVersion = 2

/** True if a stored segment is joined with what comes after it. */
function isJoined(before: Segment | undefined, { entries }: SegmentContent): boolean {
  if (!before) return false
  const length = before.to - before.from
  return length < 2 * entries.length && length + entries.length <= mostEntries
}

/** Of the ids of its entries, and all that their counts depend on. */
function nameOf({ columns, settings }: Fold, from: number, to: number): string {
  const ids = [`${segmentVersion}`, countsKey(settings), `${from}`]
  for (let index = from; index < to; index++) ids.push(at(columns.entries, index).id)
  return sha256(ids.join(' ')).slice(0, nameLength)
}

function contentOf(fold: Fold, from: number, to: number): SegmentContent {
  const { index, steps } = fold.columns
  const postings = new Map<string, readonly number[]>()
  for (const stem of index.postings.keys()) {
    const found = postingsOf(index, stem, to)
    const own = found?.list.slice(lowerBound(found.list, from), found.known) ?? []
    if (own.length > 0) postings.set(stem, own)
  }
  const entries: IndexedEntry[] = []
  let step = lastNotAfter(steps, fold.steps, from - 1) + 1
  for (let entry = from; entry < to; entry++) {
    const startsStep = step < fold.steps && at(steps, step) === entry
    if (startsStep) step++
    entries.push({ ...indexedEntry(fold, entry), startsStep })
  }
  return { from, entries, postings }
}

function indexedEntry(fold: Fold, index: number): Omit<IndexedEntry, 'startsStep'> {
  const { columns } = fold
  const { base, totals, tokens } = columns.index
  const entry = at(columns.entries, index)
  const { pinned, chained } = traits[entry.kind]
  const mayRecall = isRecallable(fold, index)
  return {
    stems: totals[index - base + 1]! - totals[index - base]!,
    tokens: tokens[index - base]!,
    cost: chained && !pinned ? recalledCost(fold, index) : 0,
    seq: entry.seq,
    place: numberOf(entry),
    exchange: exchangeOf(fold, index),
    notes: notesBefore(fold, index),
    isSpoken: chained && !pinned,
    isRecallable: mayRecall,
    isCall: isCall(fold, index),
  }
}
