import {
  outcomeColumns,
  outcomeGroups,
  spreadOf,
  type OutcomeColumn,
  type OutcomeGroup,
  type OutcomeRow,
  type OutcomeTable,
  type Value,
} from '@minutebook/experiment/run'
import { printableLine } from '@minutebook/server'
import { table as tableLines, type Column } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { clipped, padded, textWidth } from '../terminal/text.ts'
import { colourOf, numberText, plain, statusText, valueText } from './words.ts'

/** The outcomes of many runs: a row for each, then the means of those that differ only in their seeds. */
export function outcomeLines(table: OutcomeTable, variables: readonly string[], terminal: Terminal): string[] {
  const { paint, textColumns: width } = terminal
  const shown = outcomeColumns(table, variables).filter((column) => column.isShown && !isQuiet(column, table))
  const groups = outcomeGroups(table).filter(({ runs }) => runs.length > 1)
  const isRight = shown.map(({ of }) => table.runs.every((run) => typeof of(run) === 'number'))
  const heads: Column[] = shown.map(({ id, title }, index) => ({
    title: printableLine(title).toLowerCase(),
    right: isRight[index]!,
    ...(id === 'result' && { flexible: true }),
    paint: (text, row) => {
      const run = table.runs[row]
      if (!run) return paint.bold(text)
      return id === 'run' ? paint.cyan(text) : id === 'status' ? paint[colourOf(run.status)](text) : text
    },
  }))
  const rows = [
    ...table.runs.map((run) => shown.map((column) => fieldText(column, run))),
    ...groups.map((group) => shown.map((column, index) => meanText(column, group, isRight[index]!, index === 0))),
  ]
  return tableLines(heads, rows, width(), paint.bold)
}

/** Counts of what went wrong are shown only if something did. */
function isQuiet({ id, of }: OutcomeColumn, { runs }: OutcomeTable): boolean {
  return (id === 'clipped_turns' || id === 'omitted_turns') && runs.every((run) => of(run) === 0)
}

/** How two runs came out, side by side. What differs is bold, with the difference of numbers. */
export function summaryLines(table: OutcomeTable, { paint, textColumns: width }: Terminal): string[] {
  const [left, right] = table.runs
  if (!left || !right) return []
  const variables = table.variables.filter(({ changes }) => changes).map(({ name }) => name)
  const rows = outcomeColumns(table, variables)
    .filter(
      (column) => column.isShown && column.id !== 'run' && !column.id.startsWith('set.') && !isQuiet(column, table),
    )
    .map((column) => ({
      title: printableLine(column.title).toLowerCase(),
      texts: [left, right].map((run) => fieldText(column, run)) as [string, string],
      note: differenceText(column.of(left), column.of(right)),
    }))
  const titleWidth = Math.min(24, Math.max(...rows.map(({ title }) => textWidth(title))))
  const room = Math.max(12, Math.floor((width() - titleWidth - 18) / 2))
  const texts = rows.map((row) => ({ ...row, texts: row.texts.map((text) => clipped(text, room)) as [string, string] }))
  const leftWidth = Math.max(textWidth(left.run), ...texts.map(({ texts: [text] }) => textWidth(text)))
  const line = (title: string, one: string): string =>
    `  ${paint.dim(padded(clipped(title, titleWidth), titleWidth))}  ${padded(one, leftWidth)}  `
  return [
    `${line('', left.run)}${right.run}`,
    ...texts.map(({ title, texts: [one, other], note }) =>
      one === other
        ? `${line(title, one)}${paint.dim(other)}`
        : `${line(title, one)}${paint.bold(other)}${note === '' ? '' : paint.yellow(`  ${note}`)}`,
    ),
  ]
}

function differenceText(before: Value | undefined, after: Value | undefined): string {
  if (typeof before !== 'number' || typeof after !== 'number' || before === after) return ''
  return `${after > before ? '▲' : '▼'}${numberText(Math.abs(Number((after - before).toPrecision(6))))}`
}

function fieldText({ id, of }: OutcomeColumn, run: OutcomeRow): string {
  if (id === 'status') return statusText(run.status, plain)
  const value = of(run)
  return value === undefined ? '–' : valueText(value)
}

/** Mean and standard deviation of numbers; of the status, how often a goal of success was reached. */
function meanText(
  { id, of }: OutcomeColumn,
  { label, runs }: OutcomeGroup,
  isNumber: boolean,
  isFirst: boolean,
): string {
  if (isFirst) return `mean of ${runs.length}, ${printableLine(label)}`
  if (id === 'status') return `${runs.filter(({ status }) => status === 'success').length}/${runs.length}`
  if (id === 'seed') return ''
  const spread = isNumber ? spreadOf(runs.map(of)) : undefined
  if (!spread) return ''
  const mean = numberText(Number(spread.mean.toPrecision(5)))
  return spread.deviation === 0 ? mean : `${mean} ±${numberText(Number(spread.deviation.toPrecision(3)))}`
}
