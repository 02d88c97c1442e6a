import { atOnce } from '../../src/log/time.ts'
import { memorySource, rankEntries, type Ranking, type RankOptions } from '../../src/compiler/rank-entries.ts'
import type { StemIndex } from '../../src/compiler/stem-index.ts'

/** Ranks the entries of an index that is in memory, at once. */
export function rank(index: StemIndex, query: string, options: RankOptions): Ranking {
  return atOnce(rankEntries(memorySource(index), query, options))
}
