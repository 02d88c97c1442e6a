import { leadingVariables, outcomeCsv, type OutcomeTable } from '@minutebook/experiment/run'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, type ReactElement } from 'react'
import { mostFollowed, useOutcomes, useSeries } from '../api/outcomes.ts'
import { CopyLink } from '../ui/copy.tsx'
import { Empty, Failure, Loading } from '../ui/placeholders.tsx'
import { SaveButton } from '../picture/picture.tsx'
import { readable } from '../ui/text.ts'
import { captionOf } from '../runs/plot-row.tsx'
import { FigureView } from './figure-view.tsx'
import { hasMeans, linesOf, type LineMode } from './lines.ts'
import { OutcomeTableView } from './outcome-table.tsx'

/** Several runs on shared axes, one figure for each variable, and below them the table of their outcomes. */
export function Overlay({ runs }: { readonly runs: readonly string[] }): ReactElement {
  const { data, error, refetch } = useOutcomes(runs)
  if (error && !data)
    return (
      <div className="mx-auto max-w-lg p-8">
        <Failure error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (!data) return <Loading label="Reading the runs" />
  return <Outcomes table={data} />
}

function Outcomes({ table }: { readonly table: OutcomeTable }): ReactElement {
  const { variables: named, lines: mode, sort } = useSearch({ from: '/runs/compare' })
  const navigate = useNavigate()
  const runs = table.runs.map(({ run }) => run)
  const chosen = useMemo(() => chosenIn(table, named), [table, named])
  const go = (next: {
    readonly variables?: readonly string[]
    readonly lines?: LineMode
    readonly sort?: string
  }): void =>
    void navigate({
      to: '/runs/compare',
      search: {
        runs: runs.join(' '),
        variables: next.variables?.join(' ') ?? named,
        lines: next.lines ?? mode,
        sort: next.sort ?? sort,
      },
      replace: true,
    })
  return (
    <div data-overlay className="min-h-0 space-y-4 overflow-y-auto p-4">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 text-[13px]">
        <Choices label="Variables">
          {table.variables
            .filter(({ isNumber, changes, name }) => (isNumber && changes) || chosen.includes(name))
            .slice(0, mostChoices)
            .map(({ name }) => (
              <Choice
                key={name}
                isChosen={chosen.includes(name)}
                isPossible={chosen.includes(name) || chosen.length < mostFollowed}
                onClick={() =>
                  go({ variables: chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name] })
                }
              >
                {readable(name)}
              </Choice>
            ))}
        </Choices>
        {hasMeans(table) && (
          <Choices label="Lines">
            <Choice isChosen={isDrawnAs(table, mode, 'each')} onClick={() => go({ lines: 'each' })}>
              Each run
            </Choice>
            <Choice isChosen={isDrawnAs(table, mode, 'mean')} onClick={() => go({ lines: 'mean' })}>
              Mean and range
            </Choice>
          </Choices>
        )}
        <span className="grow" />
        <CopyLink link={() => location.href} />
      </div>
      <Figures table={table} variables={chosen} mode={mode} />
      <section aria-label="Outcomes" className="rounded-md border border-line bg-surface">
        <div className="flex items-center gap-2 border-b border-line px-3 py-1">
          <h2 className="grow font-medium">Outcomes</h2>
          <SaveButton
            name="outcomes.csv"
            type="text/csv"
            text={() => [...outcomeCsv(table), ''].join('\n')}
            label="Save CSV of the outcomes"
          >
            CSV
          </SaveButton>
        </div>
        <OutcomeTableView table={table} variables={chosen} sort={sort} onSort={(next) => go({ sort: next })} />
      </section>
    </div>
  )
}

const mostChoices = 40

function Figures({
  table,
  variables,
  mode,
}: {
  readonly table: OutcomeTable
  readonly variables: readonly string[]
  readonly mode: LineMode | undefined
}): ReactElement {
  const numeric = variables.filter((name) => table.variables.some((each) => each.name === name && each.isNumber))
  const runs = table.runs.map(({ run }) => run)
  const changed = table.runs.map((run) => run.changed ?? '').join()
  const { data, error, refetch } = useSeries(runs, numeric, changed)
  if (numeric.length === 0)
    return (
      <Empty title="No variable to draw">
        <p>These runs have no variable that is a number and changes.</p>
      </Empty>
    )
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading label="Reading the variables" />
  const drawn = numeric.flatMap((name) => {
    const series = data.filter(({ variable }) => variable === name)
    const lines = linesOf(table, series, mode)
    return lines.length === 0 ? [] : [{ name, series, lines }]
  })
  const names = [...new Set(table.runs.map(({ name }) => name))]
  return (
    <div className={`grid gap-4 ${drawn.length > 1 ? 'xl:grid-cols-2' : 'max-w-4xl'} grid-cols-[minmax(0,1fr)]`}>
      {drawn.map(({ name, series, lines }) => (
        <FigureView
          key={name}
          name={name}
          table={table}
          series={series}
          figure={{
            title: readable(names.length === 1 ? `${names[0]!}: ${name}` : name),
            unit: captionOf(name, table.variables.find((each) => each.name === name)?.description),
            lines,
            goals: table.goals.filter(({ variable }) => variable === name),
          }}
        />
      ))}
    </div>
  )
}

/** The variables of the address that there are, or else those that matter most. */
function chosenIn(table: OutcomeTable, named: string | undefined): readonly string[] {
  if (named === undefined) return leadingVariables(table, usual)
  const known = new Set(table.variables.map(({ name }) => name))
  return named.split(' ').filter((name) => known.has(name))
}

/** Figures, if nothing is chosen. */
const usual = 4

function isDrawnAs(table: OutcomeTable, mode: LineMode | undefined, wanted: LineMode): boolean {
  if (mode !== undefined) return mode === wanted
  const sizes = Map.groupBy(table.runs, ({ group }) => group)
  const isMean = [...sizes.values()].some(({ length }) => length > 6)
  return isMean === (wanted === 'mean')
}

function Choices({ label, children }: { readonly label: string; readonly children: React.ReactNode }): ReactElement {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap items-center gap-1">
      <span className="mr-1 text-xs text-muted">{label}</span>
      {children}
    </div>
  )
}

interface ChoiceProps {
  readonly isChosen: boolean
  readonly isPossible?: boolean
  readonly onClick: () => void
  readonly children: React.ReactNode
}

function Choice({ isChosen, isPossible = true, onClick, children }: ChoiceProps): ReactElement {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      disabled={!isPossible}
      onClick={onClick}
      className="min-h-6 rounded border border-line px-1.5 py-0.5 text-xs text-muted hover:bg-sunken disabled:opacity-50 aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
    >
      {children}
    </button>
  )
}
