import '../runs/runs.css'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { plural } from '../ui/text.ts'
import { Icon } from '../ui/ui.tsx'
import { Overlay } from './overlay.tsx'
import { Pair } from './pair.tsx'

/** Runs compared: many by their figures and outcomes, or two of them round by round. */
export function ComparePage(): ReactElement {
  const { runs = '', left, right } = useSearch({ from: '/runs/compare' })
  const chosen = runs === '' ? [left, right].filter((run) => run !== undefined) : runs.split(' ')
  const isPair = runs === ''
  return (
    <section
      aria-label="Comparison"
      className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]"
    >
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-surface px-3 py-2">
        <Link
          to="/runs"
          search={chosen.length > 0 ? { runs: chosen.join(' ') } : {}}
          aria-label="All runs"
          className="rounded-md px-1 py-1 text-muted hover:bg-sunken"
        >
          <Icon name="back" />
        </Link>
        <h1 className="font-semibold">Compare</h1>
        {!isPair && (
          <span className="text-[13px] text-muted">
            {plural(chosen.length, 'run', 'runs')} ·{' '}
            <Link to="/runs" search={{ runs: chosen.join(' ') }} className="text-accent underline underline-offset-2">
              choose others
            </Link>
          </span>
        )}
        <span className="grow" />
        {chosen.length > 0 && chosen.length <= 2 && <Views chosen={chosen} isPair={isPair} />}
      </header>
      {isPair ? <Pair left={left} right={right} /> : <Overlay runs={chosen} />}
    </section>
  )
}

/** The same runs in another way. */
function Views({ chosen, isPair }: { readonly chosen: readonly string[]; readonly isPair: boolean }): ReactElement {
  const [left, right] = chosen
  const view =
    'rounded-md border border-line px-2 py-1 text-[13px] font-medium hover:bg-sunken aria-[current]:border-accent aria-[current]:bg-accent-soft aria-[current]:text-accent'
  return (
    <nav aria-label="View" className="flex gap-1">
      <Link
        to="/runs/compare"
        search={{ left, ...(right !== undefined && { right }) }}
        aria-current={isPair ? 'page' : undefined}
        className={view}
      >
        Round by round
      </Link>
      <Link
        to="/runs/compare"
        search={{ runs: chosen.join(' ') }}
        aria-current={isPair ? undefined : 'page'}
        className={view}
      >
        Figures and outcomes
      </Link>
    </nav>
  )
}
