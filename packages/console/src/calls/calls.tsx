import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { useIsAdmin } from '../api/api.tsx'
import { useAllCalls, useCallCounts, type CallFilter } from '../api/call-list.ts'
import { CutOff, Empty, Failure, Loading } from '../ui/placeholders.tsx'
import { grouped, plural } from '../ui/text.ts'
import { Button } from '../ui/ui.tsx'
import { CallFilters, flagNames, outcomeNames } from './call-filters.tsx'
import { CallTable } from './call-table.tsx'

/** The model calls of all threads, the newest first. New ones appear by themselves. */
export function CallsPage(): ReactElement {
  const { filter, choose, isFiltered } = useFilter()
  const [isPaused, setPaused] = useState(false)
  /** On a narrow screen they are opened by hand. */
  const [areOpen, setOpen] = useState(false)
  const { calls, waiting, isWaitingMore, ...list } = useAllCalls(filter, isPaused)
  const counts = useCallCounts(filter, isPaused)
  return (
    <section
      aria-label="Calls"
      data-calls
      aria-busy={calls === undefined}
      className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]"
    >
      <header className="space-y-2 border-b border-line bg-surface px-4 py-2">
        <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="font-semibold">Calls</h1>
          <p role="status" className="text-xs text-muted">
            {isPaused ? `Paused${waiting > 0 ? ` · ${grouped(waiting)}${isWaitingMore ? '+' : ''} new` : ''}` : 'Live'}
          </p>
          <span className="grow" />
          {isFiltered && (
            <Button kind="quiet" small onClick={() => choose({ outcomes: [], flags: [] })}>
              Remove all filters
            </Button>
          )}
          <Button
            kind="quiet"
            small
            className="sm:hidden"
            aria-expanded={areOpen}
            aria-controls="call-filters"
            onClick={() => setOpen(!areOpen)}
          >
            Filters
          </Button>
          <Button small aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {isPaused ? (waiting > 0 ? `Show ${grouped(waiting)}${isWaitingMore ? '+' : ''} new` : 'Resume') : 'Pause'}
          </Button>
        </div>
        <div id="call-filters" className={areOpen ? '' : 'hidden sm:block'}>
          <CallFilters filter={filter} counts={counts} choose={choose} />
        </div>
      </header>
      <div className="min-h-0 overflow-auto [overflow-anchor:none]">
        {list.isCutOff && <CutOff />}
        {list.error !== null && list.error !== undefined && (
          <div className="mx-auto max-w-lg p-8">
            <Failure error={list.error} onRetry={list.again} />
          </div>
        )}
        {!calls && !list.error && <Loading label="Reading the calls" />}
        {calls && calls.length > 0 && <CallTable calls={calls} />}
        {calls?.length === 0 && !list.hasMore && <NoCalls isFiltered={isFiltered} />}
        {calls && (
          <p role="status" className="p-3 text-center text-xs text-muted">
            {list.hasMore ? (
              <>
                {calls.length > 0 && `${plural(calls.length, 'call', 'calls')}. `}
                {list.from !== undefined && isFiltered && `Looked back to ${new Date(list.from).toLocaleString()}. `}
                <Button small disabled={list.isLoadingMore} onClick={list.more}>
                  {list.isLoadingMore ? 'Looking…' : 'Show older calls'}
                </Button>
              </>
            ) : (
              calls.length > 0 && plural(calls.length, 'call', 'calls')
            )}
          </p>
        )}
      </div>
    </section>
  )
}

function NoCalls({ isFiltered }: { readonly isFiltered: boolean }): ReactElement {
  return isFiltered ? (
    <Empty title="No calls match">
      <p>Remove a filter to see more.</p>
    </Empty>
  ) : (
    <Empty title="No model calls yet">
      <p>As soon as an app calls a model through this server, the call appears here.</p>
    </Empty>
  )
}

/** The filter, which is in the address. */
function useFilter(): {
  readonly filter: CallFilter
  readonly choose: (filter: CallFilter) => void
  readonly isFiltered: boolean
} {
  const { ended, flag, model, owner, range } = useSearch({ from: '/calls' })
  const navigate = useNavigate()
  const isAdmin = useIsAdmin()
  const filter: CallFilter = {
    outcomes: chosen(ended, outcomeNames),
    flags: chosen(flag, flagNames),
    model,
    // A link of an admin still works for others, without what they may not filter by.
    owner: isAdmin ? owner : undefined,
    range,
  }
  const choose = (next: CallFilter): void =>
    void navigate({
      to: '/calls',
      search: {
        ...(next.outcomes.length > 0 && { ended: next.outcomes.join(',') }),
        ...(next.flags.length > 0 && { flag: next.flags.join(',') }),
        model: next.model,
        owner: next.owner,
        range: next.range,
      },
      replace: true,
    })
  const isFiltered = [ended, flag, model, owner, range].some((value) => value !== undefined)
  return { filter, choose, isFiltered }
}

/** The words of a text that are names of this table. */
function chosen<Word extends string>(text: string | undefined, names: Readonly<Record<Word, unknown>>): Word[] {
  return (text?.split(',') ?? []).filter((word): word is Word => Object.hasOwn(names, word))
}
