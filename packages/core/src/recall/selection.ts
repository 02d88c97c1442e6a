import type { Ranking } from './rank.ts'

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
  /** How many postings a query reads at the most, however long the log: those of the rarest stems first, and the newest of a stem. */
  readonly reads: number
}

/** What is recalled together: an entry, or calls with all their results. */
export interface Unit {
  readonly from: number
  /** In the order of the log, the first at `from`. */
  readonly entries: readonly number[]
  readonly tokens: number
}

/** Chooses what to recall: the best value first, skipping what no longer fits, until the rest is not worth it. In the order of the log. */
export function selectUnits(
  ranking: Ranking, setting: RecallSetting, room: number, unitOf: (entry: number) => Unit | undefined,
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
