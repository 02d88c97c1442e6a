import { useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { ranges, type Last, type Overview } from '../api/overview.ts'
import { readable } from '../ui/text.ts'

type Names = Overview['models']

interface FiltersProps {
  readonly last: Last
  readonly model: string | undefined
  /** The key whose calls are counted. */
  readonly callKey: string | undefined
  readonly models: Names
  readonly keys: Names
}

/** Time, model and key. All three are in the address, so that a link shows the same. */
export function Filters({ last, model, callKey: key, models, keys }: FiltersProps): ReactElement {
  const navigate = useNavigate()
  const go = (change: {
    readonly last?: Last
    readonly model?: string | undefined
    readonly key?: string | undefined
  }): void => void navigate({ to: '/', search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div
        role="group"
        aria-label="Range of time"
        className="flex overflow-hidden rounded-md border border-line text-xs"
      >
        {ranges.map((range) => (
          <button
            key={range.short}
            type="button"
            title={range.title}
            aria-pressed={range.last === last}
            onClick={() => go({ last: range.last })}
            className="min-h-7 border-l border-line bg-surface px-2 font-medium text-muted -outline-offset-2 first:border-l-0 hover:bg-sunken aria-pressed:bg-accent-soft aria-pressed:text-accent"
          >
            {range.short}
          </button>
        ))}
      </div>
      <Choice label="Model" all="All models" names={models} chosen={model} onChoose={(name) => go({ model: name })} />
      {(keys.some(({ name }) => name) || key !== undefined) && (
        <Choice label="Key" all="All keys" names={keys} chosen={key} onChoose={(name) => go({ key: name })} />
      )}
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly all: string
  readonly names: Names
  readonly chosen: string | undefined
  readonly onChoose: (name: string | undefined) => void
}

function Choice({ label, all, names, chosen, onChoose }: ChoiceProps): ReactElement {
  const known = names.flatMap(({ name }) => (name ? [name] : []))
  const listed = chosen === undefined || known.includes(chosen) ? known : [chosen, ...known]
  return (
    <select
      aria-label={label}
      value={chosen ?? ''}
      onChange={(event) => onChoose(event.target.value === '' ? undefined : event.target.value)}
      className="min-h-7 max-w-44 rounded-md border border-line bg-surface px-1.5 text-xs text-ink"
    >
      <option value="">{all}</option>
      {listed.map((name) => (
        <option key={name} value={name}>
          {readable(name)}
        </option>
      ))}
    </select>
  )
}
