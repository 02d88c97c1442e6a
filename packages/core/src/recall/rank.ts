import { lowerBound, postingsOf, type Postings, type TermIndex } from './term-index.ts'
import { terms } from './terms.ts'

export interface Ranked {
  readonly entry: number
  /** How well the entry and its neighbours match, on the scale of `Ranking.weight`. */
  readonly score: number
  /** Score per token: what the list is ordered by. */
  readonly value: number
}

export interface Ranking {
  /** The summed weight of the query's known terms: how much there was to match. */
  readonly weight: number
  readonly candidates: readonly Ranked[]
  /** How many postings were read: at most `readLimit`, however long the log. */
  readonly read: number
}

export interface RankOptions {
  /** How many entries exist for this query. */
  readonly count: number
  /** Only entries before this one are candidates; later ones still lend weight to their neighbours. */
  readonly before: number
}

/** The entries that answer a query, best value first: BM25 with neighbours, per token. Reads a bounded number of postings, rarest terms first. */
export function rank(index: TermIndex, query: string, { count, before }: RankOptions): Ranking {
  const scores = new Map<number, number>()
  let weight = 0
  let read = 0
  for (const { list, known } of queryPostings(index, query, count)) {
    const termWeight = Math.log(1 + (count - known + 0.5) / (known + 0.5))
    weight += termWeight
    const end = Math.min(known, lowerBound(list, before + reach))
    const start = Math.max(0, end - Math.min(listLimit, readLimit - read))
    read += end - start
    for (const [entry, square] of squaresNear(index, list.slice(start, end), count, before)) {
      scores.set(entry, (scores.get(entry) ?? 0) + termWeight * Math.sqrt(square))
    }
  }
  const candidates: Ranked[] = []
  for (const [entry, score] of scores) candidates.push({ entry, score, value: score / ((index.tokens[entry] ?? 0) + fixedCost) })
  candidates.sort((left, right) => right.value - left.value || left.entry - right.entry)
  return { weight, candidates, read }
}

const saturation = 1.2
const lengthShare = 0.75
/** What a recalled entry costs besides its tokens: keeps very short entries from winning on price alone. */
const fixedCost = 60
/** An entry at distance 0, 1, 2, 3, 4 lends this share of its match. */
const neighbourShares = [1, 0.4, 0.3, 0.2, 0.1]
const reach = neighbourShares.length - 1
const termLimit = 64
const listLimit = 2_048
const readLimit = 8_192

function queryPostings(index: TermIndex, query: string, count: number): Postings[] {
  const found = [...new Set(terms(query))].map((term) => postingsOf(index, term, count)).filter((postings) => postings !== undefined)
  return found.sort((left, right) => left.known - right.known).slice(0, termLimit)
}

/** For one term: the squared matches around each candidate, so that repeats next door add little. */
function squaresNear(index: TermIndex, list: readonly number[], count: number, before: number): Map<number, number> {
  const average = (index.totals[count] ?? 0) / count
  const squares = new Map<number, number>()
  for (const packed of list) {
    const entry = Math.floor(packed / 16)
    const length = (index.totals[entry + 1] ?? 0) - (index.totals[entry] ?? 0)
    const times = packed % 16
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / average)
    const match = (times * (saturation + 1)) / (times + norm)
    const last = Math.min(entry + reach, before - 1)
    for (let near = Math.max(0, entry - reach); near <= last; near++) {
      const part = match * (neighbourShares[Math.abs(near - entry)] ?? 0)
      squares.set(near, (squares.get(near) ?? 0) + part * part)
    }
  }
  return squares
}
