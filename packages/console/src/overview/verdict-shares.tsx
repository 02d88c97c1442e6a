import type { ReactElement } from 'react'
import type { Figures } from '../api/overview.ts'
import { grouped, percentOf } from '../ui/text.ts'
import './overview.css'

const verdicts = [
  { verdict: 'verbatim', name: 'Verbatim' },
  { verdict: 'clipped', name: 'Clipped' },
  { verdict: 'recalled', name: 'Recalled' },
  { verdict: 'digested', name: 'Digested' },
  { verdict: 'outlined', name: 'Outlined' },
  { verdict: 'omitted', name: 'Omitted' },
] as const

/** What happened to messages: of all entries in all calls, the share with each verdict. */
export function VerdictShares({ totals }: { readonly totals: Figures }): ReactElement {
  const all = verdicts.reduce((sum, { verdict }) => sum + totals[verdict], 0)
  const most = Math.max(1, ...verdicts.map(({ verdict }) => totals[verdict]))
  return (
    <section aria-labelledby="shares" className="rounded-lg border border-line bg-surface p-3">
      <h2 id="shares" className="mb-2 text-sm font-semibold">
        What happened to messages
      </h2>
      <table className="w-full text-xs">
        <thead className="sr-only">
          <tr>
            <th scope="col">Verdict</th>
            <th scope="col">Bar</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {verdicts.map(({ verdict, name }) => (
            <tr key={verdict} title={`${grouped(totals[verdict])} times`}>
              <th scope="row" className="w-16 py-1 pr-2 text-left font-normal">
                {name}
              </th>
              <td className="py-1">
                <svg aria-hidden="true" viewBox={`0 0 ${most} 1`} preserveAspectRatio="none" className="h-3 w-full">
                  <rect width={totals[verdict]} height={1} className={`share-${verdict}`} />
                </svg>
              </td>
              <td className="w-12 py-1 pl-2 text-right font-mono tabular-nums">
                {all === 0 ? '–' : percentOf(totals[verdict], all)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-2 text-xs text-muted">Of all messages, counted again in each call.</p>
    </section>
  )
}
