import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useOverview, type Overview } from '../api/overview.ts'
import { Failure, Loading } from '../ui/placeholders.tsx'
import { FigureCards } from './figure-cards.tsx'
import { Filters } from './filters.tsx'
import { NeedsALook } from './needs-a-look.tsx'
import { TokenChart } from './token-chart.tsx'
import { VerdictShares } from './verdict-shares.tsx'

const route = getRouteApi('/')

/** What happens in all threads: figures, tokens over time, and the threads that need a look. */
export function OverviewPage(): ReactElement {
  const { last, model, key } = route.useSearch()
  const { data, error, isPending, isPlaceholderData, refetch } = useOverview({ last, model, key })
  return (
    <div className="h-full overflow-y-auto p-3 sm:p-4" data-overview aria-busy={isPending || isPlaceholderData}>
      <div className="mx-auto max-w-6xl space-y-3">
        <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="text-lg font-semibold">Overview</h1>
          <span className="grow" />
          <Filters {...{ last, model, callKey: key }} models={data?.models ?? []} keys={data?.keys ?? []} />
        </header>
        {isPending && <Loading label="Adding up the calls" />}
        {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
        {data && <Figures overview={data} />}
      </div>
    </div>
  )
}

function Figures({ overview }: { readonly overview: Overview }): ReactElement {
  const { totals, models, problems, threads } = overview
  return (
    <>
      <FigureCards totals={totals} models={models.length} />
      <div className="grid gap-3 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <TokenChart overview={overview} />
        <VerdictShares totals={totals} />
      </div>
      <NeedsALook problems={problems} {...threads} />
      <p className="text-xs text-muted">
        A call counts when its answer is recorded. These figures stay when a thread is erased or removed; the list has
        only threads that still exist.
      </p>
    </>
  )
}
