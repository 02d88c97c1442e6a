import { useMemo, type ReactElement } from 'react'
import { readable } from '../ui/text.ts'
import { heightOf, labelHeight, lineOf, rangeOf, ticksOf } from './axis.ts'
import type { GoalLine } from '@minutebook/experiment/run'
import { numberText, type LineSeries } from './series.ts'
import type { Columns } from './use-columns.ts'

interface PlotRowProps {
  readonly series: LineSeries
  /** What the experiment says about the variable, such as its unit. */
  readonly description: string | undefined
  readonly goals: readonly GoalLine[]
  readonly columns: Columns
  /** The chosen round. */
  readonly at: number | undefined
}

const height = 72
/** Above and below the plot. */
const margin = 4
/** Narrower columns have no room for the value at each point. */
const leastLabelled = 44

/** A number over the rounds, with its axis and the lines of goals. */
export function PlotRow({ series: { name, values }, description, goals, columns, at }: PlotRowProps): ReactElement {
  const range = useMemo(
    () =>
      rangeOf(
        values,
        goals.map(({ value }) => value),
      ),
    [values, goals],
  )
  const now = values.findLast((value) => value !== null) ?? null
  return (
    <figure data-plot={name} aria-label={spokenOf(name, values, goals)} className="relative h-20 border-b border-line">
      <Drawing values={values} goals={goals} range={range} columns={columns} at={at} />
      <figcaption
        className="monitor-name flex-col justify-center bg-surface"
        style={{ width: columns.sizes.names, paddingRight: axisWidth }}
      >
        <span className="truncate text-xs text-muted" title={captionOf(name, description)}>
          {captionOf(name, description)}
        </span>
        <span data-now className="truncate font-mono font-medium tabular-nums">
          {now === null ? '–' : numberText(now)}
        </span>
        {goals.map((goal) => (
          <span
            key={`${goal.kind} ${goal.name} ${goal.sign}`}
            className={`truncate text-[11px] ${goal.kind === 'success' ? 'text-good' : 'text-bad'}`}
            title={`${goal.kind}: ${goal.name}`}
          >
            {goal.kind === 'success' ? '⚑' : '✕'} {goal.sign} {numberText(goal.value)} {goal.name}
          </span>
        ))}
        <Axis range={range} />
      </figcaption>
    </figure>
  )
}

/** Pixels. */
const axisWidth = 52

/** The numbers of the axis. They are next to the plot, so that no line runs through them. */
function Axis({ range }: { readonly range: ReturnType<typeof rangeOf> }): ReactElement {
  return (
    <svg aria-hidden="true" width={axisWidth} height={height} className="absolute right-0" style={{ top: margin }}>
      {ticksOf(range, 3).map(({ value, text }) => {
        const y = heightOf(value, range, height)
        return (
          <g key={value} data-tick={value}>
            <line x1={axisWidth - 4} x2={axisWidth} y1={y} y2={y} className="plot-axis" />
            <text
              x={axisWidth - 7}
              y={Math.max(8, Math.min(height - 1, y + 3.5))}
              textAnchor="end"
              className="plot-number"
            >
              {text}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

interface DrawingProps extends Pick<PlotRowProps, 'goals' | 'columns' | 'at'> {
  readonly values: LineSeries['values']
  readonly range: ReturnType<typeof rangeOf>
}

/** The columns on the screen. */
function Drawing({ values, goals, range, columns: { items, sizes, startOf, width }, at }: DrawingProps): ReactElement {
  const y = (value: number): number => heightOf(value, range, height)
  const lines = goals.map(({ value }) => y(value))
  const last = values.findLastIndex((value) => value !== null)
  const points = items.filter(({ index }) => values[index] != null)
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={height + 2 * margin}
      viewBox={`0 ${-margin} ${width} ${height + 2 * margin}`}
      className="absolute top-0 left-0 block"
    >
      {at !== undefined && (
        <rect
          x={startOf(at)}
          y={-margin}
          width={Math.max(1, sizes.column)}
          height={height + 2 * margin}
          className="plot-at"
        />
      )}
      {ticksOf(range, 3).map(({ value }) => (
        <line key={value} x1={sizes.names} x2={width} y1={y(value)} y2={y(value)} className="plot-grid" />
      ))}
      {goals.map(({ kind, name, sign, value }) => (
        <line
          key={`${kind} ${name} ${sign}`}
          x1={sizes.names}
          x2={width}
          y1={y(value)}
          y2={y(value)}
          className={`plot-goal plot-goal-${kind}`}
        />
      ))}
      <path d={lineOf(values, items, y)} className="plot-value" />
      {points
        .filter(({ index, size }) => size >= 12 || index === last)
        .map(({ index, start, size }) => (
          <circle key={index} cx={start + size / 2} cy={y(values[index]!)} r={2.5} className="plot-dot" />
        ))}
      {points
        .filter(({ index, size }) => size >= leastLabelled && (index === 0 || values[index] !== values[index - 1]))
        .map(({ index, start, size }) => (
          <text
            key={index}
            x={start + size / 2}
            y={labelHeight(y(values[index]!), lines, height)}
            textAnchor="middle"
            className="plot-number plot-label"
          >
            {numberText(values[index]!)}
          </text>
        ))}
    </svg>
  )
}

/** The name of a variable, with what its experiment says about it. */
export function captionOf(name: string, description: string | undefined): string {
  return readable(description === undefined || description === '' ? name : `${name}, ${description.slice(0, 80)}`)
}

function spokenOf(name: string, values: readonly (number | null)[], goals: readonly GoalLine[]): string {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return `${name}: no value yet`
  const [low, high] = known.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [
    Infinity,
    -Infinity,
  ] as readonly [number, number])
  const lines = goals
    .map(({ kind, name: goal, sign, value }) => `; ${kind} ${goal} at ${sign} ${numberText(value)}`)
    .join('')
  return `${name}: ${numberText(known[0]!)} at the start, ${numberText(known.at(-1)!)} now, between ${numberText(low)} and ${numberText(high)} over ${values.length - 1} rounds${lines}`
}
