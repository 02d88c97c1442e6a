import { useState, type ReactElement, type ReactNode } from 'react'
import {
  ranges,
  type CallCounts,
  type CallFilter,
  type CallFlag,
  type CallRange,
  type Outcome,
} from '../api/call-list.ts'
import { grouped, readable } from '../ui/text.ts'

/** How a call ended, in words. */
export const outcomeNames: Readonly<Record<Outcome, string>> = {
  stop: 'Answered',
  calls: 'Called tools',
  length: 'Cut short',
  filter: 'Filtered',
  unknown: 'Ended',
  cancelled: 'Cancelled',
  failed: 'Failed',
  refused: 'Refused',
  unfit: 'Wrong form',
}

export const outcomeTitles: Readonly<Record<Outcome, string>> = {
  stop: 'The model finished its answer',
  calls: 'The model called tools',
  length: 'The answer was cut short by its limit',
  filter: 'A filter of the model server stopped the answer',
  unknown: 'The model server did not say why the answer ended',
  cancelled: 'It was stopped before the answer was whole',
  failed: 'The model server failed or could not be reached',
  refused: 'The server has a smaller window: the question was sent again in a prompt that fits',
  unfit: 'The answer did not have the form that was asked for: the question was sent again',
}

export const flagNames: Readonly<Record<CallFlag, string>> = {
  cut: 'Cut by the server',
  omitted: 'Left out',
  clipped: 'Clipped',
  slow: 'Slow',
}

export const flagTitles: Readonly<Record<CallFlag, string>> = {
  cut: 'The model server cut off a part of the prompt, by its own count',
  omitted: 'At least one entry was left out of the prompt',
  clipped: 'At least one entry was shortened',
  slow: 'It took 10 seconds or more',
}

const rangeNames: Readonly<Record<CallRange, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
}

interface CallFiltersProps {
  readonly filter: CallFilter
  readonly counts: CallCounts | undefined
  readonly choose: (filter: CallFilter) => void
}

/** The filters of the list, each value with how many calls have it. */
export function CallFilters({ filter, counts, choose }: CallFiltersProps): ReactElement {
  const outcomes = keysOf(outcomeNames).filter(
    (value) => filter.outcomes.includes(value) || countOf(counts?.outcome, value) > 0,
  )
  const chip = (value: string, count: readonly ValueCount[] | undefined) => ({
    count: counts && countOf(count, value),
    isMore: counts?.whole === false,
  })
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1.5">
      <Group label="Time">
        {keysOf(ranges).map((range) => (
          <Chip
            key={range}
            isOn={filter.range === range}
            onClick={() => choose({ ...filter, range: filter.range === range ? undefined : range })}
          >
            {rangeNames[range]}
          </Chip>
        ))}
      </Group>
      <Group label="Flag">
        {keysOf(flagNames).map((flag) => (
          <Chip
            key={flag}
            isOn={filter.flags.includes(flag)}
            title={flagTitles[flag]}
            {...chip(flag, counts?.flag)}
            onClick={() => choose({ ...filter, flags: toggled(filter.flags, flag) })}
          >
            {flagNames[flag]}
          </Chip>
        ))}
      </Group>
      {outcomes.length > 0 && (
        <Group label="Ended">
          {outcomes.map((outcome) => (
            <Chip
              key={outcome}
              isOn={filter.outcomes.includes(outcome)}
              title={outcomeTitles[outcome]}
              {...chip(outcome, counts?.outcome)}
              onClick={() => choose({ ...filter, outcomes: toggled(filter.outcomes, outcome) })}
            >
              {outcomeNames[outcome]}
            </Chip>
          ))}
        </Group>
      )}
      <NameChips
        label="Model"
        chosen={filter.model}
        counts={counts?.model}
        isMore={counts?.whole === false}
        choose={(model) => choose({ ...filter, model })}
      />
      {counts?.owner && (
        <NameChips
          label="Key"
          chosen={filter.owner}
          counts={counts.owner}
          isMore={!counts.whole}
          choose={(owner) => choose({ ...filter, owner })}
        />
      )}
    </div>
  )
}

type ValueCount = CallCounts['model'][number]

interface NameChipsProps {
  readonly label: string
  readonly chosen: string | undefined
  readonly counts: readonly ValueCount[] | undefined
  readonly isMore: boolean
  readonly choose: (name: string | undefined) => void
}

/** One of several names: a model, a key. Names without a text cannot be chosen. */
function NameChips({ label, chosen, counts = [], isMore, choose }: NameChipsProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const named = counts.filter(({ value }) => value !== '')
  const all =
    chosen === undefined || named.some(({ value }) => value === chosen)
      ? named
      : [{ value: chosen, count: 0 }, ...named]
  const shown = isOpen ? all : all.filter(({ value }, index) => index < fewNames || value === chosen)
  if (all.length === 0) return <></>
  return (
    <Group label={label}>
      {shown.map(({ value, count }) => (
        <Chip
          key={value}
          isOn={value === chosen}
          count={count}
          isMore={isMore}
          onClick={() => choose(value === chosen ? undefined : value)}
        >
          {readable(value)}
        </Chip>
      ))}
      {all.length > shown.length && (
        <Chip isOn={false} onClick={() => setOpen(true)}>
          {all.length - shown.length} more…
        </Chip>
      )}
    </Group>
  )
}

const fewNames = 5

function Group({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap items-center gap-1">
      <span aria-hidden="true" className="mr-0.5 text-xs text-muted">
        {label}
      </span>
      {children}
    </div>
  )
}

interface ChipProps {
  readonly isOn: boolean
  readonly title?: string
  readonly count?: number | undefined
  /** Whether there may be more than was counted. */
  readonly isMore?: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

function Chip({ isOn, title, count, isMore = false, onClick, children }: ChipProps): ReactElement {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      title={title}
      onClick={onClick}
      className="min-h-6 rounded border border-line px-1.5 py-0.5 text-left text-xs text-muted [overflow-wrap:anywhere] hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
    >
      {children}
      {count !== undefined && (
        <span className="tabular-nums">
          {' '}
          {grouped(count)}
          {isMore && '+'}
        </span>
      )}
    </button>
  )
}

function keysOf<Key extends string>(names: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(names) as Key[]
}

function countOf(counts: readonly ValueCount[] | undefined, value: string): number {
  return counts?.find((each) => each.value === value)?.count ?? 0
}

function toggled<T>(values: readonly T[], value: T): readonly T[] {
  return values.includes(value) ? values.filter((each) => each !== value) : [...values, value]
}
