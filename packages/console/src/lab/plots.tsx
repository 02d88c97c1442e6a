import type { KeptReceipt } from 'minutebook/inspect'
import { useMemo, useState, type ReactElement } from 'react'
import { grouped, percentOf } from '../ui/text.ts'
import { seriesOf, type Prices, type Series } from './differences.ts'
import type { Recompiled } from './lab.ts'

interface PlotsProps {
  readonly receipts: readonly KeptReceipt[]
  readonly all: readonly Recompiled[]
  readonly at: number
  readonly window: number
}

const usual: Prices = { input: 1, reused: 0.1, output: 4 }

/** Tokens, reuse and cost over all calls of the branch. */
export function Plots({ receipts, all, at, window }: PlotsProps): ReactElement {
  const [prices, setPrices] = useState(usual)
  const { tokens, reuse, cost } = useMemo(() => seriesOf(receipts, all, prices), [receipts, all, prices])
  return (
    <section aria-label="Over all calls" className="space-y-3">
      <Plot name="tokens" title="Tokens of the prompt" series={tokens} show={grouped} at={at} limit={window} />
      <Plot
        name="reuse"
        title="Reused from the previous prompt (cache)"
        series={reuse}
        show={(share) => percentOf(share, 1)}
        at={at}
        top={1}
      />
      <Plot
        name="cost"
        title="Cost so far"
        series={cost}
        show={(sum) => `$${sum < 0.1 ? sum.toFixed(4) : sum.toFixed(2)}`}
        at={at}
      />
      <fieldset className="flex flex-wrap items-end gap-3 text-xs">
        <legend className="mb-1 text-muted">Prices, in dollars for a million tokens</legend>
        {(['input', 'reused', 'output'] as const).map((name) => (
          <label key={name} className="flex items-center gap-1">
            {name}
            <input
              type="number"
              min={0}
              step="any"
              value={prices[name]}
              onChange={(event) => setPrices({ ...prices, [name]: Math.max(0, event.target.valueAsNumber || 0) })}
              className="w-20 rounded border border-line bg-surface px-1 py-0.5 font-mono"
            />
          </label>
        ))}
      </fieldset>
    </section>
  )
}

interface PlotProps {
  readonly name: 'tokens' | 'reuse' | 'cost'
  readonly title: string
  readonly series: Series
  readonly show: (value: number) => string
  /** The index of the chosen call. */
  readonly at: number
  /** The value at the upper edge. Default: a round number above all values. */
  readonly top?: number
  /** A line across, such as the window. */
  readonly limit?: number | undefined
}

const box = { width: 600, height: 120 }

/** One value for each call, as recorded (solid) and as changed (dashed). */
function Plot({ name, title, series: { recorded, changed }, show, at, top, limit }: PlotProps): ReactElement {
  const highest = top ?? topOf([...recorded, ...changed, limit ?? null])
  const [was, would] = useMemo(
    () => [plotPath(recorded, highest, box), plotPath(changed, highest, box)],
    [recorded, changed, highest],
  )
  const place = recorded.length > 1 ? (at * box.width) / (recorded.length - 1) : 0
  return (
    <figure data-plot={name} className="space-y-1">
      <figcaption className="flex flex-wrap items-baseline gap-x-3 text-xs">
        <span className="text-[13px] font-medium">{title}</span>
        <Value name="recorded" value={recorded[at]} show={show} />
        <Value name="changed" value={changed[at]} show={show} />
      </figcaption>
      <div className="relative">
        <svg
          role="img"
          aria-label={describe(title, { recorded, changed }, show)}
          viewBox={`0 0 ${box.width} ${box.height}`}
          preserveAspectRatio="none"
          className="h-28 w-full rounded-md border border-line bg-surface"
        >
          {limit !== undefined && (
            <line
              x1={0}
              x2={box.width}
              y1={box.height - (limit / highest) * box.height}
              y2={box.height - (limit / highest) * box.height}
              className="plot-limit"
              vectorEffect="non-scaling-stroke"
            />
          )}
          <line x1={place} x2={place} y1={0} y2={box.height} className="plot-at" vectorEffect="non-scaling-stroke" />
          <path d={was} className="plot-recorded" vectorEffect="non-scaling-stroke" />
          <path d={would} className="plot-changed" vectorEffect="non-scaling-stroke" />
        </svg>
        <span aria-hidden="true" className="absolute top-0.5 left-1 font-mono text-[10px] text-muted">
          {show(highest)}
        </span>
        <span aria-hidden="true" className="absolute bottom-0.5 left-1 font-mono text-[10px] text-muted">
          {show(0)}
        </span>
      </div>
    </figure>
  )
}

function Value({
  name,
  value,
  show,
}: {
  readonly name: 'recorded' | 'changed'
  readonly value: number | null | undefined
  readonly show: (value: number) => string
}): ReactElement {
  return (
    <span className="flex items-center gap-1 text-muted">
      <svg aria-hidden="true" width="22" height="6">
        <line x1={0} x2={22} y1={3} y2={3} className={`plot-${name}`} />
      </svg>
      {name} <span className="font-mono text-ink">{value === null || value === undefined ? '–' : show(value)}</span>
    </span>
  )
}

function describe(title: string, { recorded, changed }: Series, show: (value: number) => string): string {
  const last = (values: readonly (number | null)[]): string => {
    const value = values.findLast((each) => each !== null)
    return value === undefined || value === null ? 'none' : show(value)
  }
  return `${title} over ${recorded.length} calls: at the end ${last(recorded)} as recorded, ${last(changed)} as changed`
}

/** The size of a plot. */
interface PlotBox {
  readonly width: number
  readonly height: number
}

/**
 * A line through values, with gaps for null. `top`: the value at the upper edge.
 *
 * @example
 * plotPath([0, 10], 10, { width: 100, height: 50 }) // 'M0 50L100 0'
 */
function plotPath(values: readonly (number | null)[], top: number, { width, height }: PlotBox): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0
  let isOpen = false
  let path = ''
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isOpen = false
      continue
    }
    path += `${isOpen ? 'L' : 'M'}${round(index * step)} ${round(height - (Math.min(value, top) / (top || 1)) * height)}`
    isOpen = true
  }
  return path
}

/** A round number at or above the largest value. */
function topOf(values: readonly (number | null)[]): number {
  const largest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)
  if (largest <= 0) return 1
  const size = 10 ** Math.floor(Math.log10(largest))
  return ([1, 1.5, 2, 3, 4, 5, 7.5, 10].find((factor) => factor * size >= largest - 1e-12) ?? 10) * size
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
