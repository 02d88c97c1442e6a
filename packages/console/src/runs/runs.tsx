import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { useMayWrite } from '../api/api.tsx'
import { useRuns, type RunStatus, type RunSummary } from '../api/runs.ts'
import { Empty, Failure, Loading } from '../ui/placeholders.tsx'
import { readable } from '../ui/text.ts'
import { Button, TimeAgo } from '../ui/ui.tsx'
import { BeginDialog } from './begin-dialog.tsx'
import { ChooseBar } from './choose-bar.tsx'
import { Rounds, Spent, StatusBadge, statuses, StatusFilter } from './status.tsx'

/** The list of runs. Those that are chosen are compared. */
export function RunsPage(): ReactElement {
  const { runs: data, error, isPending, hasMore, more, again } = useRuns()
  const search = useSearch({ from: '/runs' })
  const navigate = useNavigate({ from: '/runs' })
  const only = statuses.filter((status) => search.status?.split(' ').includes(status))
  const chosen = search.runs?.split(' ') ?? []
  const go = (next: { readonly only?: readonly RunStatus[]; readonly chosen?: readonly string[] }): void =>
    void navigate({
      search: {
        status: (next.only ?? only).join(' ') || undefined,
        runs: (next.chosen ?? chosen).join(' ') || undefined,
      },
      replace: true,
    })
  const [isBeginning, setBeginning] = useState(false)
  const mayBegin = useMayWrite()
  const shown = data?.filter(({ status }) => only.length === 0 || only.includes(status)) ?? []
  return (
    <section
      aria-label="Runs"
      data-runs
      aria-busy={isPending}
      className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)]"
    >
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-2">
        <h1 className="font-semibold">Runs</h1>
        {data && data.length > 0 && <StatusFilter runs={data} chosen={only} onChange={(next) => go({ only: next })} />}
        <span className="grow" />
        {mayBegin && (
          <Button kind="primary" onClick={() => setBeginning(true)}>
            Begin a run
          </Button>
        )}
      </header>
      <div>
        {chosen.length > 0 && <ChooseBar runs={data ?? []} chosen={chosen} onChange={(next) => go({ chosen: next })} />}
      </div>
      <div className="min-h-0 overflow-auto">
        {error && !data && (
          <div className="mx-auto max-w-lg p-8">
            <Failure error={error} onRetry={again} />
          </div>
        )}
        {isPending && <Loading label="Reading the runs" />}
        {data?.length === 0 && <NoRuns mayBegin={mayBegin} />}
        {data && data.length > 0 && shown.length === 0 && (
          <Empty title="No runs with this status">
            <p>Remove a filter to see more.</p>
          </Empty>
        )}
        {shown.length > 0 && <RunTable runs={shown} chosen={chosen} onChange={(next) => go({ chosen: next })} />}
        {hasMore && (
          <p className="p-3 text-center">
            <Button small onClick={more}>
              Show older runs
            </Button>
          </p>
        )}
      </div>
      {isBeginning && <BeginDialog onClose={() => setBeginning(false)} />}
    </section>
  )
}

function NoRuns({ mayBegin }: { readonly mayBegin: boolean }): ReactElement {
  return (
    <Empty title="No experiment was run yet">
      <p>An experiment says who takes part, in what world, and when it is over. Write one as a file, and run it:</p>
      <pre className="overflow-x-auto rounded-md border border-line bg-surface p-3 text-left">
        minutebook run file.yaml
      </pre>
      {mayBegin && (
        <p>
          Or begin one here: <b>Begin a run</b>.
        </p>
      )}
    </Empty>
  )
}

interface RunTableProps {
  readonly runs: readonly RunSummary[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** The runs, one per row, with boxes that choose them. */
function RunTable({ runs, chosen, onChange }: RunTableProps): ReactElement {
  const toggle = (run: string): void =>
    onChange(chosen.includes(run) ? chosen.filter((each) => each !== run) : [...chosen, run])
  return (
    <table className="w-full border-collapse text-[13px]">
      <thead className="sticky top-0 z-10 bg-page text-left text-xs text-muted">
        <tr className="[&>th]:px-3 [&>th]:py-1.5 [&>th]:font-medium">
          <td className="w-8" />
          <th scope="col">Run</th>
          <th scope="col">Status</th>
          <th scope="col">Round</th>
          <th scope="col" className="hidden lg:table-cell">
            Why
          </th>
          <th scope="col" className="hidden text-right md:table-cell">
            Tokens
          </th>
          <th scope="col" className="text-right">
            When
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row key={run.run} run={run} isChosen={chosen.includes(run.run)} onToggle={() => toggle(run.run)} />
        ))}
      </tbody>
    </table>
  )
}

function Row({
  run: { run, name, status, reason, round, limit, spending, began, changed, forked },
  isChosen,
  onToggle,
}: {
  readonly run: RunSummary
  readonly isChosen: boolean
  readonly onToggle: () => void
}): ReactElement {
  const time = changed ?? began
  return (
    <tr data-run={run} className="border-t border-line align-top hover:bg-sunken [&>td]:px-3 [&>td]:py-2">
      <td className="pr-0!">
        <label className="grid size-6 cursor-pointer place-items-center">
          <input type="checkbox" checked={isChosen} onChange={onToggle} aria-label={`Choose ${run}`} />
        </label>
      </td>
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
