import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { readable } from '../transcript/readable.ts'
import { TimeAgo } from '../ui/time-ago.tsx'
import { Spent } from './spent.tsx'
import { StatusBadge } from './status-badge.tsx'
import type { RunSummary } from './types.ts'

/** Runs, one in a row. */
export function RunTable({ runs }: { readonly runs: readonly RunSummary[] }): ReactElement {
  return (
    <table className="w-full border-collapse text-[13px]">
      <thead className="sticky top-0 z-10 bg-page text-left text-xs text-muted">
        <tr className="[&>th]:px-3 [&>th]:py-1.5 [&>th]:font-medium">
          <th scope="col">Run</th>
          <th scope="col">Status</th>
          <th scope="col">Round</th>
          <th scope="col" className="hidden lg:table-cell">
            Why
          </th>
          <th scope="col" className="hidden text-right md:table-cell">
            Spending
          </th>
          <th scope="col" className="text-right">
            When
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row key={run.run} run={run} />
        ))}
      </tbody>
    </table>
  )
}

function Row({
  run: { run, name, status, reason, round, limit, spending, began, changed, forked },
}: {
  readonly run: RunSummary
}): ReactElement {
  const time = changed ?? began
  return (
    <tr data-run={run} className="border-t border-line align-top hover:bg-sunken [&>td]:px-3 [&>td]:py-2">
      <td className="max-w-36 sm:max-w-64">
        <Link
          to="/runs/$run"
          params={{ run }}
          className="block truncate font-medium text-ink underline-offset-2 hover:underline"
        >
          {readable(name)}
        </Link>
        <span className="block truncate font-mono text-xs text-muted">
          {run}
          {forked && `, from ${forked.run} at ${forked.round}`}
        </span>
      </td>
      <td>
        <StatusBadge status={status} />
      </td>
      <td className="whitespace-nowrap tabular-nums">
        <Rounds round={round} limit={limit ?? undefined} />
      </td>
      <td className="hidden max-w-96 lg:table-cell">
        <span className="line-clamp-2 text-muted">{reason === undefined ? '' : readable(reason)}</span>
      </td>
      <td className="hidden text-right md:table-cell">
        <Spent spending={spending} />
      </td>
      <td className="text-right">{time !== undefined && <TimeAgo time={time} />}</td>
    </tr>
  )
}

/** How far it came, of how far it may go. */
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
