import { lowerBound, postingsOf, type Segment, type StemIndex } from '../compiler/stem-index.ts'
import {
  copyMemory,
  type RecallFacts,
  type EntryRanges,
  type EntrySizes,
  type IndexSource,
  type NeededPostings,
  type Postings,
} from '../compiler/rank-entries.ts'
import type { RecallReader } from '../compiler/recall.ts'
import { notLoadedError } from '../log/error.ts'
import type { PieceId } from '../log/segments.ts'
import { reading, type Steps } from '../log/time.ts'
import {
  blockOf,
  copySizes,
  entriesInFacts,
  entriesInSizes,
  factsPiece,
  findInBlock,
  listLength,
  readFacts,
  readListPiece,
  sizesPiece,
  type BlockEntry,
} from './segment.ts'
import type { StoredLog } from './stored-log.ts'

/** Reads pieces of stored segments, in the order that they are asked for. A piece that is gone is undefined. */
export type PieceReader = (wanted: readonly PieceId[]) => Promise<readonly (Uint8Array | undefined)[]>

/** Reads pieces of segments. Throws `not_loaded` if one is gone. */
type PieceSteps = (wanted: readonly PieceId[]) => Steps<readonly Uint8Array[]>

/** What recall reads of a log of which only the end is in memory. */
export function recallFrom({ pieces, entries }: Pick<StoredLog, 'pieces' | 'entries'>): RecallReader {
  return { source: (index) => storedSource(index, pieces), entries }
}

/**
 * The newest entries of an index are in memory, all others in stored segments. Reads only the pieces that a query needs,
 * in a few steps.
 */
export function storedSource(index: StemIndex, read: PieceReader): IndexSource {
  const segments = index.segments.filter(({ from }) => from < index.base)
  const facts = createPages(segments)
  const load = function* (wanted: readonly PieceId[]): Steps<readonly Uint8Array[]> {
    if (wanted.length === 0) return []
    const found = yield* reading(() => read(wanted))
    return found.map((bytes) => {
      if (!bytes) throw notLoadedError()
      return bytes
    })
  }
  return {
    postings: function* (stems, needed) {
      // What is stored is of all entries before the base.
      if (needed.count < index.base) throw notLoadedError()
      const stored = yield* cutStems(yield* storedStems(segments, stems, load), index.base, load)
      const found = stems
        .map((stem, place): StemPlaces => {
          const memory = postingsOf(index, stem, needed.count) ?? { list: [], known: 0 }
          const older = stored[place]!
          return { memory, older, known: older.reduce((sum, { count }) => sum + count, memory.known) }
        })
        .filter(({ known }) => known > 0)
        .sort((one, other) => one.known - other.known)
        .slice(0, needed.stems)
      return yield* listsOf(found, needed, load)
    },
    sizesOf: function* (ranges) {
      const sizes = { stems: new Float64Array(ranges.count), tokens: new Float64Array(ranges.count) }
      const { pages, stretches } = storedStretches(segments, index.base, ranges)
      const loaded = yield* load(pages)
      yield ranges.count
      copyStored(stretches, loaded, sizes)
      copyMemory(index, ranges, sizes)
      return sizes
    },
    stemsBefore: (count) => index.totals[count - index.base] ?? 0,
    loadFacts: (entries) =>
      facts.load(
        entries.filter((entry) => entry < index.base),
        load,
      ),
    factsOf: function* (entry) {
      if (entry >= index.base) return undefined
      if (!facts.at(entry)) yield* facts.load([entry], load)
      return facts.at(entry)
    },
  }
}

/** A stem in a stored segment. */
interface StoredStem extends BlockEntry {
  readonly segment: Segment
}

interface StemPlaces {
  readonly memory: { readonly list: readonly number[]; readonly known: number }
  readonly older: readonly StoredStem[]
  readonly known: number
}

/** For each stem, the segments that have it, oldest first. */
function* storedStems(segments: readonly Segment[], stems: readonly string[], load: PieceSteps): Steps<StoredStem[][]> {
  const places = stems.flatMap((stem) =>
    segments.map((segment) => ({ stem, segment, piece: blockOf(stem, segment.blocks) })),
  )
  const blocks = yield* load(places.map(({ segment, piece }) => ({ segment: segment.name, piece })))
  yield blocks.reduce((work, { length }) => work + length, 0)
  return stems.map((_, place) =>
    segments.flatMap((segment, number) => {
      const { stem } = places[place * segments.length + number]!
      const entry = findInBlock(blocks[place * segments.length + number]!, stem, segment.from)
      return entry ? [{ ...entry, segment }] : []
    }),
  )
}

/**
 * What did an index say before its newest entries came? A past prompt must be ranked with the counts of its time, but
 * segments are joined as the log grows, so the segment that had its end may have later entries now. Returns the stems
 * without the postings from entry `end` on. Of a list in several pieces, only a few are read to find the end.
 */
function* cutStems(
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

/** The newest postings of each stem, as many as are needed of it after the rarer stems have been read. */
function* listsOf(
  found: readonly StemPlaces[],
  { count, end, reads }: NeededPostings,
  load: PieceSteps,
): Steps<Postings[]> {
  /** How many of the entries that have a stem may come too late to be read. */
  const late = Math.max(0, count - end)
  const lists: ListPiece[][] = []
  let left = reads
  const newest: (readonly number[])[] = []
  for (const { older, memory, known } of found) {
    lists.push(left > 0 ? listPieces(older, left + late, memory.known) : [])
    newest.push(memory.list.slice(Math.max(0, memory.known - left - late), memory.known))
    left -= Math.min(left, Math.max(0, known - late))
  }
  const wanted = lists.flat().filter(({ list }) => !list)
  const loaded = yield* load(wanted.map(({ segment, piece }) => ({ segment: segment.name, piece })))
  const read = new Map(
    wanted.map((piece, place) => [piece, readListPiece(loaded[place]!, piece.count, piece.segment.from)]),
  )
  yield loaded.reduce((work, { length }) => work + length * 4, 0)
  return found.map(({ known }, place) => ({
    known,
    list: joined([...lists[place]!.toReversed().map((each) => each.list ?? read.get(each)!), newest[place]!]),
  }))
}

interface ListPiece {
  readonly segment: Segment
  readonly piece: number
  readonly count: number
  readonly list: readonly number[] | undefined
}

/** The parts of a stored list that have its newest `most` postings, newest first. */
function listPieces(older: readonly StoredStem[], most: number, newer: number): ListPiece[] {
  const pieces: ListPiece[] = []
  let taken = newer
  for (const { segment, count, list, piece: first } of older.toReversed()) {
    if (list) {
      pieces.push({ segment, piece: -1, count, list })
      taken += count
    } else
      for (let left = count, piece = first; left > 0 && taken < most; left -= listLength, piece++) {
        const length = Math.min(left, listLength)
        pieces.push({ segment, piece, count: length, list })
        taken += length
      }
    if (taken >= most) break
  }
  return pieces
}

function joined(lists: readonly (readonly number[])[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let next = 0
  for (const list of lists) {
    all.set(list, next)
    next += list.length
  }
  return all
}

/** The pages of sizes with the stored entries of some ranges. */
interface StoredStretches {
  readonly pages: readonly PieceId[]
  /**
   * Four numbers for each stretch of entries that follow each other on a page: the place of the page in `pages`, the place
   * of the first entry on it and of the first one after it, and the slot of the first.
   */
  readonly stretches: readonly number[]
}

function storedStretches(
  segments: readonly Segment[],
  base: number,
  { starts, ends, slots }: EntryRanges,
): StoredStretches {
  const pages: PieceId[] = []
  const stretches: number[] = []
  let [number, piece] = [0, -1]
  for (let range = 0; range < starts.length; range++) {
    const end = Math.min(base, ends[range]!)
    for (let entry = starts[range]!; entry < end && number < segments.length;) {
      const segment = segments[number]!
      if (entry >= segment.to) {
        number++
        piece = -1
        continue
      }
      const next = sizesPiece(segment, entry)
      if (next !== piece) pages.push({ segment: segment.name, piece: next })
      piece = next
      const from = (entry - segment.from) % entriesInSizes
      const to = Math.min(entriesInSizes, from + end - entry, from + segment.to - entry)
      stretches.push(pages.length - 1, from, to, slots[range]! + entry - starts[range]!)
      entry += to - from
    }
  }
  return { pages, stretches }
}

function copyStored(stretches: readonly number[], pages: readonly Uint8Array[], sizes: EntrySizes): void {
  for (let at = 0; at < stretches.length; at += 4)
    copySizes(pages[stretches[at]!]!, stretches[at + 1]!, stretches[at + 2]!, sizes, stretches[at + 3]!)
}

/** Pages of facts, as far as they were read. */
interface FactsPages {
  /** Reads the pages of these entries that were not read yet, all at once. Entries that no segment has are ignored. */
  load(entries: readonly number[], load: PieceSteps): Steps<void>
  /** The facts of an entry. Undefined if its page was not read. */
  at(entry: number): RecallFacts | undefined
}

function createPages(segments: readonly Segment[]): FactsPages {
  /** By the first entry of each page. */
  const known = new Map<number, readonly RecallFacts[]>()
  const segmentOf = (entry: number): Segment | undefined => segments.find(({ from, to }) => entry >= from && entry < to)
  const placeOf = (entry: number, { from }: Segment): number => (entry - from) % entriesInFacts
  return {
    load: function* (entries, load) {
      const missing = new Map<number, PieceId>()
      for (const entry of entries) {
        const segment = segmentOf(entry)
        if (!segment) continue
        const first = entry - placeOf(entry, segment)
        if (!known.has(first)) missing.set(first, { segment: segment.name, piece: factsPiece(segment, entry) })
      }
      if (missing.size === 0) return
      const loaded = yield* load([...missing.values()])
      for (const [place, first] of [...missing.keys()].entries()) known.set(first, readFacts(loaded[place]!))
      yield missing.size * entriesInFacts
    },
    at: (entry) => {
      const segment = segmentOf(entry)
      if (!segment) return undefined
      const place = placeOf(entry, segment)
      return known.get(entry - place)?.[place]
    },
  }
}
