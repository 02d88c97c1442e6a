import type { ReactElement } from 'react'
import { statusLooks, statuses } from './status.ts'
import type { RunStatus, RunSummary } from './types.ts'

export interface StatusFilterProps {
  readonly runs: readonly RunSummary[]
  readonly chosen: readonly RunStatus[]
  readonly onChange: (chosen: readonly RunStatus[]) => void
}

/** Which runs are shown: those that stand in one of the chosen ways. */
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
