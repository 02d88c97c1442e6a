import { readableLine } from '@minutebook/server'
import type { Comparison, StepComparison } from 'minutebook/experiment'
import type { Paint } from '../paint.ts'
import type { Terminal } from '../terminal.ts'
import { clipped } from '../text-width.ts'
import { valueText } from './run-words.ts'

/** Two runs beside each other: what is the same in a line, what differs in full. */
export function comparisonLines({ left, right, parts, steps }: Comparison, { paint, columns }: Terminal): string[] {
  const width = columns()
  const head = parts === undefined ? `${paint.green('✓')} ${left} and ${right} are the same in all ${steps.length} steps` : `${paint.yellow('≠')} ${left} and ${right} part at step ${parts}`
  return [head, ...steps.flatMap((step) => stepLines(step, { left, right }, width, paint))]
}

function stepLines({ step, isSame, in: where, environment, turns }: StepComparison, names: { readonly left: string; readonly right: string }, width: number, paint: Paint): string[] {
  if (isSame) return [paint.dim(`step ${step}  same`)]
  if (where !== 'both') return [`step ${step}  only in ${names[where]}`]
  return [
    paint.bold(`step ${step}`),
    ...environment.map(({ name, left, right }) => clipped(`  ${name}: ${valueText(left)} ≠ ${valueText(right)}`, width)),
    ...turns.filter(({ prompts, answers }) => prompts === 'other' || answers === 'other').flatMap(({ participant, prompts, answers, left = '', right = '' }) => [
      `  ${participant}: ${[prompts === 'other' ? 'another prompt' : 'the same prompt', answers === 'other' ? 'another answer' : 'the same answer'].join(', ')}`,
      ...(answers === 'other' ? [clipped(`    < ${readableLine(left)}`, width), clipped(`    > ${readableLine(right)}`, width)] : []),
    ]),
  ]
}
