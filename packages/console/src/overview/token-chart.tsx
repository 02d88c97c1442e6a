import type { ReactElement } from 'react'
import type { Overview } from '../api/overview.ts'
import { grouped } from '../ui/text.ts'
import { axisTop, shortCount, stepLabel, tokenBar } from './bars.ts'
import './overview.css'

const parts = [
  { part: 'reused', name: 'reused from the previous prompt' },
  { part: 'fresh', name: 'new' },
  { part: 'cut', name: 'cut by the server' },
] as const

/** The tokens of prompts over time: a bar for each step, divided to scale. */
export function TokenChart({ overview: { series, step } }: { readonly overview: Overview }): ReactElement {
  const bars = series.map(({ from, figures }) => ({ from, figures, ...tokenBar(figures) }))
  const top = axisTop(Math.max(0, ...bars.map(({ figures }) => figures.sentTokens)))
  const sent = bars.reduce((sum, { figures }) => sum + figures.sentTokens, 0)
  return (
    <figure className="min-w-0 rounded-lg border border-line bg-surface p-3" data-token-chart>
      <figcaption className="mb-2 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="text-sm font-semibold">Tokens of prompts</h2>
        <ul className="flex flex-wrap gap-x-3 text-xs text-muted">
          {parts.map(({ part, name }) => (
            <li key={part} className="flex items-center gap-1">
              <svg aria-hidden="true" width={10} height={10}>
                <rect width={10} height={10} className={`bar-${part}`} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <div className="grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-1.5">
        <div
          aria-hidden="true"
          className="flex h-40 -translate-y-[0.5em] flex-col justify-between text-right font-mono text-[11px] leading-none text-muted"
        >
          <span>{shortCount(top)}</span>
          <span>{shortCount(top / 2)}</span>
          <span>0</span>
        </div>
        <svg
          role="img"
          aria-label={`${grouped(sent)} tokens of prompts in ${series.length} steps. The table below has the numbers.`}
          viewBox={`0 0 ${bars.length} ${top}`}
          preserveAspectRatio="none"
          className="h-40 w-full"
        >
          {[0, top / 2, top].map((at) => (
            <line
              key={at}
              x1={0}
              x2={bars.length}
              y1={at}
              y2={at}
              className="bar-grid"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {bars.map(({ from, figures, reused, fresh, cut }, index) => (
            <g key={from} data-bar>
              <rect x={index + 0.1} width={0.8} y={top - reused} height={reused} className="bar-reused" />
              <rect x={index + 0.1} width={0.8} y={top - reused - fresh} height={fresh} className="bar-fresh" />
              <rect x={index + 0.1} width={0.8} y={top - reused - fresh - cut} height={cut} className="bar-cut" />
              <rect x={index} width={1} y={0} height={top} className="bar-hit">
                <title>
                  {`${stepLabel(from, step)}: ${grouped(figures.calls)} calls, ${grouped(reused)} tokens reused, ${grouped(fresh)} new${cut > 0 ? `, ${grouped(cut)} cut by the server` : ''}`}
                </title>
              </rect>
            </g>
          ))}
        </svg>
        <span />
        <TimeAxis times={series.map(({ from }) => from)} step={step} />
      </div>
      {sent === 0 && <p className="mt-2 text-muted">No model was called in this range.</p>}
      <StepTable overview={{ series, step }} />
    </figure>
  )
}

function TimeAxis({ times, step }: { readonly times: readonly string[]; readonly step: number }): ReactElement {
  const every = Math.max(1, Math.ceil(times.length / 6))
  return (
    <div aria-hidden="true" className="relative mt-1 h-4 overflow-hidden font-mono text-[11px] leading-4 text-muted">
      {times.map((time, index) =>
        index % every === 0 && index + every / 2 <= times.length ? (
          <span key={time} className="absolute whitespace-nowrap" ref={(label) => place(label, index / times.length)}>
            {stepLabel(time, step)}
          </span>
        ) : null,
      )}
    </div>
  )
}

/** The policy of the page allows no style attribute, but scripts may set styles. */
function place(label: HTMLElement | null, share: number): void {
  if (label) label.style.left = `${share * 100}%`
}

function StepTable({
  overview: { series, step },
}: {
  readonly overview: Pick<Overview, 'series' | 'step'>
}): ReactElement {
  const rows = series.filter(({ figures }) => figures.calls + figures.unsent > 0)
  return (
    <details className="mt-1 text-xs">
      <summary className="inline-block rounded text-muted hover:text-ink">Show as a table</summary>
      <div
        className="mt-1 max-h-64 overflow-auto"
        tabIndex={0}
        role="region"
        aria-label="Tokens of prompts, as a table"
      >
        <table className="w-full text-right font-mono tabular-nums">
          <thead>
            <tr className="text-muted">
              {['From', 'Calls', 'Reused', 'New', 'Cut'].map((name) => (
                <th key={name} scope="col" className="px-2 py-1 font-medium first:text-left">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ from, figures }) => {
              const { reused, fresh, cut } = tokenBar(figures)
              return (
                <tr key={from} className="border-t border-line">
                  <th scope="row" className="px-2 py-0.5 text-left font-normal">
                    {stepLabel(from, step)}
                  </th>
                  {[figures.calls, reused, fresh, cut].map((value, index) => (
                    <td key={index} className="px-2">
                      {grouped(value)}
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </details>
  )
}
