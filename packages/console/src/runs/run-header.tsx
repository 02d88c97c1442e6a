import { Link } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { useMayWrite } from '../api/api.tsx'
import { useOtherBoard, useSteer } from '../api/run-board.ts'
import type { RunBoard, RunCommand } from '../api/runs.ts'
import { readable } from '../ui/text.ts'
import { Button, Icon } from '../ui/ui.tsx'
import { ForkDialog } from './fork-dialog.tsx'
import { changesOf } from './run-settings.ts'
import { canBe, Rounds, Spent, StatusBadge } from './status.tsx'

/** The status of a run, and its commands. The layout never moves. */
export function RunHeader({ board }: { readonly board: RunBoard }): ReactElement {
  const { run, name, seed, status, waiting, rounds, limit, spending, forked, answers } = board
  const reason = waiting.length > 0 ? `It waits for ${waiting.join(', ')}.` : board.reason
  const mayManage = useMayWrite()
  return (
    <header className="border-b border-line bg-surface px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link to="/runs" aria-label="All runs" className="rounded-md px-1 py-1 text-muted hover:bg-sunken">
          <Icon name="back" />
        </Link>
        <div className="min-w-0 grow basis-48">
          <h1 className="flex items-baseline gap-2">
            <span className="truncate font-semibold">{readable(name)}</span>
            <span className="truncate font-mono text-xs text-muted">{run}</span>
          </h1>
          <p className="flex flex-wrap items-center gap-x-3 text-xs text-muted">
            <span>seed {seed}</span>
            {answers !== undefined && (
              <span>
                answers of <RunLink run={answers} />
              </span>
            )}
            {forked && (
              <span>
                forked from <RunLink run={forked.run} /> at round {forked.round}
              </span>
            )}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {mayManage && <Steering board={board} />}
          <Link
            to="/runs/compare"
            search={forked ? { left: forked.run, right: run } : { left: run }}
            className="rounded-md border border-line px-2 py-1.5 text-[13px] font-medium hover:bg-sunken sm:px-3"
          >
            Compare
          </Link>
        </div>
      </div>
      <div className="mt-1 flex min-h-6 items-center gap-x-4 text-[13px]">
        <span className="w-16 shrink-0">
          <StatusBadge status={status} />
        </span>
        <span className="shrink-0">
          Round <Rounds round={rounds.at(-1)?.round ?? 0} limit={limit ?? undefined} />
        </span>
        <Spent spending={spending} />
        <span role="status" className="hidden min-w-0 grow truncate text-muted sm:block" title={reason}>
          {reason === undefined ? '' : readable(reason)}
        </span>
      </div>
      {forked && <ForkChanges board={board} from={forked.run} />}
      {reason !== undefined && <p className="truncate text-xs text-muted sm:hidden">{readable(reason)}</p>}
    </header>
  )
}

/** What the fork changed in the definition. A key that may not see definitions does not see this. */
function ForkChanges({ board, from }: { readonly board: RunBoard; readonly from: string }): ReactElement | null {
  const { data } = useOtherBoard(board.definition === undefined ? undefined : from)
  const changes = changesOf(data?.definition, board.definition)
  if (!changes) return null
  return (
    <p data-fork-changes={changes.length} className="text-xs">
      <span className="text-muted">{changes.length === 0 ? 'The fork changed nothing.' : 'The fork changed '}</span>
      {changes.slice(0, mostChanges).map(({ path, before, after }, index) => (
        <span key={path} className="[overflow-wrap:anywhere]">
          {index > 0 && ', '}
          <span className="font-mono">{path}</span> <s className="text-muted">{before}</s>{' '}
          <span aria-hidden="true">→</span> <b className="font-medium">{after}</b>
        </span>
      ))}
      {changes.length > mostChanges && <span className="text-muted"> and {changes.length - mostChanges} more</span>}
    </p>
  )
}

const mostChanges = 3

function Steering({ board }: { readonly board: RunBoard }): ReactElement {
  const { mutate, isPending, error } = useSteer(board.run)
  const [isForking, setForking] = useState(false)
  const button = (command: RunCommand, label: string, className = ''): ReactElement => (
    <Button
      kind={command === 'stop' ? 'danger' : 'plain'}
      disabled={isPending || !canBe(board.status, command)}
      onClick={() => mutate(command)}
      className={`max-sm:px-2 ${className}`}
    >
      {label}
    </Button>
  )
  return (
    <div role="group" aria-label="Commands of the run" className="flex flex-wrap items-center gap-2">
      {error && (
        <span role="alert" className="max-w-64 truncate text-xs text-bad" title={error.message}>
          {error.message}
        </span>
      )}
      {board.status === 'paused' ? button('resume', 'Resume', steady) : button('pause', 'Pause', steady)}
      {button('stop', 'Stop')}
      {button('retry', 'Retry')}
      <Button onClick={() => setForking(true)} className="max-sm:px-2">
        Fork
      </Button>
      {isForking && <ForkDialog board={board} onClose={() => setForking(false)} />}
    </div>
  )
}

/** Pause and Resume have the same place and width. */
const steady = 'w-18 justify-center sm:w-21'

function RunLink({ run }: { readonly run: string }): ReactElement {
  return (
    <Link to="/runs/$run" params={{ run }} className="font-mono text-accent underline underline-offset-2">
      {run}
    </Link>
  )
}
