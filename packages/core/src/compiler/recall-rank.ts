import { atOnce, type Steps } from '../log/time.ts'
import { lowerBound, type StemIndex } from './recall-index.ts'
import { rangesNear, type EntryRanges } from './recall-ranges.ts'
import { memorySource, type EntrySizes, type IndexSource } from './recall-source.ts'
import { stems } from './stems.ts'

export interface RecallCandidate {
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
export function* ranking(source: IndexSource, query: string, options: RankOptions): Steps<Ranking> {
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

/** The same for an index that is in memory, at once. */
export function rank(index: StemIndex, query: string, options: RankOptions): Ranking {
  return atOnce(ranking(memorySource(index), query, options))
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

/** How much is recalled. Shares are of the room that the head leaves. */
export interface RecallSetting {
  /** Kept free for recall from the first compaction on. */
  readonly reserve: number
  /** The largest recall. It may take more than the reserve if there is room. */
  readonly largest: number
  /** If the message asks no question, only this share of `largest` is used. */
  readonly statement: number
  /** Entries below this share of the best entry's value are not recalled. */
  readonly ofBest: number
  /** An entry must match at least this share of the query's weight. */
  readonly ofWeight: number
  /** A query whose known stems weigh less than this ("thanks!") recalls nothing. */
  readonly leastWeight: number
  /**
   * How many postings a query reads at most, no matter how long the log is. It reads the rarest stems first, and of
   * each stem the newest postings.
   */
  readonly reads: number
}

/** What is recalled together: one entry, or calls with all their results. */
export interface Unit {
  readonly from: number
  /** In the order of the log. The first is at `from`. */
  readonly entries: readonly number[]
  /** What each of them costs, and all together. */
  readonly costs: readonly number[]
  readonly tokens: number
}

/**
 * Chooses what to recall: the best value first. Skips what no longer fits, and stops at the first that is not worth it.
 * Returns units in the order of the log.
 */
export function* selecting(
  { candidates, weight }: Ranking,
  setting: RecallSetting,
  room: number,
  unitOf: (entry: number) => Steps<Unit | undefined>,
): Steps<Unit[]> {
  const best = candidates[0]
  if (!best || weight < setting.leastWeight) return []
  const chosen = new Map<number, Unit>()
  let left = room
  for (const { entry, tokens, score, value } of candidates) {
    if (value < best.value * setting.ofBest || left <= 0) break
    if (tokens > left || score < weight * setting.ofWeight) continue
    const unit = yield* unitOf(entry)
    if (!unit || chosen.has(unit.from) || unit.tokens > left) continue
    chosen.set(unit.from, unit)
    left -= unit.tokens
  }
  return [...chosen.values()].sort((one, other) => one.from - other.from)
}

/** True if the text has a question mark of any script. If it misses a question, less is recalled. */
export function asks(text: string): boolean {
  return ['?', '？', '؟', '\u037e'].some((mark) => text.includes(mark))
}
