import { terms } from './terms.ts'

/**
 * An append-only index of the entries of one conversation. Every query names the `count` of entries it sees
 * and gets the answer an index of only those entries would give, so older views share one index.
 */
export interface TermIndex {
  /** A term's entries in order, each packed as `entry * 16 + min(occurrences, 15)`. */
  readonly postings: Map<string, number[]>
  readonly tokens: number[]
  /** `totals[i]` is the number of terms in the entries before `i`. */
  readonly totals: number[]
}

export interface Ranked {
  readonly entry: number
  readonly tokens: number
  /** How well the entry and its neighbours match, on the scale of `Ranking.weight`. */
  readonly score: number
  /** Score per token: what the list is ordered by. */
  readonly value: number
}

export interface Ranking {
  /** The summed weight of the query's known terms: how much there was to match. */
  readonly weight: number
  readonly candidates: readonly Ranked[]
}

export interface RankOptions {
  /** How many entries exist for this query. */
  readonly count: number
  /** Only entries before this one are candidates; later ones still lend weight to their neighbours. */
  readonly before: number
}

export interface TermIndexData {
  readonly version: 1
  readonly tokens: readonly number[]
  readonly totals: readonly number[]
  readonly terms: readonly (readonly [term: string, postings: readonly number[]])[]
}

export function createIndex(): TermIndex {
  return { postings: new Map(), tokens: [], totals: [0] }
}

export function appendTerms(index: TermIndex, text: string, tokens: number): void {
  const entry = index.tokens.length
  const found = terms(text)
  const occurrences = new Map<string, number>()
  for (const term of found) occurrences.set(term, (occurrences.get(term) ?? 0) + 1)
  for (const [term, times] of occurrences) {
    const packed = entry * 16 + Math.min(times, 15)
    const list = index.postings.get(term)
    if (list) list.push(packed)
    else index.postings.set(term, [packed])
  }
  index.tokens.push(tokens)
  index.totals.push((index.totals[entry] ?? 0) + found.length)
}

/** The entries that answer `query`, best value first. Reads a bounded number of postings, rarest terms first. */
export function rank(index: TermIndex, query: string, { count, before }: RankOptions): Ranking {
  const scores = new Map<number, number>()
  let weight = 0
  let unread = readLimit
  for (const { list, known } of queryTerms(index, query, count)) {
    const termWeight = Math.log(1 + (count - known + 0.5) / (known + 0.5))
    weight += termWeight
    const end = Math.min(known, lowerBound(list, before + reach))
    const start = Math.max(0, end - Math.min(listLimit, unread))
    unread -= end - start
    for (const [entry, square] of squaresNear(index, list, start, end, { count, before })) {
      scores.set(entry, (scores.get(entry) ?? 0) + termWeight * Math.sqrt(square))
    }
  }
  const candidates: Ranked[] = []
  for (const [entry, score] of scores) {
    const tokens = index.tokens[entry] ?? 0
    candidates.push({ entry, tokens, score, value: score / (tokens + fixedCost) })
  }
  candidates.sort((left, right) => right.value - left.value || left.entry - right.entry)
  return { weight, candidates }
}

export function saveIndex(index: TermIndex): TermIndexData {
  const pairs = [...index.postings].map(([term, list]) => [term, [...list]] as const)
  return { version: 1, tokens: [...index.tokens], totals: [...index.totals], terms: pairs }
}

export function loadIndex(data: TermIndexData): TermIndex {
  const postings = new Map<string, number[]>()
  for (const [term, list] of data.terms) postings.set(term, [...list])
  return { postings, tokens: [...data.tokens], totals: [...data.totals] }
}

const saturation = 1.2
const lengthShare = 0.75
/** What a recalled entry costs besides its tokens: keeps very short entries from winning on price alone. */
const fixedCost = 60
/** An entry at distance 1, 2, 3, 4 lends this share of its match to a neighbour. */
const neighbourShares = [1, 0.4, 0.3, 0.2, 0.1]
const reach = neighbourShares.length - 1
const termLimit = 64
const listLimit = 2_048
const readLimit = 8_192

interface QueryTerm {
  readonly list: readonly number[]
  /** How many of the `count` entries hold the term. */
  readonly known: number
}

function queryTerms(index: TermIndex, query: string, count: number): QueryTerm[] {
  const found: QueryTerm[] = []
  for (const term of new Set(terms(query))) {
    const list = index.postings.get(term)
    const known = list ? lowerBound(list, count) : 0
    if (list && known > 0) found.push({ list, known })
  }
  return found.sort((left, right) => left.known - right.known).slice(0, termLimit)
}

/** For one term: the squared matches around each candidate, so that repeats next door add little. */
function squaresNear(
  index: TermIndex, list: readonly number[], start: number, end: number, { count, before }: RankOptions,
): Map<number, number> {
  const average = (index.totals[count] ?? 0) / count
  const squares = new Map<number, number>()
  for (const packed of list.slice(start, end)) {
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

/** The number of postings of entries before `entry`. */
function lowerBound(list: readonly number[], entry: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < entry * 16) low = middle + 1
    else high = middle
  }
  return low
}
