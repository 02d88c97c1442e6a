import './runs.css'
import { ApiError } from '@minutebook/client'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo, type KeyboardEvent, type ReactElement } from 'react'
import { useBoard } from '../api/run-board.ts'
import type { RunBoard } from '../api/runs.ts'
import { CutOff, Empty, Failure, Loading } from '../ui/placeholders.tsx'
import { CellPanel } from './cell-panel.tsx'
import { goalLinesOf } from '@minutebook/experiment/run'
import { cellAt, gridOf, type GridCell } from './grid.ts'
import { Monitor } from './monitor.tsx'
import { RunHeader } from './run-header.tsx'
import type { Zoom } from './use-columns.ts'
import { StripLegend, ZoomChoice } from './zoom.tsx'

/** A run, live: what each participant does in each round, and how the environment changes. */
export function RunPage(): ReactElement {
  const { run } = useParams({ from: '/runs/$run' })
  const {
    board: { data, error, refetch },
    isCutOff,
  } = useBoard(run)
  if (error instanceof ApiError && error.status === 404)
    return (
      <Empty title="No such run">
        <p>
          There is no run with this name, or this key may not see it.{' '}
          <Link to="/runs" className="text-accent underline">
            Go to all runs
          </Link>
          , or check the address.
        </p>
      </Empty>
    )
  if (error && !data)
    return (
      <div className="mx-auto max-w-lg p-8">
        <Failure error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (!data) return <Loading label="Reading the run" />
  return <Watched key={run} board={data} isCutOff={isCutOff} />
}

function Watched({ board, isCutOff }: { readonly board: RunBoard; readonly isCutOff: boolean }): ReactElement {
  const { round, participant, zoom = 'rounds' } = useSearch({ from: '/runs/$run' })
  const navigate = useNavigate()
  const grid = useMemo(() => gridOf(board), [board])
  const goals = useMemo(() => goalLinesOf(board.definition), [board.definition])
  const chosen = round === undefined || participant === undefined ? undefined : cellAt(grid, participant, round)
  const go = (place: Pick<GridCell, 'round' | 'participant'> | undefined, next: Zoom): void =>
    void navigate({
      to: '/runs/$run',
      params: { run: board.run },
      search: {
        round: place?.round,
        participant: place?.participant,
        ...(next !== 'rounds' && { zoom: next }),
      },
      replace: true,
    })
  const choose = (cell?: Pick<GridCell, 'round' | 'participant'>): void => go(cell, zoom)
  const close = (event: KeyboardEvent): void => {
    // Escape in a dialog closes only the dialog.
    if (event.key === 'Escape' && chosen && !(event.target instanceof Element && event.target.closest('dialog')))
      choose()
  }
  return (
    <section
      aria-label="Run"
      data-run={board.run}
      onKeyDown={close}
      className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)]"
    >
      <RunHeader board={board} />
      <div
        className={`flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1 ${chosen ? 'max-lg:hidden' : ''}`}
      >
        <ZoomChoice zoom={zoom} onChoose={(next) => go(chosen, next)} />
        {zoom === 'overview' && <StripLegend />}
        <span className="grow" />
        <Link
          to="/runs/compare"
          search={{ runs: board.run }}
          className="inline-flex min-h-6 items-center text-[13px] text-accent underline underline-offset-2"
        >
          Figures
        </Link>
      </div>
      <div
        className={`grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] ${chosen ? 'lg:grid-cols-[minmax(0,1fr)_27rem]' : ''}`}
      >
        <div className={`relative min-h-0 min-w-0 ${chosen ? 'hidden lg:block' : ''}`}>
          {isCutOff && (
            <div className="absolute inset-x-0 top-0 z-30">
              <CutOff />
            </div>
          )}
          <Monitor board={board} grid={grid} goals={goals} zoom={zoom} chosen={chosen} onChoose={choose} />
        </div>
        {chosen && <CellPanel board={board} cell={chosen} onChoose={choose} onClose={() => choose()} />}
      </div>
    </section>
  )
}
