import { roundHadOtherEffect } from '@minutebook/experiment/run'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, type ReactElement } from 'react'
import { useComparison, useRuns, type Comparison, type RunSummary } from '../api/runs.ts'
import { Empty, Failure, Loading } from '../ui/placeholders.tsx'
import { plural } from '../ui/text.ts'
import { Button } from '../ui/ui.tsx'
import { Compared } from './compared-rounds.tsx'
import { PairSummary } from './pair-summary.tsx'

interface PairProps {
  readonly left: string | undefined
  readonly right: string | undefined
}

/** Two runs side by side: how they came out, what differs in their definitions, and then round by round. */
export function Pair({ left, right }: PairProps): ReactElement {
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
    <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <div className="flex items-center gap-2 border-b border-line px-3 py-2">
        <RunChoice label="Left run" runs={runs} chosen={left} onChoose={(run) => choose({ left: run, right })} />
        <span className="text-muted">with</span>
        <RunChoice label="Right run" runs={runs} chosen={right} onChoose={(run) => choose({ left, right: run })} />
      </div>
      {left === undefined || right === undefined ? (
        <Empty title="Choose two runs">
          <p>
            They are compared round by round: what each participant was sent, did and said, what the environment was,
            and what differs in the definitions. To compare more of them, choose them in the list of runs.
          </p>
        </Empty>
      ) : (
        <Both left={left} right={right} />
      )}
    </div>
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
      className="max-w-72 min-w-0 flex-1 rounded-md border border-strong bg-surface px-2 py-1 font-mono text-[13px]"
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
  const { only } = useSearch({ from: '/runs/compare' })
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
      <First comparison={data} isOnly={only === 'effects'} onJump={jump} />
      <div className="space-y-3 p-4">
        <PairSummary left={left} right={right} />
        <Compared comparison={data} isOnly={only === 'effects'} />
      </div>
    </div>
  )
}

interface FirstProps {
  readonly comparison: Comparison
  readonly isOnly: boolean
  readonly onJump: (round: number) => void
}

/** The first difference, and whether all of them are shown. */
function First({ comparison: { parts, rounds, left, right }, isOnly, onJump }: FirstProps): ReactElement {
  const navigate = useNavigate()
  const first = isOnly ? rounds.find(roundHadOtherEffect)?.round : parts
  return (
    <div className="sticky top-0 z-10 flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-page px-4 py-1.5">
      <p role="status">
        <span aria-hidden="true" className={first === undefined ? 'text-good' : 'font-semibold text-warn'}>
          {first === undefined ? '=' : '≠'}
        </span>{' '}
        {first !== undefined
          ? `They differ from round ${first} on.`
          : parts === undefined
            ? `Nothing differs in ${plural(rounds.length, 'round', 'rounds')}.`
            : 'Only prompts and words differ.'}
      </p>
      {first !== undefined && (
        <Button small onClick={() => onJump(first)}>
          Go to round {first}
        </Button>
      )}
      <span className="grow" />
      {parts !== undefined && (
        <label
          className="flex min-h-6 items-center gap-1.5 text-[13px]"
          title="Hides what differs only in prompts and words"
        >
          <input
            type="checkbox"
            checked={isOnly}
            onChange={() =>
              void navigate({
                to: '/runs/compare',
                search: { left, right, ...(!isOnly && { only: 'effects' as const }) },
                replace: true,
              })
            }
          />
          Only tool calls, outcomes and variables
        </label>
      )}
    </div>
  )
}
