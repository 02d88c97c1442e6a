import './runs.css'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, type ReactElement } from 'react'
import { useComparison, useRuns, type RunSummary } from '../api/runs.ts'
import { Empty, Failure, Loading } from '../ui/placeholders.tsx'
import { plural } from '../ui/text.ts'
import { Button, Icon } from '../ui/ui.tsx'
import { Compared } from './compared-rounds.tsx'

/** Two runs side by side, round by round. */
export function ComparePage(): ReactElement {
  const { left, right } = useSearch({ from: '/runs/compare' })
  const navigate = useNavigate()
  const { runs } = useRuns()
  const choose = (next: { readonly left?: string | undefined; readonly right?: string | undefined }): void =>
    void navigate({
      to: '/runs/compare',
      search: {
        ...(next.left !== undefined && { left: next.left }),
        ...(next.right !== undefined && { right: next.right }),
      },
      replace: true,
    })
  return (
    <section
      aria-label="Comparison"
      className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]"
    >
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-surface px-3 py-2">
        <Link to="/runs" aria-label="All runs" className="rounded-md px-1 py-1 text-muted hover:bg-sunken">
          <Icon name="back" />
        </Link>
        <h1 className="font-semibold">Compare</h1>
        <div className="flex min-w-0 grow basis-64 items-center gap-2">
          <RunChoice label="Left run" runs={runs} chosen={left} onChoose={(run) => choose({ left: run, right })} />
          <span className="text-muted">with</span>
          <RunChoice label="Right run" runs={runs} chosen={right} onChoose={(run) => choose({ left, right: run })} />
        </div>
      </header>
      {left === undefined || right === undefined ? (
        <Empty title="Choose two runs">
          <p>
            They are compared round by round: what each participant was sent, did and said, what the environment was,
            and what differs in the definitions.
          </p>
        </Empty>
      ) : (
        <Both left={left} right={right} />
      )}
    </section>
  )
}

function RunChoice({
  label,
  runs = [],
  chosen,
  onChoose,
}: {
  readonly label: string
  readonly runs: readonly RunSummary[] | undefined
  readonly chosen: string | undefined
  readonly onChoose: (run: string) => void
}): ReactElement {
  const known =
    chosen === undefined || runs.some(({ run }) => run === chosen)
      ? runs.map(({ run }) => run)
      : [chosen, ...runs.map(({ run }) => run)]
  return (
    <select
      aria-label={label}
      value={chosen ?? ''}
      onChange={(event) => onChoose(event.target.value)}
      className="max-w-56 min-w-0 flex-1 rounded-md border border-strong bg-surface px-2 py-1 font-mono text-[13px]"
    >
      <option value="" disabled>
        choose…
      </option>
      {known.map((run) => (
        <option key={run}>{run}</option>
      ))}
    </select>
  )
}

function Both({ left, right }: { readonly left: string; readonly right: string }): ReactElement {
  const { data, error, refetch } = useComparison(left, right)
  const list = useRef<HTMLDivElement>(null)
  if (error)
    return (
      <div className="mx-auto max-w-lg p-8">
        <Failure error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (!data) return <Loading label="Comparing" />
  const jump = (round: number): void => {
    const found = list.current?.querySelector<HTMLElement>(`[data-round="${round}"]`)
    found?.scrollIntoView({ block: 'start' })
    found?.focus({ preventScroll: true })
  }
  return (
    <div ref={list} data-comparison data-parts={data.parts ?? ''} className="min-h-0 overflow-y-auto">
      <div className="sticky top-0 z-10 flex min-h-10 flex-wrap items-center gap-3 border-b border-line bg-page px-4 py-1.5">
        {data.parts === undefined ? (
          <p role="status">
            <span aria-hidden="true" className="text-good">
              =
            </span>{' '}
            Nothing differs in {plural(data.rounds.length, 'round', 'rounds')}.
          </p>
        ) : (
          <>
            <p role="status">
              <span aria-hidden="true" className="font-semibold text-warn">
                ≠
              </span>{' '}
              They differ from round {data.parts} on.
            </p>
            <Button small onClick={() => jump(data.parts!)}>
              Go to round {data.parts}
            </Button>
          </>
        )}
      </div>
      <Compared comparison={data} />
    </div>
  )
}
