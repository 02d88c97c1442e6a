import {
  type Comparison,
  differingParts,
  leadingVariables,
  outcomeCsv,
  type OutcomeTable,
  type RoundComparison,
  roundHadOtherEffect,
  type TurnComparison,
  turnHadOtherEffect,
  type TurnSide,
  type Value,
} from '@minutebook/experiment/run'
import { printableLine } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { outcomeLines, summaryLines } from '../runs/outcomes.ts'
import { callText, valueText } from '../runs/words.ts'
import type { Paint, Terminal } from '../terminal/terminal.ts'
import { clipped } from '../terminal/text.ts'
import { type DefineCommand, resultCommand, type RecordOptions, show, withConnection } from './command.ts'

export const define: DefineCommand = (command, terminal, setExitCode) => {
  resultCommand(command)
    .argument('<run...>', 'two runs: a summary, and round by round; up to 100: a table of their outcomes')
    .option('--variables <names>', 'the variables of the table, separated by commas (default: those of goals first)')
    .option('--effects', 'of two runs, only rounds in which tool calls, outcomes of turns or variables differ')
    .option('--csv', 'print the outcomes as CSV, with all variables')
    .action((runs: readonly string[], options: Options) =>
      withConnection(terminal, options, setExitCode, async ({ openRuns }) => {
        checkCount(new Set(runs).size)
        const archive = await openRuns()
        const outcomes = await archive.outcomes(runs)
        if (options.csv === true) return outcomeCsv(outcomes).forEach((line) => terminal.print(line))
        const [left, right] = outcomes.runs
        if (!left || !right || outcomes.runs.length > 2)
          return show(terminal, options, outcomes, () =>
            outcomeLines(outcomes, variablesOf(outcomes, options.variables), terminal),
          )
        const comparison = await archive.compare(left.run, right.run)
        show(terminal, options, { ...comparison, outcomes: outcomes.runs }, () =>
          comparisonLines(comparison, outcomes, options.effects === true, terminal),
        )
      }),
    )
}

interface Options extends RecordOptions {
  readonly variables?: string
  readonly effects?: boolean
  readonly csv?: boolean
}

function checkCount(count: number): void {
  if (count < 2) throw new MinutebookError('bad_address', 'Only one run is named.', 'Name two or more different runs.')
  if (count > 100)
    throw new MinutebookError('bad_address', `${count} runs are named.`, 'Name at most 100 of them.', { count })
}

function variablesOf(outcomes: OutcomeTable, names: string | undefined): readonly string[] {
  if (names === undefined) return leadingVariables(outcomes, usualVariables)
  return names.split(',').map((name) => {
    const known = outcomes.variables.map((variable) => variable.name)
    if (!known.includes(name.trim()))
      throw new MinutebookError(
        'bad_address',
        `These runs have no variable "${printableLine(name.trim())}".`,
        `Name some of these: ${known.map(printableLine).join(', ')}.`,
      )
    return name.trim()
  })
}

const usualVariables = 3

/** Two runs side by side: how they came out, what differs in their definitions, then the rounds. */
function comparisonLines(
  { left, right, parts, changes = [], rounds }: Comparison,
  outcomes: OutcomeTable,
  isOnly: boolean,
  terminal: Terminal,
): string[] {
  const { paint, columns, textColumns } = terminal
  const width: Width = { line: columns(), text: textColumns() }
  const head =
    parts === undefined
      ? `${paint.green('✓')} ${left} and ${right} are the same in all ${rounds.length} rounds`
      : `${paint.yellow('≠')} ${left} and ${right} differ from round ${parts} on`
  const changed =
    changes.length === 0
      ? []
      : [paint.bold('definition'), ...changes.flatMap((change) => valueLines(change.path, change, width))]
  return [
    head,
    ...summaryLines(outcomes, terminal),
    ...changed,
    ...groupsOf(rounds, isOnly).flatMap((group) => groupLines(group, { left, right }, isOnly, width, paint)),
  ]
}

/** Columns. `line`: of a line that has both sides. `text`: after which a text is cut. */
interface Width {
  readonly line: number
  readonly text: number
}

/** Neighbouring rounds that are said in one line, or one that differs. */
interface RoundGroup {
  readonly kind: 'same' | 'left' | 'right' | 'other'
  readonly first: RoundComparison
  readonly last: RoundComparison
}

function groupsOf(rounds: readonly RoundComparison[], isOnly: boolean): readonly RoundGroup[] {
  const groups: RoundGroup[] = []
  for (const round of rounds) {
    const kind =
      round.in !== 'both' ? round.in : (isOnly ? roundHadOtherEffect(round) : !round.isSame) ? 'other' : 'same'
    const last = groups.at(-1)
    if (kind !== 'other' && last?.kind === kind) groups[groups.length - 1] = { ...last, last: round }
    else groups.push({ kind, first: round, last: round })
  }
  return groups
}

function groupLines(
  { kind, first, last }: RoundGroup,
  names: { readonly left: string; readonly right: string },
  isOnly: boolean,
  width: Width,
  paint: Paint,
): string[] {
  const which = first === last ? `round ${first.round}` : `rounds ${first.round} to ${last.round}`
  if (kind === 'same') return [paint.dim(`${which}  ${isOnly ? 'no difference but in prompts and words' : 'same'}`)]
  if (kind !== 'other') return [`${which}  only in ${names[kind]}`]
  const turns = isOnly ? first.turns.filter(turnHadOtherEffect) : first.turns
  return [
    paint.bold(which),
    ...first.environment.flatMap((variable) => valueLines(variable.name, variable, width)),
    ...turns.flatMap((turn) => turnLines(turn, width, paint)),
  ]
}

function turnLines(
  { participant, prompts, answers, calls, left, right }: TurnComparison,
  width: Width,
  paint: Paint,
): string[] {
  if (prompts === 'same' && answers === 'same' && calls === 'same') return []
  const facts = [
    prompts === 'other' ? 'different prompt' : paint.dim('same prompt'),
    calls === 'other' ? paint.yellow('different tool calls') : undefined,
    answers === 'other' ? 'different answer' : paint.dim('same answer'),
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
