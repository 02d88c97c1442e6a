import type { ReactElement } from 'react'
import type { RunCommand, RunStatus, RunSummary, Spending } from '../api/runs.ts'
import { grouped } from '../ui/text.ts'
import { Badge } from '../ui/ui.tsx'

interface StatusLook {
  readonly word: string
  readonly tone: 'plain' | 'warn' | 'bad' | 'good' | 'accent'
}

const statusLooks: Readonly<Record<RunStatus, StatusLook>> = {
  running: { word: 'running', tone: 'accent' },
  waiting: { word: 'waiting', tone: 'warn' },
  paused: { word: 'paused', tone: 'warn' },
  stopping: { word: 'stopping', tone: 'warn' },
  success: { word: 'success', tone: 'good' },
  failure: { word: 'failure', tone: 'bad' },
  limit: { word: 'limit', tone: 'plain' },
  stopped: { word: 'stopped', tone: 'plain' },
  error: { word: 'error', tone: 'bad' },
}

export const statuses = Object.keys(statusLooks) as readonly RunStatus[]

const possible: Readonly<Record<RunStatus, readonly RunCommand[]>> = {
  running: ['pause', 'stop'],
  waiting: ['pause', 'stop'],
  paused: ['resume', 'stop'],
  stopping: [],
  success: [],
  failure: [],
  limit: [],
  stopped: ['retry'],
  error: ['retry'],
}

/** Whether a run with this status accepts a command. */
export function canBe(status: RunStatus, command: RunCommand): boolean {
  return possible[status].includes(command)
}

/** The status of a run. */
export function StatusBadge({ status }: { readonly status: RunStatus }): ReactElement {
  const { word, tone } = statusLooks[status]
  return (
    <span data-run-status={status}>
      <Badge tone={tone}>{word}</Badge>
    </span>
  )
}

interface StatusFilterProps {
  readonly runs: readonly RunSummary[]
  readonly chosen: readonly RunStatus[]
  readonly onChange: (chosen: readonly RunStatus[]) => void
}

/** Filters the runs by status. */
export function StatusFilter({ runs, chosen, onChange }: StatusFilterProps): ReactElement {
  const toggle = (status: RunStatus): void =>
    onChange(chosen.includes(status) ? chosen.filter((each) => each !== status) : [...chosen, status])
  const counts = Map.groupBy(runs, ({ status }) => status)
  return (
    <div role="group" aria-label="Only runs that are" className="flex flex-wrap gap-1">
      {statuses
        .filter((status) => counts.has(status) || chosen.includes(status))
        .map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={chosen.includes(status)}
            onClick={() => toggle(status)}
            className="rounded border border-line px-1.5 py-0.5 text-xs text-muted hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
          >
            {statusLooks[status].word} <span className="tabular-nums">{counts.get(status)?.length ?? 0}</span>
          </button>
        ))}
    </div>
  )
}

/** What the model calls used: tokens, and the cost if it is known. */
export function Spent({
  spending: { prompt, completion, calls, cost },
}: {
  readonly spending: Spending
}): ReactElement {
  return (
    <span
      className="whitespace-nowrap tabular-nums"
      title={`${grouped(calls)} model calls: ${grouped(prompt)} tokens of prompts, ${grouped(completion)} of answers`}
    >
      {grouped(prompt + completion)} tokens{cost !== undefined && ` · $${cost < 1 ? cost.toFixed(4) : cost.toFixed(2)}`}
    </span>
  )
}

/** The rounds so far, of the most allowed. */
export function Rounds({ round, limit }: { readonly round: number; readonly limit: number | undefined }): ReactElement {
  return (
    <span className="inline-flex items-center gap-2 tabular-nums">
      <span>
        {round}
        {limit !== undefined && <span className="text-muted"> of {limit}</span>}
      </span>
      {limit !== undefined && (
        <span aria-hidden="true" className="hidden h-1.5 w-16 overflow-hidden rounded-full bg-sunken sm:inline-block">
          <span className="block h-full bg-accent" style={{ width: `${Math.min(100, (100 * round) / limit)}%` }} />
        </span>
      )}
    </span>
  )
}
