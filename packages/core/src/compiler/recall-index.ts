import { stems } from './stems.ts'

/**
 * Which entries have which words? The index only grows. Every reader passes the `count` of entries it sees and gets
 * what an index of only those entries would have. So older views can share one index.
 */
export interface StemIndex {
  /**
   * The part of it that is stored, from the first entry on. Never more than was indexed, except for an index of the past,
   * or one that uses segments of other settings: its last segment may have later entries, also of another branch.
   */
  readonly segments: Segment[]
  /** The first entry that is in memory. Those before it are only in segments. */
  readonly base: number
  /**
   * The entries that have a stem, in order, each packed as `entry * 16 + min(occurrences, 15)`. Stems are in the order
   * of their first use.
   */
  readonly postings: Map<string, number[]>
  /** The tokens of each entry in memory. */
  readonly tokens: number[]
  /** `totals[i]` is the number of stems in the entries before `base + i`. */
  readonly totals: number[]
  /**
   * Set after a fork: the number of entries it had then, and the stems whose lists it has copied since. It shares all
   * other lists with the original.
   */
  readonly fork: { readonly entries: number; readonly own: Set<string> } | null
}

/** A part of an index that is stored, of some of the entries. */
export interface Segment {
  /** Two segments with the same name have the same content. */
  readonly name: string
  /** Its first entry, and the first one after it. */
  readonly from: number
  readonly to: number
  /** How many stems its entries have. */
  readonly stems: number
  /** The number of blocks, a power of two. */
  readonly blocks: number
}

/** The entries that have a stem, among the first `count`: the first `known` of `list`. */
export interface Postings {
  readonly list: readonly number[]
  readonly known: number
}

export interface StemIndexData {
  readonly version: 2
  readonly segments: readonly Segment[]
  readonly base: number
  readonly tokens: readonly number[]
  readonly totals: readonly number[]
  readonly stems: readonly (readonly [stem: string, postings: readonly number[]])[]
}

export function createIndex(): StemIndex {
  return { segments: [], base: 0, postings: new Map(), tokens: [], totals: [0], fork: null }
}

/** How many entries are indexed. */
export function indexedIn({ base, tokens }: StemIndex): number {
  return base + tokens.length
}

/** Adds the next entry. */
export function appendStems(index: StemIndex, text: string, tokens: number): void {
  const entry = indexedIn(index)
  const found = stems(text)
  const occurrences = new Map<string, number>()
  for (const stem of found) occurrences.set(stem, (occurrences.get(stem) ?? 0) + 1)
  for (const [stem, times] of occurrences) ownList(index, stem).push(entry * 16 + Math.min(times, 15))
  index.tokens.push(tokens)
  index.totals.push((index.totals.at(-1) ?? 0) + found.length)
}

/** Finds the postings of a stem in memory, among the first `count` entries, or undefined. */
export function postingsOf(index: StemIndex, stem: string, count: number): Postings | undefined {
  const list = index.postings.get(stem)
  if (!list) return undefined
  const shared = index.fork && !index.fork.own.has(stem)
  const known = lowerBound(list, shared ? Math.min(count, index.fork.entries) : count)
  return known > 0 ? { list, known } : undefined
}

/** An index of the first `count` entries that can grow on its own. A list is copied when it changes. */
export function forkIndex(index: StemIndex, count: number): StemIndex {
  const entries = Math.min(count, indexedIn(index))
  const { base } = index
  const postings = new Map<string, number[]>()
  for (const [stem, list] of index.postings) {
    if ((list[0] ?? 0) >= entries * 16) break
    postings.set(stem, index.fork ? list.slice(0, postingsOf(index, stem, entries)?.known ?? 0) : list)
  }
  return {
    segments: index.segments.filter(({ from, to }) => from < base || to <= entries),
    base,
    postings,
    tokens: index.tokens.slice(0, entries - base),
    totals: index.totals.slice(0, entries - base + 1),
    fork: { entries, own: new Set() },
  }
}

/** The first `count` entries as plain data. Always the same bytes, however the index was made. */
export function saveIndex(index: StemIndex, count: number): StemIndexData {
  const { segments, base, postings, tokens, totals } = forkIndex(index, count)
  const entries = base + tokens.length
  return {
    version: 2,
    segments,
    base,
    tokens,
    totals,
    stems: [...postings].map(([stem, list]) => [stem, list.slice(0, lowerBound(list, entries))] as const),
  }
}

export function loadIndex(data: StemIndexData): StemIndex {
  const postings = new Map(data.stems.map(([stem, list]) => [stem, [...list]]))
  const { segments, base, tokens, totals } = data
  return { segments: [...segments], base, postings, tokens: [...tokens], totals: [...totals], fork: null }
}

/**
 * An index of which nothing is in memory: all that it knows is stored. `base`: how many entries it has, and `stems`: how
 * many stems they have, if not all of the segments.
 */
export function indexOver(
  segments: readonly Segment[],
  base: number = segments.at(-1)?.to ?? 0,
  stems: number = segments.reduce((sum, segment) => sum + segment.stems, 0),
): StemIndex {
  const used = segments.filter(({ from }) => from < base)
  return { segments: used, base, postings: new Map(), tokens: [], totals: [stems], fork: null }
}

/** Remembers what is stored of an index that is in memory. The next `sealing` then stores only what is new. */
export function rememberSegments({ base, segments: known }: StemIndex, segments: readonly Segment[]): void {
  // An index whose beginning is only stored must keep the segments that it reads.
  if (base === 0) known.splice(0, Infinity, ...segments)
}

/** The number of postings of entries before `entry`. */
export function lowerBound(list: ArrayLike<number>, entry: number): number {
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
