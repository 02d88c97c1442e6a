import { outcomeColumns, type OutcomeColumn, type OutcomeTable, type Value } from '@minutebook/experiment/run'
import { useMemo, type ReactElement } from 'react'
import { useOutcomes } from '../api/outcomes.ts'
import { numberText, valueText } from '../runs/series.ts'
import { StatusBadge } from '../runs/status.tsx'
import { readable } from '../ui/text.ts'

/** How two runs came out, next to each other. It takes no room until it is read. */
export function PairSummary({ left, right }: { readonly left: string; readonly right: string }): ReactElement | null {
  const runs = useMemo(() => [left, right], [left, right])
  const { data } = useOutcomes(runs)
  if (!data || data.runs.length < 2) return null
  return <Summary table={data} />
}

function Summary({ table }: { readonly table: OutcomeTable }): ReactElement {
  const [left, right] = table.runs
  const variables = table.variables.filter(({ changes }) => changes).map(({ name }) => name)
  const columns = outcomeColumns(table, variables).filter(
    // What differs in the definitions has a table of its own.
    ({ id, isShown }) => isShown && id !== 'run' && !id.startsWith('set.'),
  )
  return (
    <section aria-label="Summary" data-summary className="overflow-x-auto rounded-md border border-line bg-surface">
      <table className="w-full table-fixed text-[13px]">
        <caption className="sr-only">How the two runs came out</caption>
        <thead className="text-left text-xs text-muted">
          <tr className="[&>th]:px-3 [&>th]:py-1 [&>th]:font-medium">
            <td className="w-1/4" />
            <th scope="col" className="truncate font-mono">
              {left!.run}
            </th>
            <th scope="col" className="truncate font-mono">
              {right!.run}
            </th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <Row key={column.id} column={column} table={table} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({
  column: { id, title, hint, of },
  table: {
    runs: [left, right],
  },
}: {
  readonly column: OutcomeColumn
  readonly table: OutcomeTable
}): ReactElement {
  const [before, after] = [of(left!), of(right!)]
  const isSame = JSON.stringify(before) === JSON.stringify(after)
  return (
    <tr data-row={id} data-same={isSame} className="border-t border-line align-top [&>*]:px-3 [&>*]:py-0.5">
      <th scope="row" title={hint} className="text-left font-normal text-muted [overflow-wrap:anywhere]">
        {readable(title)}
      </th>
      {[left!, right!].map((run, index) => (
        <td key={run.run} className={`[overflow-wrap:anywhere] tabular-nums ${isSame ? 'text-muted' : 'font-medium'}`}>
          {id === 'status' ? <StatusBadge status={run.status} /> : fieldText(of(run))}
          {index === 1 && <Difference before={before} after={after} />}
        </td>
      ))}
    </tr>
  )
}

/** By how much a number is larger or smaller. */
function Difference({
  before,
  after,
}: {
  readonly before: Value | undefined
  readonly after: Value | undefined
}): ReactElement | null {
  if (typeof before !== 'number' || typeof after !== 'number' || before === after) return null
  const difference = after - before
  return (
    <span className="ml-2 text-xs font-normal text-muted">
      {difference > 0 ? '+' : '−'}
      {numberText(Math.abs(difference))}
    </span>
  )
}

function fieldText(value: Value | undefined): string {
  return value === undefined ? '–' : readable(valueText(value))
}
