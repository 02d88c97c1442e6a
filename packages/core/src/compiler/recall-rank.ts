import { lowerBound, postingsOf, stems, type Postings, type StemIndex } from './recall-index.ts'

export interface Ranked {
  readonly entry: number
  readonly tokens: number
  /** How well the entry and its neighbours match, on the scale of `Ranking.weight`. */
  readonly score: number
  /** Score per token: what the list is ordered by. */
  readonly value: number
}

export interface Ranking {
  /** The summed weight of the query's known stems: how much there was to match. */
  readonly weight: number
  /** The best, best first. */
  readonly candidates: readonly Ranked[]
  /** How many postings were read: bounded, however long the log. */
  readonly read: number
}

export interface RankOptions {
  /** How many entries exist for this query. */
  readonly count: number
  /** Only entries before this one are candidates; later ones still lend weight to their neighbours. */
  readonly before: number
  /** How many candidates are wanted, about. */
  readonly most: number
  /** How many postings may be read. */
  readonly reads: number
}

/**
 * The entries that answer a query, best value first: BM25 with neighbours, per token. Reads a bounded number of
 * postings, rarest stems first.
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
/** What a recalled entry costs besides its tokens: keeps very short entries from winning on price alone. */
const fixedCost = 60
/** An entry at distance 0, 1, 2, 3, 4 lends this share of its match. */
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

/** For one stem: the squared matches around each entry that has it, so that repeats next door add little. */
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
function best(index: StemIndex, scores: SparseSums, most: number): Ranked[] {
  const candidates = scores.entries.map((entry): Ranked => {
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
 * A value that at least `most` of the best reach, and not many more: found by counting, for sorting all would cost more
 * than finding them.
 */
function leastOfBest(candidates: readonly Ranked[], most: number): number {
  if (candidates.length <= most) return 0
  const highest = candidates.reduce((high, { value }) => Math.max(high, value), 0)
  const bins = new Uint32Array(1025)
  for (const { value } of candidates) bins[Math.floor((value / highest) * 1024)]! += 1
  let bin = 1024
  for (let counted = bins[bin] ?? 0; counted < most && bin > 0; counted += bins[bin] ?? 0) bin--
  return (bin / 1024) * highest
}

/**
 * Sums by entry, for few entries out of many: memory and time follow the entries touched, not the length of the log.
 */
class SparseSums {
  /** The entries that have a sum, in the order in which they got it. */
  readonly entries: number[] = []
  readonly #mask: number
  /** Open addressing: each slot holds an entry + 1, or 0. */
  readonly #slots: Int32Array
  readonly #sums: Float64Array

  /** `most` is how many entries may be touched. */
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
  /** Kept free from the first compaction on. */
  readonly reserve: number
  /** The largest block; it may take more than the reserve while there is room. */
  readonly largest: number
  /** The part of `largest` for a message that asks nothing. */
  readonly statement: number
  /** An entry below this part of the best entry's value is not worth recalling. */
  readonly ofBest: number
  /** An entry must match this part of the query's weight. */
  readonly ofWeight: number
  /** A query whose known stems weigh less than this ("thanks!") recalls nothing. */
  readonly leastWeight: number
  /**
   * How many postings a query reads at the most, however long the log: those of the rarest stems first, and the newest
   * of a stem.
   */
  readonly reads: number
}

/** What is recalled together: an entry, or calls with all their results. */
export interface Unit {
  readonly from: number
  /** In the order of the log, the first at `from`. */
  readonly entries: readonly number[]
  readonly tokens: number
}

/**
 * Chooses what to recall: the best value first, skipping what no longer fits, until the rest is not worth it. In the
 * order of the log.
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

/** A question mark in any of the scripts that use one. A miss only makes the block smaller. */
export function asks(text: string): boolean {
  return ['?', '？', '؟', '\u037e'].some((mark) => text.includes(mark))
}
