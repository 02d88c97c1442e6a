import { lowerBound, postingsOf, stems, type Postings, type StemIndex } from './recall-index.ts'

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
export function rank(index: StemIndex, query: string, { count, before, most, reads }: RankOptions): Ranking {
  const scores = new SparseSums(Math.min(before, reads * neighbours))
  let weight = 0
  let read = 0
  for (const { list, known } of queryPostings(index, query, count)) {
    const stemWeight = Math.log(1 + (count - known + 0.5) / (known + 0.5))
    weight += stemWeight
    const end = Math.min(known, lowerBound(list, before + reach))
    const start = Math.max(0, end - (reads - read))
    read += end - start
    const squares = squaresNear(index, list.slice(start, end), count, before)
    for (const entry of squares.entries) scores.add(entry, stemWeight * Math.sqrt(squares.of(entry)))
  }
  return { weight, candidates: best(index, scores, most), read }
}

const saturation = 1.2
const lengthShare = 0.75
/** Added to the cost of each entry, so that very short entries do not win by price alone. */
const fixedCost = 60
/** What an entry adds to the score of a neighbour at distance 0, 1, 2, 3, 4, as a share of its own match. */
const neighbourShares = [1, 0.4, 0.3, 0.2, 0.1]
const reach = neighbourShares.length - 1
const neighbours = 2 * reach + 1
const stemLimit = 64

function queryPostings(index: StemIndex, query: string, count: number): Postings[] {
  const found = [...new Set(stems(query))]
    .map((stem) => postingsOf(index, stem, count))
    .filter((postings) => postings !== undefined)
  return found.sort((left, right) => left.known - right.known).slice(0, stemLimit)
}

/**
 * For one stem, sums the squared matches around each entry that has it. Squares, so that repeats close by add little.
 */
function squaresNear(index: StemIndex, list: readonly number[], count: number, before: number): SparseSums {
  const average = (index.totals[count] ?? 0) / count
  const squares = new SparseSums(Math.min(before, list.length * neighbours))
  for (const packed of list) {
    const entry = Math.floor(packed / 16)
    const length = (index.totals[entry + 1] ?? 0) - (index.totals[entry] ?? 0)
    const times = packed % 16
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / average)
    const match = (times * (saturation + 1)) / (times + norm)
    const end = Math.min(entry + reach + 1, before)
    for (let near = Math.max(0, entry - reach); near < end; near++) {
      const part = match * (neighbourShares[Math.abs(near - entry)] ?? 0)
      squares.add(near, part * part)
    }
  }
  return squares
}

/** About `most` of the best, in order. */
function best(index: StemIndex, scores: SparseSums, most: number): RecallCandidate[] {
  const candidates = scores.entries.map((entry): RecallCandidate => {
    const tokens = index.tokens[entry] ?? 0
    const score = scores.of(entry)
    return { entry, tokens, score, value: score / (tokens + fixedCost) }
  })
  const least = leastOfBest(candidates, most)
  return candidates
    .filter(({ value }) => value >= least)
    .sort((left, right) => right.value - left.value || left.entry - right.entry)
}

/**
 * Returns a value that at least `most` of the candidates reach, and not many more. It counts them in bins, because
 * sorting all of them would cost more.
 */
function leastOfBest(candidates: readonly RecallCandidate[], most: number): number {
  if (candidates.length <= most) return 0
  const highest = candidates.reduce((high, { value }) => Math.max(high, value), 0)
  const bins = new Uint32Array(1025)
  for (const { value } of candidates) bins[Math.floor((value / highest) * 1024)]! += 1
  let bin = 1024
  for (let counted = bins[bin] ?? 0; counted < most && bin > 0; counted += bins[bin] ?? 0) bin--
  return (bin / 1024) * highest
}

/** Sums by entry. Memory and time depend on the entries that are touched, not on the length of the log. */
class SparseSums {
  /** The entries that have a sum, in the order of their first `add`. */
  readonly entries: number[] = []
  readonly #mask: number
  /** Open addressing: each slot holds an entry + 1, or 0 if it is free. */
  readonly #slots: Int32Array
  readonly #sums: Float64Array

  /** `most`: how many entries may be touched. */
  constructor(most: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * most + 2))
    this.#mask = size - 1
    this.#slots = new Int32Array(size)
    this.#sums = new Float64Array(size)
  }

  add(entry: number, amount: number): void {
    const slot = this.#slotOf(entry)
    if (this.#slots[slot] === 0) {
      this.#slots[slot] = entry + 1
      this.entries.push(entry)
    }
    this.#sums[slot]! += amount
  }

  of(entry: number): number {
    return this.#sums[this.#slotOf(entry)] ?? 0
  }

  #slotOf(entry: number): number {
    let slot = Math.imul(entry, 0x9e3779b1) & this.#mask
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== entry + 1) slot = (slot + 1) & this.#mask
    return slot
  }
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
  readonly tokens: number
}

/**
 * Chooses what to recall: the best value first. Skips what no longer fits, and stops at the first that is not worth it.
 * Returns units in the order of the log.
 */
export function selectUnits(
  ranking: Ranking,
  setting: RecallSetting,
  room: number,
  unitOf: (entry: number) => Unit | undefined,
): Unit[] {
  const best = ranking.candidates[0]
  if (!best || ranking.weight < setting.leastWeight) return []
  const chosen = new Map<number, Unit>()
  let left = room
  for (const { entry, tokens, score, value } of ranking.candidates) {
    if (value < best.value * setting.ofBest || left <= 0) break
    if (tokens > left || score < ranking.weight * setting.ofWeight) continue
    const unit = unitOf(entry)
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
