import { isNotLoaded } from '../log/error.ts'
import type { Steps } from '../log/time.ts'
import { at } from '../compiler/columns.ts'
import type { Fold, KnownTokens } from '../compiler/fold.ts'
import { numberOf } from '../compiler/framing.ts'
import { indexOver, type StemIndex, type StemIndexData } from '../compiler/stem-index.ts'
import type { RecallFacts, EntrySizes } from '../compiler/rank-entries.ts'
import { storedSource, type PieceReader } from './stored-index.ts'

/**
 * What does an index that was made under other settings know of a branch? The words and the counts of an entry do not
 * depend on the window or the policy. So a fold under new settings uses the segments that are stored already, as far as
 * they have the same entries, instead of making its own. Each entry is compared.
 */
export interface SharedIndex {
  /**
   * Reads what is known of the entries of a fold from one index on: at most this many. If it throws, nothing more is
   * shared, and the fold makes an index of its own.
   */
  load(from: number, most: number): Steps<void>
  /** What the text of an entry costs. Ask for each entry of a fold in turn. */
  readonly tokensOf: KnownTokens
  /** The fold with as many entries from the shared index as it has. Its entries must be loaded. */
  under(fold: Fold): Fold
}

/**
 * Shares the index that `other` is the saved form of. `own`: the index of the checkpoint that the fold goes on from.
 * Undefined if they are not of the same entries, or if the other one is not longer.
 */
export function* sharing(
  other: StemIndexData,
  own: StemIndexData | undefined,
  read: PieceReader,
): Steps<SharedIndex | undefined> {
  const begun = own?.base ?? 0
  if (begun >= other.base || (own && own.tokens.length > 0)) return undefined
  if (own && !(yield* areSame(indexFrom(own), indexFrom(other), begun, read))) return undefined
  return sharedIndex(indexFrom(other), begun, own?.totals[0] ?? 0, read)
}

function sharedIndex(whole: StemIndex, begun: number, stemsBegun: number, read: PieceReader): SharedIndex {
  const end = whole.base
  /** The entries up to here were compared. They have this many stems. */
  let same = begun
  let stems = stemsBegun
  let isOther = false
  let loaded = { from: begun, facts: [] as RecallFacts[], sizes: noSizes }
  /** Of folds that are longer than what is shared. They index the rest themselves, each entry once. */
  let longer: StemIndex | undefined
  const isNext = (index: number, seq: number): boolean => loaded.facts[index - loaded.from]?.seq === seq
  return {
    load: function* (from, most) {
      const to = Math.min(end, from + most)
      if (isOther || (from === loaded.from && to === from + loaded.facts.length)) return
      // It stays so if the next line throws.
      isOther = true
      const known = yield* entriesIn(whole, from, to, read)
      isOther = !known
      if (known) loaded = { from, ...known }
    },
    tokensOf: (index, seq) => {
      if (isOther || index >= end) return undefined
      isOther = !isNext(index, seq)
      return isOther ? undefined : loaded.sizes.tokens[index - loaded.from]
    },
    under: (fold) => {
      const to = Math.min(end, fold.length)
      if (fold.columns.index.base >= end) return fold
      for (; same < to && !isOther; same++) {
        const entry = at(fold.columns.entries, same)
        isOther = !isNext(same, entry.seq) || loaded.facts[same - loaded.from]!.place !== numberOf(entry)
        if (isOther) break
        stems += loaded.sizes.stems[same - loaded.from]!
      }
      if (isOther || same !== to) return fold
      const index =
        to < fold.length ? (longer ??= indexOver(whole.segments, to, stems)) : indexOver(whole.segments, to, stems)
      return { ...fold, columns: { ...fold.columns, index } }
    },
  }
}

/** True if the first entries of two indexes are the same ones. */
function* areSame(one: StemIndex, other: StemIndex, count: number, read: PieceReader): Steps<boolean> {
  const names = new Set(other.segments.map(({ name }) => name))
  // Segments with the same name have the same content.
  let from = one.segments.find(({ name }) => !names.has(name))?.from ?? count
  for (; from < count; from += comparedAtOnce) {
    const to = Math.min(count, from + comparedAtOnce)
    const [left, right] = [yield* entriesIn(one, from, to, read), yield* entriesIn(other, from, to, read)]
    if (!left || !right) return false
    if (!left.facts.every(({ seq, place }, at) => right.facts[at]!.seq === seq && right.facts[at]!.place === place))
      return false
  }
  return true
}

const comparedAtOnce = 4096
const noSizes: EntrySizes = { stems: new Float64Array(), tokens: new Float64Array() }

/** What an index knows of some of its entries. Undefined if a piece of it is gone. */
function* entriesIn(
  index: StemIndex,
  from: number,
  to: number,
  read: PieceReader,
): Steps<{ readonly facts: RecallFacts[]; readonly sizes: EntrySizes } | undefined> {
  if (from >= to) return { facts: [], sizes: noSizes }
  const source = storedSource(index, read)
  const numbers = Array.from({ length: to - from }, (_, place) => from + place)
  const facts: RecallFacts[] = []
  try {
    yield* source.loadFacts(numbers)
    for (const number of numbers) facts.push((yield* source.factsOf(number))!)
    const [starts, ends, slots] = [Int32Array.of(from), Int32Array.of(to), Int32Array.of(0)]
    return { facts, sizes: yield* source.sizesOf({ count: to - from, starts, ends, slots }) }
  } catch (error) {
    if (isNotLoaded(error)) return undefined
    throw error
  }
}

function indexFrom({ segments, base, totals }: StemIndexData): StemIndex {
  return indexOver(segments, base, totals[0])
}
