import { useMatchRoute, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState, type ReactElement, type ReactNode } from 'react'
import { sortsIn, threadSorts, useShownSorts, type ThreadSort } from '../api/shown-threads.ts'
import { useThreadCounts, type Mark } from '../api/threads.ts'
import { grouped } from '../ui/text.ts'

const markNames: readonly (readonly [mark: Mark, name: string, says: string])[] = [
  ['truncated', 'Truncated', 'A model server cut off a part of a prompt'],
  ['overflow', 'Overflow', 'Something did not fit into the window'],
  ['failed', 'Failed', 'A turn failed'],
  ['partial', 'Partial', 'An answer is incomplete'],
]

const sortNames: Readonly<Record<ThreadSort, readonly [name: string, says: string]>> = {
  runs: ['Runs', 'Also show threads of participants of experiments'],
  'one-offs': ['One-offs', 'Also show single questions through the gateway, such as for titles'],
  forks: ['Forks', 'Also show forks of other threads'],
}

interface ThreadFilter {
  readonly marks: readonly Mark[]
  readonly shown: readonly ThreadSort[]
  readonly choose: (filter: Partial<Pick<ThreadFilter, 'marks' | 'shown'>>) => void
}

/** What the list shows. On the page of all threads it is in the address. The sorts are remembered. */
export function useThreadFilter(): ThreadFilter {
  const matches = useMatchRoute()
  const isAtHome = matches({ to: '/' }) !== false
  const isAtList = isAtHome || matches({ to: '/threads' }) !== false
  const address = useSearch({ strict: false })
  const [marks, setMarks] = useState<readonly Mark[]>([])
  const { shown, choose: chooseSorts } = useShownSorts()
  const navigate = useNavigate()
  const asked = isAtList ? address.show : undefined
  const wanted = isAtList ? address.marks : undefined
  useEffect(() => {
    if (asked !== undefined) chooseSorts(sortsIn(asked))
  }, [asked])
  useEffect(() => {
    if (wanted !== undefined) setMarks(marksIn(wanted))
  }, [wanted])
  const choose: ThreadFilter['choose'] = (next) => {
    const then = { marks: next.marks ?? marks, shown: sortsIn((next.shown ?? shown).join(',')) }
    setMarks(then.marks)
    if (next.shown) chooseSorts(then.shown)
    if (isAtList)
      void navigate({
        to: isAtHome ? '/' : '/threads',
        search: (before) => ({
          ...before,
          show: then.shown.length > 0 ? then.shown.join(',') : 'none',
          marks: then.marks.length > 0 ? then.marks.join(',') : undefined,
        }),
        replace: true,
      })
  }
  return { marks, shown, choose }
}

function marksIn(text: string): readonly Mark[] {
  const words = text.split(',')
  return markNames.map(([mark]) => mark).filter((mark) => words.includes(mark))
}

/** The filters of the list, with how many of the newest threads each is about. */
export function ThreadFilters({ filter: { marks, shown, choose } }: { readonly filter: ThreadFilter }): ReactElement {
  const counts = useThreadCounts()
  const more = counts?.whole === false ? '+' : ''
  return (
    <div className="flex flex-wrap gap-x-3 gap-y-1">
      <div role="group" aria-label="Only threads that are" className="flex flex-wrap gap-1">
        {markNames.map(([mark, name, says]) => (
          <Toggle
            key={mark}
            isOn={marks.includes(mark)}
            says={says}
            onClick={() => choose({ marks: toggled(marks, mark) })}
          >
            {name}
            {counts && counts.marks[mark] > 0 && ` ${grouped(counts.marks[mark])}${more}`}
          </Toggle>
        ))}
      </div>
      <div role="group" aria-label="Also show" className="flex flex-wrap items-center gap-1">
        <span aria-hidden="true" className="text-xs text-muted">
          Show
        </span>
        {threadSorts.map((sort) => (
          <Toggle
            key={sort}
            isOn={shown.includes(sort)}
            says={sortNames[sort][1]}
            onClick={() => choose({ shown: toggled(shown, sort) })}
          >
            {sortNames[sort][0]}
            {counts && counts.sorts[sort] > 0 && ` ${grouped(counts.sorts[sort])}${more}`}
          </Toggle>
        ))}
      </div>
    </div>
  )
}

interface ToggleProps {
  readonly isOn: boolean
  readonly says: string
  readonly onClick: () => void
  readonly children: ReactNode
}

function Toggle({ isOn, says, onClick, children }: ToggleProps): ReactElement {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      title={says}
      onClick={onClick}
      className="min-h-6 rounded border border-line px-1.5 py-0.5 text-xs text-muted hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
    >
      {children}
    </button>
  )
}

function toggled<T>(values: readonly T[], value: T): readonly T[] {
  return values.includes(value) ? values.filter((each) => each !== value) : [...values, value]
}
