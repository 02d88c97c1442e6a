import { useState, type ReactElement } from 'react'
import { useAbout } from '../api/about.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { BeginDialog } from './begin-dialog.tsx'
import { RunTable } from './run-table.tsx'
import { StatusFilter } from './status-filter.tsx'
import type { RunStatus } from './types.ts'
import { useRuns } from './use-runs.ts'

/** The board of runs. */
export function RunsPage(): ReactElement {
  const { runs: data, error, isPending, hasMore, more, again } = useRuns()
  const [chosen, setChosen] = useState<readonly RunStatus[]>([])
  const [isBeginning, setBeginning] = useState(false)
  const mayBegin = useAbout().scope !== 'viewer'
  const shown = data?.filter(({ status }) => chosen.length === 0 || chosen.includes(status)) ?? []
  return (
    <section
      aria-label="Runs"
      data-runs
      aria-busy={isPending}
      className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]"
    >
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-2">
        <h1 className="font-semibold">Runs</h1>
        {data && data.length > 0 && <StatusFilter runs={data} chosen={chosen} onChange={setChosen} />}
        <span className="grow" />
        {mayBegin && (
          <Button kind="primary" onClick={() => setBeginning(true)}>
            Begin a run
          </Button>
        )}
      </header>
      <div className="min-h-0 overflow-auto">
        {error && !data && (
          <div className="mx-auto max-w-lg p-8">
            <Failure error={error} onRetry={again} />
          </div>
        )}
        {isPending && <Loading label="Reading the runs" />}
        {data?.length === 0 && <NoRuns mayBegin={mayBegin} />}
        {data && data.length > 0 && shown.length === 0 && (
          <Empty title="No run stands like that">
            <p>Take a filter away to see more.</p>
          </Empty>
        )}
        {shown.length > 0 && <RunTable runs={shown} />}
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
