import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { mostCompared } from '../api/outcomes.ts'
import type { RunSummary } from '../api/runs.ts'
import { plural, readable } from '../ui/text.ts'
import { Button } from '../ui/ui.tsx'

interface ChooseBarProps {
  /** The runs in the list. */
  readonly runs: readonly RunSummary[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** What can be done with the chosen runs, and a way to choose all runs of their experiments. */
export function ChooseBar({ runs, chosen, onChange }: ChooseBarProps): ReactElement {
  const names = [...new Set(runs.filter(({ run }) => chosen.includes(run)).map(({ name }) => name))]
  const offers = names.slice(0, mostOffers).flatMap((name) => {
    const all = runs.filter((run) => run.name === name).map(({ run }) => run)
    return all.every((run) => chosen.includes(run)) ? [] : [{ name, all }]
  })
  return (
    <div
      role="group"
      aria-label="Chosen runs"
      data-chosen={chosen.length}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-accent-soft px-4 py-1.5 text-[13px]"
    >
      <span role="status">
        {chosen.length > mostCompared
          ? `${plural(chosen.length, 'run', 'runs')} chosen; at most ${mostCompared} can be compared.`
          : `${plural(chosen.length, 'run', 'runs')} chosen`}
      </span>
      <Link
        to="/runs/compare"
        search={{ runs: chosen.slice(0, mostCompared).join(' ') }}
        className="rounded-md border border-accent bg-accent px-3 py-1 font-medium text-on-accent hover:brightness-110"
      >
        Compare
      </Link>
      {offers.map(({ name, all }) => (
        <Button key={name} small onClick={() => onChange([...new Set([...chosen, ...all])])} className="max-w-72">
          <span className="truncate">
            All {all.length} of {readable(name)}
          </span>
        </Button>
      ))}
      <Button kind="quiet" small onClick={() => onChange([])}>
        Clear
      </Button>
    </div>
  )
}

const mostOffers = 3
