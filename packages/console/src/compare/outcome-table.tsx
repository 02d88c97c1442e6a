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
import { Link } from '@tanstack/react-router'
import { useMemo, type ReactElement } from 'react'
import { numberText, valueText } from '../runs/series.ts'
import { StatusBadge } from '../runs/status.tsx'
import { readable } from '../ui/text.ts'

interface OutcomeTableProps {
  readonly table: OutcomeTable
  /** Those whose last values are shown. */
  readonly variables: readonly string[]
  /** The id of a column, with `-` before it if the largest comes first. Default: in the order of the address. */
  readonly sort: string | undefined
  readonly onSort: (sort: string) => void
}

/** One row for each run, sorted by any column, and for each group of seeds its means. */
export function OutcomeTableView({ table, variables, sort, onSort }: OutcomeTableProps): ReactElement {
  const columns = useMemo(() => outcomeColumns(table, variables).filter(({ isShown }) => isShown), [table, variables])
  const rows = useMemo(() => sortedBy(table.runs, columns, sort), [table, columns, sort])
  const numeric = new Set(columns.filter((column) => isNumeric(column, table.runs)))
  const groups = outcomeGroups(table).filter(({ runs }) => runs.length > 1)
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Table of outcomes">
      <table data-outcomes={rows.length} className="w-full border-collapse text-[13px]">
        <thead className="text-left text-xs text-muted">
          <tr className="[&>th]:px-2 [&>th]:py-1 [&>th]:align-bottom [&>th]:font-medium">
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} onSort={onSort} isRight={numeric.has(column)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((run) => (
            <tr
              key={run.run}
              data-run={run.run}
              className="border-t border-line align-top hover:bg-sunken [&>td]:px-2 [&>td]:py-1"
            >
              {columns.map((column) => (
                <td key={column.id} className={numeric.has(column) ? 'text-right tabular-nums' : undefined}>
                  <Field column={column} run={run} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {groups.length > 0 && (
          <tfoot>
            {groups.map((group) => (
              <tr
                key={group.number}
                data-group={group.number}
                className="border-t border-strong bg-page align-top [&>*]:px-2 [&>*]:py-1"
              >
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th key={column.id} scope="row" className="min-w-40 text-left font-medium">
                      {groups.length === 1 && group.runs.length === table.runs.length ? 'Mean' : readable(group.label)}{' '}
                      <span className="font-normal text-muted">of {group.runs.length} runs</span>
                    </th>
                  ) : (
                    <td key={column.id} className={numeric.has(column) ? 'text-right tabular-nums' : undefined}>
                      <Summary column={column} group={group} isNumeric={numeric.has(column)} />
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tfoot>
        )}
      </table>
    </div>
  )
}

interface HeadingProps extends Pick<OutcomeTableProps, 'sort' | 'onSort'> {
  readonly column: OutcomeColumn
  readonly isRight: boolean
}

function Heading({ column: { id, title, hint }, sort, onSort, isRight }: HeadingProps): ReactElement {
  const direction = sort === id ? 'ascending' : sort === `-${id}` ? 'descending' : undefined
  return (
    <th scope="col" aria-sort={direction ?? 'none'} className={isRight ? 'text-right' : undefined}>
      <button
        type="button"
        title={hint}
        onClick={() => onSort(direction === 'ascending' ? `-${id}` : id)}
        className={`min-h-6 rounded px-1 font-medium hover:bg-sunken hover:text-ink ${isRight ? 'text-right' : 'text-left'} ${title.length > longTitle ? 'max-w-48 break-words' : 'whitespace-nowrap'}`}
      >
        {readable(title)}
        <span aria-hidden="true" className="inline-block w-3 text-center">
          {direction === undefined ? '' : direction === 'ascending' ? '▲' : '▼'}
        </span>
      </button>
    </th>
  )
}

function Field({ column, run }: { readonly column: OutcomeColumn; readonly run: OutcomeRow }): ReactElement {
  const value = column.of(run)
  if (column.id === 'run')
    return (
      <Link
        to="/runs/$run"
        params={{ run: run.run }}
        className="font-mono whitespace-nowrap text-ink underline-offset-2 hover:underline"
      >
        {run.run}
      </Link>
    )
  if (column.id === 'status') return <StatusBadge status={run.status} />
  if (value === undefined) return <span className="text-muted">–</span>
  if (typeof value === 'number') return <>{numberText(value)}</>
  return <Words text={valueText(value)} />
}

/** Mean and standard deviation of numbers; of the status, how often a goal of success was reached. */
function Summary({
  column,
  group: { runs },
  isNumeric: isNumber,
}: {
  readonly column: OutcomeColumn
  readonly group: OutcomeGroup
  readonly isNumeric: boolean
}): ReactElement | null {
  if (column.id === 'seed') return null
  if (column.id === 'status')
    return (
      <>
        {runs.filter(({ status }) => status === 'success').length} of {runs.length} succeeded
      </>
    )
  const spread = isNumber ? spreadOf(runs.map(column.of)) : undefined
  if (!spread) return <Shared values={runs.map(column.of)} />
  return (
    <span
      className="whitespace-nowrap"
      title={`mean and standard deviation of ${spread.count}; least ${numberText(spread.low)}, largest ${numberText(spread.high)}`}
    >
      {briefText(spread.mean)}
      {spread.deviation > 0 && (
        <span className="text-muted"> ± {numberText(Number(spread.deviation.toPrecision(3)))}</span>
      )}
    </span>
  )
}

/** A text that all runs of a group have. */
function Shared({ values }: { readonly values: readonly (Value | undefined)[] }): ReactElement | null {
  const texts = new Set(values.map((value) => (value === undefined ? '' : valueText(value))))
  return texts.size === 1 ? <Words text={[...texts][0]!} /> : null
}

/** A text that is as wide as it needs, up to a line of a column. */
function Words({ text }: { readonly text: string }): ReactElement {
  return <span className="block w-max max-w-56 break-words">{readable(text)}</span>
}

/** Characters of a heading. */
const longTitle = 24

/** A mean has no more decimals than it deserves. */
function briefText(value: number): string {
  return numberText(Number(value.toPrecision(Math.abs(value) >= 1000 ? 6 : 4)))
}

function isNumeric({ id, of }: OutcomeColumn, runs: readonly OutcomeRow[]): boolean {
  if (id === 'status') return false
  const values = runs.map(of).filter((value) => value !== undefined)
  return values.length > 0 && values.every((value) => typeof value === 'number')
}

/** Numbers by their size, before texts by their letters, before what is missing. Equal rows keep their order. */
export function sortedBy(
  runs: readonly OutcomeRow[],
  columns: readonly OutcomeColumn[],
  sort: string | undefined,
): readonly OutcomeRow[] {
  const isDescending = sort?.startsWith('-') === true
  const column = columns.find(({ id }) => id === (isDescending ? sort!.slice(1) : sort))
  if (!column) return runs
  const sign = isDescending ? -1 : 1
  return runs.toSorted((left, right) => {
    const [one, other] = [column.of(left), column.of(right)]
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
    if (typeof one === 'number' && typeof other === 'number') return sign * (one - other)
    if (typeof one === 'number' || typeof other === 'number') return typeof one === 'number' ? -1 : 1
    return sign * collator.compare(valueText(one), valueText(other))
  })
}

/** `stand-2` is before `stand-10`. */
const collator = new Intl.Collator('en', { numeric: true })
