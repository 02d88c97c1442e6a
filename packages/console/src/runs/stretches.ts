import type { StepComparison } from '@minutebook/experiment/run'

/** Steps that follow each other and are alike, or one that differs. */
export type Stretch =
  | { readonly kind: 'alike'; readonly from: number; readonly to: number; readonly steps: readonly StepComparison[] }
  | { readonly kind: 'other'; readonly step: StepComparison }

/** What a comparison is read in: whatever is alike can be folded. */
export function stretchesOf(steps: readonly StepComparison[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const step of steps) {
    const last = stretches.at(-1)
    if (!step.isSame) stretches.push({ kind: 'other', step })
    else if (last?.kind === 'alike')
      stretches[stretches.length - 1] = { ...last, to: step.step, steps: [...last.steps, step] }
    else stretches.push({ kind: 'alike', from: step.step, to: step.step, steps: [step] })
  }
  return stretches
}
