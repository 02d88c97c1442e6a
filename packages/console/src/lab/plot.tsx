import { useMemo, type ReactElement } from 'react'
import { plotPath, topOf } from './plot-path.ts'
import type { Series } from './series.ts'

export interface PlotProps {
  readonly name: 'tokens' | 'reuse' | 'cost'
  readonly title: string
  readonly series: Series
  readonly show: (value: number) => string
  /** The call that is looked at. */
  readonly at: number
  /** What stands at the upper edge, where that is given. */
  readonly top?: number
  /** A line across, such as the window. */
  readonly limit?: number | undefined
}

const box = { width: 600, height: 120 }

/** One value for each call, as it was (solid) and as it would have been (dashed). */
export function Plot({ name, title, series: { recorded, changed }, show, at, top, limit }: PlotProps): ReactElement {
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
