import { memo, useMemo, type ReactElement } from 'react'
import type { GoalLine } from './goal-line.ts'
import { numberText, type LineSeries } from './series.ts'
import type { Columns } from './use-columns.ts'

interface PlotRowProps {
  readonly series: LineSeries
  readonly goals: readonly GoalLine[]
  readonly columns: Columns
  /** The chosen round. */
  readonly at: number | undefined
}

const height = 72

/** A number over the rounds, with the lines that goals draw. */
export function PlotRow({
  series: { name, values },
  goals,
  columns: { items, sizes },
  at,
}: PlotRowProps): ReactElement {
  const range = useMemo(
    () =>
      rangeOf(
        values,
        goals.map(({ value }) => value),
      ),
    [values, goals],
  )
  const widthOf = (index: number): number => (index === 0 ? sizes.start : sizes.column)
  const now = values.findLast((value) => value !== null) ?? null
  return (
    <figure data-plot={name} aria-label={spokenOf(name, values, goals)} className="relative h-20 border-b border-line">
      <figcaption className="monitor-name flex-col justify-center bg-surface" style={{ width: sizes.names }}>
        <span className="truncate text-xs text-muted" title={name}>
          {name}
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
      </figcaption>
      {items.map(({ index, start, size }) => (
        <div
          key={index}
          className={`absolute inset-y-0 py-1 ${index > 0 ? 'border-l border-line/60' : ''} ${index === at ? 'bg-accent-soft' : ''}`}
          style={{ left: start, width: size }}
        >
          <Part
            path={partOfLine(values, index, range, {
              width: size,
              before: widthOf(index - 1),
              after: widthOf(index + 1),
              height,
            })}
            dot={
              values[index] == null
                ? undefined
                : {
                    x: size / 2,
                    y: heightOf(values[index], range, height),
                    text: index === 0 || values[index] !== values[index - 1] ? numberText(values[index]) : '',
                  }
            }
            width={size}
            lines={goals.map(({ kind, value }) => `${kind} ${heightOf(value, range, height)}`).join(',')}
          />
        </div>
      ))}
    </figure>
  )
}

interface PartProps {
  readonly path: string
  readonly dot: { readonly x: number; readonly y: number; readonly text: string } | undefined
  readonly width: number
  /** Each as "kind height". */
  readonly lines: string
}

const Part = memo(
  function Part({ path, dot, width, lines }: PartProps): ReactElement {
    return (
      <svg aria-hidden="true" width={width} height={height} className="block overflow-hidden">
        {lines !== '' &&
          lines.split(',').map((line) => {
            const [kind, y] = line.split(' ')
            return <line key={line} x1={0} x2={width} y1={y} y2={y} className={`plot-goal plot-goal-${kind}`} />
          })}
        <path d={path} className="plot-value" />
        {dot && <circle cx={dot.x} cy={dot.y} r={2.5} className="plot-dot" />}
        {dot && (
          <text x={dot.x} y={dot.y < 16 ? dot.y + 14 : dot.y - 6} textAnchor="middle" className="plot-number">
            {dot.text}
          </text>
        )}
      </svg>
    )
  },
  (before, after) =>
    before.path === after.path &&
    before.width === after.width &&
    before.lines === after.lines &&
    before.dot?.y === after.dot?.y &&
    before.dot?.text === after.dot?.text,
)

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

/** The values at the bottom and at the top of a plot. */
interface Range {
  readonly low: number
  readonly high: number
}

/** The range of all values and lines, with some padding. */
export function rangeOf(values: readonly (number | null)[], lines: readonly number[]): Range {
  let [low, high] = [Infinity, -Infinity]
  for (const value of [...values, ...lines]) {
    if (value === null) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) return { low: 0, high: 1 }
  const air = low === high ? Math.max(1, Math.abs(low) * 0.1) : (high - low) * 0.08
  return { low: low - air, high: high + air }
}

/** The distance of a value from the top. */
export function heightOf(value: number, { low, high }: Range, height: number): number {
  return Math.round((1 - (value - low) / (high - low)) * height * 100) / 100
}

/**
 * The part of a line within one column, from the middle of the column before to the middle of the next. The neighbours
 * draw the rest.
 *
 * @example
 * partOfLine([0, 10], 1, { low: 0, high: 10 }, { width: 100, before: 100, after: 100, height: 50 }) // 'M-50 50L50 0'
 */
export function partOfLine(
  values: readonly (number | null)[],
  index: number,
  range: Range,
  {
    width,
    before,
    after,
    height,
  }: { readonly width: number; readonly before: number; readonly after: number; readonly height: number },
): string {
  const points = [
    [index - 1, -before / 2],
    [index, width / 2],
    [index + 1, width + after / 2],
  ] as const
  let path = ''
  for (const [at, x] of points) {
    const value = values[at]
    if (value === null || value === undefined) {
      // Without a value in this column there is nothing to draw in it.
      if (at === index) return ''
      continue
    }
    path += `${path === '' ? 'M' : 'L'}${x} ${heightOf(value, range, height)}`
  }
  return path
}
