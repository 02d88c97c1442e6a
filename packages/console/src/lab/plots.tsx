import { useMemo, useState, type ReactElement } from 'react'
import type { KeptReceipt } from 'minutebook/inspect'
import { grouped, percentOf } from '../inspector/number.ts'
import type { Recompiled } from './lab.ts'
import { Plot } from './plot.tsx'
import { seriesOf, type Prices } from './series.ts'

export interface PlotsProps {
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
        title="Reused of the prompt before"
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
