import { notLoadedError } from '../log/branch.ts'
import type { PieceId } from '../log/segments.ts'
import { reading, type Steps } from '../log/time.ts'
import { postingsOf, type StemIndex } from './recall-index.ts'
import { entriesInFacts, entriesInSizes, readFacts, stemsIn, tokensIn, type EntryFacts } from './recall-pages.ts'
import {
  blockOf,
  factsPiece,
  listLength,
  readBlock,
  readListPiece,
  sizesPiece,
  type BlockEntry,
  type Segment,
} from './recall-segment.ts'

/** Reads pieces of stored segments, in the order that they are asked for. A piece that is gone is undefined. */
export type PieceReader = (wanted: readonly PieceId[]) => Promise<readonly (Uint8Array | undefined)[]>

/**
 * Where does a query find what it needs of an index? The newest entries are in memory, all others in stored segments.
 * Reads only the pieces that the query needs, in a few steps. Throws `not_loaded` if a piece is gone.
 */
export interface IndexSource {
  /** The entries that have the stems, the rarest stems first. */
  postings(stems: readonly string[], needed: NeededPostings): Steps<Postings[]>
  /** Makes the sizes known of the entries in these lists of postings, and of those at most `reach` before or after. */
  loadSizes(lists: readonly (readonly number[])[], reach: number): Steps<void>
  stemsOf(entry: number): number
  tokensOf(entry: number): number
  /** The number of stems in the first `count` entries. */
  stemsBefore(count: number): number
  /** What is stored about an entry. Undefined if the entry is in memory. */
  factsOf(entry: number): Steps<EntryFacts | undefined>
  /** Makes the facts of entries known in one reading. */
  loadFacts(entries: readonly number[]): Steps<void>
}

/** How much of the lists is needed. */
export interface NeededPostings {
  /** Only the first entries are searched. */
  readonly count: number
  /** Of each list, only entries before this one are read. */
  readonly end: number
  /** The most postings to read, of all stems together. The newest of each stem. */
  readonly reads: number
  /** The most stems. */
  readonly stems: number
}

/** The entries that have a stem. */
export interface Postings {
  /** In how many of the searched entries the stem is. */
  readonly known: number
  /** Their newest ones, as many as are needed, in order. */
  readonly list: readonly number[]
}

export function sourceOf(index: StemIndex, read: PieceReader | undefined): IndexSource {
  const segments = index.segments.filter(({ to }) => to <= index.base)
  const sizes = createPages(segments, sizesPiece, entriesInSizes, (bytes) => bytes)
  const facts = createPages(segments, factsPiece, entriesInFacts, readFacts)
  const load = function* (wanted: readonly PieceId[]): Steps<readonly Uint8Array[]> {
    if (wanted.length === 0) return []
    if (!read) throw notLoadedError()
    const found = yield* reading(() => read(wanted))
    return found.map((bytes) => {
      if (!bytes) throw notLoadedError()
      return bytes
    })
  }
  const source: IndexSource = {
    postings: function* (stems, needed) {
      // What is stored is of all entries before the base.
      if (needed.count < index.base) throw notLoadedError()
      const stored = yield* storedStems(segments, stems, load)
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
    loadSizes: (lists, reach) => sizes.load(sizes.missingNear(lists, reach), load),
    stemsOf: (entry) =>
      entry >= index.base
        ? index.totals[entry - index.base + 1]! - index.totals[entry - index.base]!
        : stemsIn(sizes.at(entry), sizes.placeOf(entry)),
    tokensOf: (entry) =>
      entry >= index.base ? index.tokens[entry - index.base]! : tokensIn(sizes.at(entry), sizes.placeOf(entry)),
    stemsBefore: (count) => index.totals[count - index.base] ?? 0,
    loadFacts: (entries) => facts.load(facts.missing(entries), load),
    factsOf: function* (entry) {
      if (entry >= index.base) return undefined
      yield* facts.load(facts.missing([entry]), load)
      return facts.at(entry)[facts.placeOf(entry)]!
    },
  }
  return source
}

type Load = (wanted: readonly PieceId[]) => Steps<readonly Uint8Array[]>

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
function* storedStems(segments: readonly Segment[], stems: readonly string[], load: Load): Steps<StoredStem[][]> {
  const places = new Map<string, { readonly segment: Segment; readonly piece: number }>()
  for (const segment of segments)
    for (const stem of stems) {
      const piece = blockOf(stem, segment.blocks)
      places.set(`${segment.from} ${piece}`, { segment, piece })
    }
  const wanted = [...places.values()]
  const blocks = yield* load(wanted.map(({ segment, piece }) => ({ segment: segment.name, piece })))
  const found = new Map(stems.map((stem) => [stem, [] as StoredStem[]]))
  for (const [place, { segment }] of wanted.entries()) {
    for (const [stem, entry] of readBlock(blocks[place]!, segment.from)) found.get(stem)?.push({ ...entry, segment })
    yield blocks[place]!.length * 4
  }
  return stems.map((stem) => found.get(stem)!.sort((one, other) => one.segment.from - other.segment.from))
}

/** The newest postings of each stem, as many as are needed of it after the rarer stems have been read. */
function* listsOf(found: readonly StemPlaces[], { count, end, reads }: NeededPostings, load: Load): Steps<Postings[]> {
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
    list: [...lists[place]!.toReversed().flatMap((each) => each.list ?? read.get(each)!), ...newest[place]!],
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

/** Pages of values of entries, as far as they were read. */
interface Pages<T> {
  /** Which pages of these entries were not read yet? Entries that no segment has are ignored. */
  missing(entries: readonly number[]): MissingPage[]
  /** The same for the entries in lists of postings, and those near them. */
  missingNear(lists: readonly (readonly number[])[], reach: number): MissingPage[]
  load(missing: readonly MissingPage[], load: Load): Steps<void>
  /** The page of an entry. Throws `not_loaded` if it was not read. */
  at(entry: number): T
  /** The place of an entry on its page. */
  placeOf(entry: number): number
}

/** A page, by the place of its segment and the number of its piece. */
interface MissingPage {
  readonly segment: number
  readonly piece: number
}

function createPages<T extends object>(
  segments: readonly Segment[],
  pieceOf: (segment: Segment, entry: number) => number,
  length: number,
  read: (bytes: Uint8Array) => T,
): Pages<T> {
  const known: Map<number, T | null>[] = segments.map(() => new Map())
  const end = segments.at(-1)?.to ?? 0
  /** The segment of the entry that was looked up last. Entries are mostly asked for in order. */
  let last = 0
  const segmentOf = (entry: number): Segment => {
    for (; entry >= segments[last]!.to; last++);
    for (; entry < segments[last]!.from; last--);
    return segments[last]!
  }
  /** The first entry after the page of an entry. */
  const pageEnd = (entry: number): number => {
    const { from, to } = segmentOf(entry)
    return Math.min(to, entry - ((entry - from) % length) + length)
  }
  /** Adds the page of an entry, if it is not known and not asked for. */
  const ask = (missing: MissingPage[], entry: number): void => {
    if (entry < 0 || entry >= end) return
    const piece = pieceOf(segmentOf(entry), entry)
    if (known[last]!.has(piece)) return
    known[last]!.set(piece, null)
    missing.push({ segment: last, piece })
  }
  return {
    missing: (entries) => {
      const missing: MissingPage[] = []
      for (const entry of entries) ask(missing, entry)
      return missing
    },
    missingNear: (lists, reach) => {
      const missing: MissingPage[] = []
      if (end === 0) return missing
      for (const list of lists)
        for (const packed of list) {
          const entry = Math.floor(packed / 16)
          const last = Math.min(end - 1, entry + reach)
          for (let near = Math.max(0, entry - reach); near <= last; near = pageEnd(near)) ask(missing, near)
        }
      return missing
    },
    load: function* (missing, load) {
      const loaded = yield* load(missing.map(({ segment, piece }) => ({ segment: segments[segment]!.name, piece })))
      for (const [place, { segment, piece }] of missing.entries()) known[segment]!.set(piece, read(loaded[place]!))
      yield missing.length * length
    },
    at: (entry) => {
      const piece = pieceOf(segmentOf(entry), entry)
      const page = known[last]!.get(piece)
      if (!page) throw notLoadedError()
      return page
    },
    placeOf: (entry) => (entry - segmentOf(entry).from) % length,
  }
}
