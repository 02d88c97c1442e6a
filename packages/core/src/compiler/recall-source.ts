import { notLoadedError } from '../log/error.ts'
import type { Steps } from '../log/time.ts'
import { postingsOf, type StemIndex } from './recall-index.ts'
import type { EntryRanges } from './recall-ranges.ts'

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
  /** Their newest ones, as many as are needed, in order, packed as in `StemIndex`. */
  readonly list: Float64Array
}

/** The sizes of many entries, each at a slot. */
export interface EntrySizes {
  readonly stems: Float64Array
  readonly tokens: Float64Array
}

/** What is needed to recall an entry, and to say why, without its text. */
export interface EntryFacts {
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
