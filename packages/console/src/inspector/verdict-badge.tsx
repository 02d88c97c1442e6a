import type { ReactElement } from 'react'
import type { Verdict } from './inspection.ts'
import './verdict.css'
import { verdictLooks } from './verdict.ts'

/** The letter of a verdict on its colour and pattern. */
export function VerdictBadge({
  verdict,
  named = false,
}: {
  readonly verdict: Verdict
  readonly named?: boolean
}): ReactElement {
  const { letter, name, says } = verdictLooks[verdict]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap" title={says}>
      <span
        aria-hidden={named}
        className={`verdict verdict-${verdict} inline-grid size-5 place-items-center rounded font-mono text-[11px] font-bold`}
      >
        <span aria-hidden="true">{letter}</span>
        {!named && <span className="sr-only">{name}</span>}
      </span>
      {named && <span>{name}</span>}
    </span>
  )
}
