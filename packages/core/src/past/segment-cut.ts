import type { PieceId } from '../log/segments.ts'
import type { Steps } from '../log/time.ts'
import { lowerBound, type Segment } from '../compiler/recall-index.ts'
import { listLength, readListPiece, type BlockEntry, type SegmentContent } from './segment.ts'

/** Reads pieces of segments. Throws `not_loaded` if one is gone. */
export type PieceSteps = (wanted: readonly PieceId[]) => Steps<readonly Uint8Array[]>

/** A stem in a stored segment. */
export interface StoredStem extends BlockEntry {
  readonly segment: Segment
}

/**
 * What did an index say before its newest entries came? A past prompt must be ranked with the counts of its time, but
 * segments are joined as the log grows, so the segment that had its end may have later entries now. Returns the stems
 * without the postings from entry `end` on. Of a list in several pieces, only a few are read to find the end.
 */
export function* cutStems(
  stems: readonly (readonly StoredStem[])[],
  end: number,
  load: PieceSteps,
): Steps<readonly (readonly StoredStem[])[]> {
  const long = stems.flat().filter(({ segment, list }) => segment.to > end && !list)
  const pieces = yield* endPieces(long, end, load)
  return stems.map((places) =>
    places.flatMap((place): StoredStem[] => {
      if (place.segment.to <= end) return [place]
      if (place.list) return shortened(place, place.list, end)
      const found = pieces.get(place)
      if (!found) return []
      // What is left of the piece at the end counts as a list of its own.
      const older = place.count - (found.number + 1) * listLength
      const rest = { ...place, count: older, piece: place.piece + found.number + 1 }
      return [...(older > 0 ? [rest] : []), ...shortened(place, found.list, end)]
    }),
  )
}

function shortened(place: StoredStem, list: readonly number[], end: number): StoredStem[] {
  const count = lowerBound(list, end)
  return count === 0 ? [] : [{ ...place, count, list: list.slice(0, count), piece: -1 }]
}

/** The newest piece of a list that has a posting before the end, by its number in the list. */
interface EndPiece {
  readonly number: number
  readonly list: readonly number[]
}

/** Searches all lists at once, by halves: each round reads one piece of each list. */
function* endPieces(
  stems: readonly StoredStem[],
  end: number,
  load: PieceSteps,
): Steps<ReadonlyMap<StoredStem, EndPiece>> {
  const found = new Map<StoredStem, EndPiece>()
  let open = stems.map((stem) => ({ stem, low: 0, high: Math.ceil(stem.count / listLength) }))
  while (open.length > 0) {
    const asked = open.map((search) => ({ ...search, middle: (search.low + search.high) >> 1 }))
    const bytes = yield* load(
      asked.map(({ stem, middle }) => ({ segment: stem.segment.name, piece: stem.piece + middle })),
    )
    open = asked
      .map(({ stem, low, high, middle }, place) => {
        const length = Math.min(listLength, stem.count - middle * listLength)
        const list = readListPiece(bytes[place]!, length, stem.segment.from)
        if (lowerBound(list, end) === 0) return { stem, low: middle + 1, high }
        found.set(stem, { number: middle, list })
        return { stem, low, high: middle }
      })
      .filter(({ low, high }) => low < high)
    yield asked.length * listLength
  }
  return found
}

/** The content without the entries from `end` on. */
export function cutContent({ from, entries, postings }: SegmentContent, end: number): SegmentContent {
  const cut = new Map<string, readonly number[]>()
  for (const [stem, list] of postings) {
    const count = lowerBound(list, end)
    if (count > 0) cut.set(stem, list.slice(0, count))
  }
  return { from, entries: entries.slice(0, end - from), postings: cut }
}
