import type { Steps } from '../log/time.ts'
import { lowerBound, postingsOf, stems, type StemIndex } from './stem-index.ts'
import { notLoadedError } from '../log/error.ts'

interface RecallCandidate {
  readonly entry: number
  readonly tokens: number
  /** How well the entry and its neighbours match, on the scale of `Ranking.weight`. */
  readonly score: number
  /** Score per token. The list is ordered by it. */
  readonly value: number
}

export interface Ranking {
  /** The summed weight of the query's known stems: the most that an entry could match. */
  readonly weight: number
  /** Best first. */
  readonly candidates: readonly RecallCandidate[]
  /** How many postings were read. Bounded, no matter how long the log is. */
  readonly read: number
}

export interface RankOptions {
  /** How many entries the query may see. */
  readonly count: number
  /** Only entries before this one are candidates. Later ones still add to the score of their neighbours. */
  readonly before: number
  /** About how many candidates to return. */
  readonly most: number
  /** How many postings may be read. */
  readonly reads: number
}

/**
 * Which earlier entries does this message ask about? Ranks entries by BM25 per token, best first; an entry also scores
 * for matches in its neighbours. Reads a bounded number of postings, rarest stems first.
 */
export function* rankEntries(source: IndexSource, query: string, options: RankOptions): Steps<Ranking> {
  const { count, before, most, reads } = options
  const found = yield* source.postings([...new Set(stems(query))], {
    count,
    end: before + reach,
    reads,
    stems: stemLimit,
  })
  let read = 0
  const parts = found.map(({ list, known }) => {
    const end = lowerBound(list, before + reach)
    const start = Math.max(0, end - (reads - read))
    read += end - start
    return { known, list: list.subarray(start, end) }
  })
  const near = rangesNear(
    parts.map(({ list }) => list),
    reach,
    count,
  )
  const sizes = yield* source.sizesOf(near)
  const scores = new Float64Array(near.count)
  const squares = new Float64Array(near.count)
  const average = source.stemsBefore(count) / count
  let weight = 0
  for (const { list, known } of parts) {
    const stemWeight = Math.log(1 + (count - known + 0.5) / (known + 0.5))
    weight += stemWeight
    addStem(scores, squares, near, sizes, { list, weight: stemWeight, average, before })
    yield list.length * 20
  }
  return { weight, candidates: best(scores, near, sizes, before, most), read }
}

const saturation = 1.2
const lengthShare = 0.75
/** Added to the cost of each entry, so that very short entries do not win by price alone. */
const fixedCost = 60
/** What an entry adds to the score of a neighbour at distance 0, 1, 2, 3, 4, as a share of its own match. */
const neighbourShares = [1, 0.4, 0.3, 0.2, 0.1]
const reach = neighbourShares.length - 1
/** How many stems of a question count: the rarest. */
export const stemLimit: number = 64

/** A stem that is ranked by: the entries that have it, and what it weighs. */
interface RankedStem {
  readonly list: Float64Array
  readonly weight: number
  /** The average number of stems of an entry. */
  readonly average: number
  /** Only entries before this one are candidates. */
  readonly before: number
}

/**
 * Adds what one stem adds to the score of each entry that has it or is near one that has it. Squares are summed, so that
 * repeats close by add little. `squares` is zero before and after.
 *
 * This and what follows are plain loops over arrays of numbers: they run for tens of thousands of entries in every turn.
 */
function addStem(
  scores: Float64Array,
  squares: Float64Array,
  { starts, ends, slots }: EntryRanges,
  { stems: lengths }: EntrySizes,
  { list, weight, average, before }: RankedStem,
): void {
  /** The slots whose squares are not added to the scores yet. */
  let [from, to] = [0, 0]
  let range = 0
  for (let place = 0; place < list.length; place++) {
    const packed = list[place]!
    const entry = Math.floor(packed / 16)
    const times = packed % 16
    while (entry >= ends[range]!) range++
    const slot = slots[range]! + entry - starts[range]!
    const norm = saturation * (1 - lengthShare + (lengthShare * lengths[slot]!) / average)
    const match = (times * (saturation + 1)) / (times + norm)
    const first = slot - Math.min(reach, entry)
    const end = slot + Math.min(reach + 1, before - entry)
    addSquares(scores, weight, squares, from, Math.min(first, to))
    from = Math.max(from, first)
    for (let near = first; near < end; near++) {
      const part = match * neighbourShares[Math.abs(near - slot)]!
      squares[near]! += part * part
    }
    to = Math.max(to, end)
  }
  addSquares(scores, weight, squares, from, to)
}

function addSquares(scores: Float64Array, weight: number, squares: Float64Array, from: number, to: number): void {
  for (let slot = from; slot < to; slot++) {
    scores[slot]! += weight * Math.sqrt(squares[slot]!)
    squares[slot] = 0
  }
}

/** About `most` of the best, in order. */
function best(
  scores: Float64Array,
  { starts, ends, slots }: EntryRanges,
  { tokens }: EntrySizes,
  before: number,
  most: number,
): RecallCandidate[] {
  // Of the last range, the entries from `before` on do not count.
  const last = starts.length - 1
  const count = last < 0 ? 0 : slots[last]! + Math.min(ends[last]!, before) - starts[last]!
  const values = new Float64Array(Math.max(0, count))
  for (let slot = 0; slot < values.length; slot++) values[slot] = scores[slot]! / (tokens[slot]! + fixedCost)
  const least = leastOfBest(values, most)
  const candidates: RecallCandidate[] = []
  let range = 0
  for (let slot = 0; slot < values.length; slot++) {
    const value = values[slot]!
    if (value < least) continue
    while (range < last && slot >= slots[range + 1]!) range++
    candidates.push({
      entry: starts[range]! + slot - slots[range]!,
      tokens: tokens[slot]!,
      score: scores[slot]!,
      value,
    })
  }
  return candidates.sort((left, right) => right.value - left.value || left.entry - right.entry)
}

/**
 * Returns a value that at least `most` of the values reach, and not many more. It counts them in bins, because sorting
 * all of them would cost more.
 */
function leastOfBest(values: Float64Array, most: number): number {
  if (values.length <= most) return 0
  let highest = 0
  for (let place = 0; place < values.length; place++) if (values[place]! > highest) highest = values[place]!
  const bins = new Uint32Array(1025)
  for (let place = 0; place < values.length; place++) bins[Math.floor((values[place]! / highest) * 1024)]! += 1
  let bin = 1024
  for (let counted = bins[bin] ?? 0; counted < most && bin > 0; counted += bins[bin] ?? 0) bin--
  return (bin / 1024) * highest
}

/**
 * Which entries does a query look at? Those that have its stems, and those near them. They are given slots, one after
 * the other in the order of the log, so that what is computed of them fits into plain arrays, however long the log is.
 */
export interface EntryRanges {
  /** The number of slots. */
  readonly count: number
  /** Of each range of entries that follow each other: the first, the first one after it, and the slot of the first. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly slots: Int32Array
}

/** The ranges of the entries in lists of postings, and those at most `reach` before or after, up to `end`. */
function rangesNear(lists: readonly Float64Array[], reach: number, end: number): EntryRanges {
  const entries = sortedEntries(lists)
  const starts = new Int32Array(entries.length)
  const ends = new Int32Array(entries.length)
  const slots = new Int32Array(entries.length)
  let [ranges, count] = [0, 0]
  for (let place = 0; place < entries.length; place++) {
    const entry = entries[place]!
    const to = Math.min(entry + reach + 1, end)
    const from = Math.max(0, entry - reach)
    const last = ranges > 0 ? ends[ranges - 1]! : 0
    if (ranges > 0 && from <= last) {
      count += to - last
      ends[ranges - 1] = to
    } else {
      starts[ranges] = from
      ends[ranges] = to
      slots[ranges] = count
      count += to - from
      ranges++
    }
  }
  return {
    count,
    starts: starts.subarray(0, ranges),
    ends: ends.subarray(0, ranges),
    slots: slots.subarray(0, ranges),
  }
}

function sortedEntries(lists: readonly Float64Array[]): Int32Array {
  let count = 0
  for (const list of lists) count += list.length
  const entries = new Int32Array(count)
  let next = 0
  for (const list of lists)
    for (let place = 0; place < list.length; place++) entries[next++] = Math.floor(list[place]! / 16)
  return lists.length > 1 ? entries.sort() : entries
}

/**
 * Where does a query find what it needs of an index? In memory, or of older entries in what is stored of them. Throws
 * `not_loaded` if that is gone.
 */
export interface IndexSource {
  /** The entries that have the stems, the rarest stems first. */
  postings(stems: readonly string[], needed: NeededPostings): Steps<Postings[]>
  /** The sizes of the entries in these ranges. */
  sizesOf(ranges: EntryRanges): Steps<EntrySizes>
  /** The number of stems in the first `count` entries. */
  stemsBefore(count: number): number
  /** What is stored about an entry. Undefined if the entry is in memory. */
  factsOf(entry: number): Steps<RecallFacts | undefined>
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
  /** Their newest ones, as many as are needed, in order, packed as in `StemIndex`. */
  readonly list: Float64Array
}

/** The sizes of many entries, each at a slot. */
export interface EntrySizes {
  readonly stems: Float64Array
  readonly tokens: Float64Array
}

/** What is needed to recall an entry, and to say why, without its text. */
export interface RecallFacts {
  /** What it costs if it is recalled. */
  readonly cost: number
  /** Its seq in the log, and its number in prompts. */
  readonly seq: number
  readonly place: number
  /** The number of its exchange. -1 before the first. */
  readonly exchange: number
  /** How many notes are before it. */
  readonly notes: number
  /** Whether it is part of a conversation, and neither a note nor a system entry. */
  readonly isSpoken: boolean
  /** Whether it may be recalled. */
  readonly isRecallable: boolean
  /** Whether it is a call or a result, which is recalled with its whole step. */
  readonly isCall: boolean
  readonly startsStep: boolean
}

/** For an index that is in memory. One of which the beginning is only stored throws `not_loaded`. */
export function memorySource(index: StemIndex): IndexSource {
  return {
    postings: function* (stems, { count, end, reads, stems: most }) {
      if (index.base > 0) throw notLoadedError()
      const found = stems
        .flatMap((stem) => postingsOf(index, stem, count) ?? [])
        .sort((one, other) => one.known - other.known)
        .slice(0, most)
      yield found.length
      /** How many of the entries that have a stem may come too late to be read. */
      const late = Math.max(0, count - end)
      let left = reads
      return found.map(({ list, known }) => {
        const newest = list.slice(Math.max(0, known - left - late), known)
        left -= Math.min(left, Math.max(0, known - late))
        return { known, list: Float64Array.from(newest) }
      })
    },
    sizesOf: function* (ranges) {
      yield ranges.count
      const sizes = { stems: new Float64Array(ranges.count), tokens: new Float64Array(ranges.count) }
      copyMemory(index, ranges, sizes)
      return sizes
    },
    stemsBefore: (count) => index.totals[count - index.base] ?? 0,
    // oxlint-disable-next-line require-yield
    loadFacts: function* () {},
    // oxlint-disable-next-line require-yield
    factsOf: function* () {
      return undefined
    },
  }
}

/** Copies the sizes of the entries that are in memory. */
export function copyMemory(
  { base, totals, tokens }: StemIndex,
  { starts, ends, slots }: EntryRanges,
  sizes: EntrySizes,
): void {
  for (let range = starts.length - 1; range >= 0 && ends[range]! > base; range--) {
    const start = starts[range]!
    for (let entry = Math.max(base, start), end = ends[range]!; entry < end; entry++) {
      const slot = slots[range]! + entry - start
      sizes.stems[slot] = totals[entry - base + 1]! - totals[entry - base]!
      sizes.tokens[slot] = tokens[entry - base]!
    }
  }
}
