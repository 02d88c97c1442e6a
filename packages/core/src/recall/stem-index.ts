import { stems } from './stems.ts'

/**
 * Which entry says which words. Append-only; every reader names the `count` of entries it sees and reads what an
 * index of only those entries would say, so that older views share one index.
 */
export interface StemIndex {
  /** A stem's entries in order, each packed as `entry * 16 + min(occurrences, 15)`. Stems stand in the order of their first use. */
  readonly postings: Map<string, number[]>
  readonly tokens: number[]
  /** `totals[i]` is the number of stems in the entries before `i`. */
  readonly totals: number[]
  /** After a fork: the entries it had then, and the stems whose lists are its own since. Other lists belong to both sides. */
  readonly fork: { readonly entries: number; readonly own: Set<string> } | null
}

/** A stem's entries among the first `count`: the first `known` of `list`. */
export interface Postings {
  readonly list: readonly number[]
  readonly known: number
}

export interface StemIndexData {
  readonly version: 1
  readonly tokens: readonly number[]
  readonly totals: readonly number[]
  readonly stems: readonly (readonly [stem: string, postings: readonly number[]])[]
}

export function createIndex(): StemIndex {
  return { postings: new Map(), tokens: [], totals: [0], fork: null }
}

/** Adds the next entry. */
export function appendStems(index: StemIndex, text: string, tokens: number): void {
  const entry = index.tokens.length
  const found = stems(text)
  const occurrences = new Map<string, number>()
  for (const stem of found) occurrences.set(stem, (occurrences.get(stem) ?? 0) + 1)
  for (const [stem, times] of occurrences) ownList(index, stem).push(entry * 16 + Math.min(times, 15))
  index.tokens.push(tokens)
  index.totals.push((index.totals[entry] ?? 0) + found.length)
}

/** Where a stem stands among the first `count` entries. */
export function postingsOf(index: StemIndex, stem: string, count: number): Postings | undefined {
  const list = index.postings.get(stem)
  if (!list) return undefined
  const shared = index.fork && !index.fork.own.has(stem)
  const known = lowerBound(list, shared ? Math.min(count, index.fork.entries) : count)
  return known > 0 ? { list, known } : undefined
}

/** An index of the first `count` entries that can grow its own way. Lists are copied when they change. */
export function forkIndex(index: StemIndex, count: number): StemIndex {
  const entries = Math.min(count, index.tokens.length)
  const postings = new Map<string, number[]>()
  for (const [stem, list] of index.postings) {
    if ((list[0] ?? 0) >= entries * 16) break
    postings.set(stem, index.fork ? list.slice(0, postingsOf(index, stem, entries)?.known ?? 0) : list)
  }
  return { postings, tokens: index.tokens.slice(0, entries), totals: index.totals.slice(0, entries + 1), fork: { entries, own: new Set() } }
}

/** The first `count` entries as plain data: the same bytes however the index came to be. */
export function saveIndex(index: StemIndex, count: number): StemIndexData {
  const { postings, tokens, totals } = forkIndex(index, count)
  const entries = tokens.length
  return { version: 1, tokens, totals, stems: [...postings].map(([stem, list]) => [stem, list.slice(0, lowerBound(list, entries))] as const) }
}

export function loadIndex(data: StemIndexData): StemIndex {
  const postings = new Map(data.stems.map(([stem, list]) => [stem, [...list]]))
  return { postings, tokens: [...data.tokens], totals: [...data.totals], fork: null }
}

/** The number of postings of entries before `entry`. */
export function lowerBound(list: readonly number[], entry: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < entry * 16) low = middle + 1
    else high = middle
  }
  return low
}

function ownList({ postings, fork }: StemIndex, stem: string): number[] {
  const list = postings.get(stem)
  if (list && (!fork || fork.own.has(stem))) return list
  const own = list ? list.slice(0, lowerBound(list, fork?.entries ?? 0)) : []
  postings.set(stem, own)
  fork?.own.add(stem)
  return own
}
