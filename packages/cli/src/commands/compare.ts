import {
  type Comparison,
  differingParts,
  type RoundComparison,
  type TurnComparison,
  type TurnSide,
  type Value,
} from '@minutebook/experiment/run'
import { printableLine } from '@minutebook/server'
import { callText, valueText } from '../runs/words.ts'
import type { Paint, Terminal } from '../terminal/terminal.ts'
import { clipped } from '../terminal/text.ts'
import { type DefineCommand, recordCommand, type RecordOptions, show, withConnection } from './command.ts'

export const define: DefineCommand = (command, terminal, setExitCode) => {
  recordCommand(command)
    .argument('<left>', 'a run')
    .argument('<right>', 'another run')
    .action((left: string, right: string, options: RecordOptions) =>
      withConnection(terminal, options, setExitCode, async ({ openRuns }) => {
        const comparison = await (await openRuns()).compare(left, right)
        show(terminal, options, comparison, () => comparisonLines(comparison, terminal))
      }),
    )
}

/** Two runs side by side: what differs in their definitions, then the rounds. A round that is the same is one line. */
function comparisonLines(
  { left, right, parts, changes = [], rounds }: Comparison,
  { paint, columns, textColumns }: Terminal,
): string[] {
  const width: Width = { line: columns(), text: textColumns() }
  const head =
    parts === undefined
      ? `${paint.green('✓')} ${left} and ${right} are the same in all ${rounds.length} rounds`
      : `${paint.yellow('≠')} ${left} and ${right} differ from round ${parts} on`
  const changed =
    changes.length === 0
      ? []
      : [paint.bold('definition'), ...changes.flatMap((change) => valueLines(change.path, change, width))]
  return [head, ...changed, ...rounds.flatMap((round) => roundLines(round, { left, right }, width, paint))]
}

/** Columns. `line`: of a line that has both sides. `text`: after which a text is cut. */
interface Width {
  readonly line: number
  readonly text: number
}

function roundLines(
  { round, isSame, in: where, environment, turns }: RoundComparison,
  names: { readonly left: string; readonly right: string },
  width: Width,
  paint: Paint,
): string[] {
  if (isSame) return [paint.dim(`round ${round}  same`)]
  if (where !== 'both') return [`round ${round}  only in ${names[where]}`]
  return [
    paint.bold(`round ${round}`),
    ...environment.flatMap((variable) => valueLines(variable.name, variable, width)),
    ...turns.flatMap((turn) => turnLines(turn, width)),
  ]
}

function turnLines({ participant, prompts, answers, calls, left, right }: TurnComparison, width: Width): string[] {
  if (prompts === 'same' && answers === 'same' && calls === 'same') return []
  const facts = [
    prompts === 'other' ? 'different prompt' : 'same prompt',
    calls === 'other' ? 'different tool calls' : undefined,
    answers === 'other' ? 'different answer' : 'same answer',
  ]
  const both = (of: (side: TurnSide) => string): string[] =>
    pairLines(left ? of(left) : 'took no turn', right ? of(right) : 'took no turn', width)
  return [
    `  ${participant}: ${facts.filter((each) => each !== undefined).join(', ')}`,
    ...(calls === 'other' ? both((side) => side.calls.map(callText).join(' · ') || 'no tool calls') : []),
    ...(answers === 'other'
      ? both(({ status, text }) => (status === 'complete' ? printableLine(text) : `${status}: ${printableLine(text)}`))
      : []),
  ]
}

/** A value on one line if both sides fit there, else on two, so that the difference is always visible. */
function valueLines(
  name: string,
  { left, right }: { readonly left?: Value; readonly right?: Value },
  width: Width,
): string[] {
  const [before, after] = [left, right].map((value) => (value === undefined ? '–' : valueText(value))) as [
    string,
    string,
  ]
  const line = `  ${printableLine(name)}: ${before} ≠ ${after}`
  return line.length <= width.line
    ? [line]
    : [clipped(`  ${printableLine(name)}:`, width.text), ...pairLines(before, after, width)]
}

function pairLines(left: string, right: string, { text: width }: Width): string[] {
  const [before, after] = differingParts(left, right, Math.max(20, width - 6))
  return [clipped(`    < ${before}`, width), clipped(`    > ${after}`, width)]
}
