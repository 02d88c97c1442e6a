import type { RoundComparison } from '@minutebook/experiment/run'

/** Rounds that follow each other and are alike, or one that differs. */
export type Stretch =
  | { readonly kind: 'alike'; readonly from: number; readonly to: number; readonly rounds: readonly RoundComparison[] }
  | { readonly kind: 'other'; readonly round: RoundComparison }

/** What a comparison is read in: whatever is alike can be folded. */
export function stretchesOf(rounds: readonly RoundComparison[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const round of rounds) {
    const last = stretches.at(-1)
    if (!round.isSame) stretches.push({ kind: 'other', round })
    else if (last?.kind === 'alike')
      stretches[stretches.length - 1] = { ...last, to: round.round, rounds: [...last.rounds, round] }
    else stretches.push({ kind: 'alike', from: round.round, to: round.round, rounds: [round] })
  }
  return stretches
}
