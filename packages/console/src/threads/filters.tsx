import type { ReactElement } from 'react'
import type { Mark } from '../api/threads.ts'

const filters: readonly (readonly [mark: Mark, name: string, says: string])[] = [
  ['truncated', 'Truncated', 'A model server cut off a part of a prompt'],
  ['overflow', 'Overflow', 'Something did not fit into the window'],
  ['failed', 'Failed', 'A turn failed'],
  ['partial', 'Partial', 'An answer is not whole'],
]

export interface FiltersProps {
  readonly chosen: readonly Mark[]
  readonly onChange: (chosen: readonly Mark[]) => void
}

/** Which threads are shown: those that have one of the marks. */
export function Filters({ chosen, onChange }: FiltersProps): ReactElement {
  const toggle = (mark: Mark): void =>
    onChange(chosen.includes(mark) ? chosen.filter((each) => each !== mark) : [...chosen, mark])
  return (
    <div role="group" aria-label="Only threads that are" className="flex flex-wrap gap-1">
      {filters.map(([mark, name, says]) => (
        <button
          key={mark}
          type="button"
          aria-pressed={chosen.includes(mark)}
          title={says}
          onClick={() => toggle(mark)}
          className="rounded border border-line px-1.5 py-0.5 text-xs text-muted hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
        >
          {name}
        </button>
      ))}
    </div>
  )
}
