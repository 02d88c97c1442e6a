import type { Value } from './experiment.ts'
import { outcomeColumns } from './outcome-columns.ts'
import type { OutcomeTable, RunSeries } from './outcome-table.ts'

/** The lines of a CSV file with a row for each run, and the last values of all variables. */
export function outcomeCsv(table: OutcomeTable): readonly string[] {
  const columns = outcomeColumns(
    table,
    table.variables.map(({ name }) => name),
  )
  return [csvLine(columns.map(({ id }) => id)), ...table.runs.map((run) => csvLine(columns.map(({ of }) => of(run))))]
}

/** The lines of a CSV file with a row for each run and round, so that a program for statistics reads it as it is. */
export function seriesCsv({ runs }: Pick<OutcomeTable, 'runs'>, series: readonly RunSeries[]): readonly string[] {
  const rows = series.flatMap(({ run, variable, points }) => {
    const of = runs.find((each) => each.run === run)
    const facts = [run, of?.name, of?.models.join(' '), of?.seed, of?.group]
    return points.map(([round, value]) => csvLine([...facts, round, variable, value]))
  })
  return [csvLine(['run', 'experiment', 'model', 'seed', 'group', 'round', 'variable', 'value']), ...rows]
}

/**
 * A row of a table as text. Texts are quoted if needed, and none begins a formula in a spreadsheet.
 *
 * @example
 * csvLine(['stand-1', 7, '=1+1', 'a, b']) // `stand-1,7,'=1+1,"a, b"`
 */
export function csvLine(values: readonly (Value | undefined)[]): string {
  return values.map(csvField).join(',')
}

function csvField(value: Value | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const plain = beginsFormula.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Spreadsheets skip blanks before a sign, and read its wide form as the sign itself. */
const beginsFormula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/
