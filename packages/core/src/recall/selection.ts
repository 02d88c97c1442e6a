import type { Ranked, Ranking } from './index-of-terms.ts'

/** How much a setting recalls. All shares are of the prompt's token budget unless they say otherwise. */
export interface RecallSetting {
  /** Kept free of the verbatim region from the first compaction on. */
  readonly reserve: number
  /** The largest recall block; it may use more than the reserve while the verbatim region is short. */
  readonly largest: number
  /** The part of `largest` for a message that asks nothing. */
  readonly statement: number
  /** An entry below this part of the best entry's value is not worth recalling. */
  readonly ofBest: number
  /** An entry must match this part of the query's weight. */
  readonly ofWeight: number
  /** A query whose known terms weigh less than this ("thanks!") recalls nothing. */
  readonly leastWeight: number
}

export const recallSettings: Readonly<Record<'default' | 'eager', RecallSetting>> = {
  default: { reserve: 0.2, largest: 0.3, statement: 0.5, ofBest: 0.2, ofWeight: 0.15, leastWeight: 2 },
  eager: { reserve: 0.75, largest: 1, statement: 1, ofBest: 0, ofWeight: 0, leastWeight: 0 },
}

export interface SelectionOptions {
  readonly setting: RecallSetting
  /** The prompt's whole token budget, and what of it is still free. */
  readonly budget: number
  readonly room: number
  /** Whether the latest message asks something: see `asks`. */
  readonly question: boolean
  /** Tokens of the block's own message and header, and of each entry's label. */
  readonly blockCost: number
  readonly entryCost: number
}

export interface Selection {
  /** In conversation order. */
  readonly entries: readonly number[]
  /** What the block costs, zero when nothing was chosen. */
  readonly tokens: number
}

/** Chooses what to recall: the best value first, skipping what no longer fits, until the rest is not worth it. */
export function selectEntries(ranking: Ranking, options: SelectionOptions): Selection {
  const { setting, entryCost } = options
  const best = ranking.candidates[0]
  if (!best || ranking.weight < setting.leastWeight) return nothing
  let left = largestBlock(options) - options.blockCost
  const chosen: Ranked[] = []
  for (const candidate of ranking.candidates) {
    if (candidate.value < best.value * setting.ofBest) break
    if (candidate.score < ranking.weight * setting.ofWeight) continue
    const cost = candidate.tokens + entryCost
    if (cost > left) continue
    left -= cost
    chosen.push(candidate)
  }
  if (chosen.length === 0) return nothing
  const spent = chosen.reduce((sum, { tokens }) => sum + tokens + entryCost, options.blockCost)
  return { entries: chosen.map(({ entry }) => entry).sort((left, right) => left - right), tokens: spent }
}

/** A question mark in any of the scripts that use one. A miss only halves the block. */
export function asks(text: string): boolean {
  return questionMarks.some((mark) => text.includes(mark))
}

const nothing: Selection = { entries: [], tokens: 0 }
const questionMarks = ['?', '？', '؟', '\u037e']

function largestBlock({ setting, budget, room, question }: SelectionOptions): number {
  const share = setting.largest * (question ? 1 : setting.statement)
  return Math.min(room, Math.floor(budget * share))
}
