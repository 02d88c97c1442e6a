import './verdict.css'
import type { ReactElement } from 'react'
import type { Verdict } from '../api/calls.ts'

/** A verdict's letter, name and explanation. Its colour is in `theme.css`. */
interface VerdictLook {
  readonly letter: string
  readonly name: string
  readonly says: string
}

/** Every verdict, in the order of a legend. */
export const verdictLooks: Readonly<Record<Verdict, VerdictLook>> = {
  verbatim: { letter: 'V', name: 'Verbatim', says: 'Sent whole, as it was said.' },
  clipped: { letter: 'C', name: 'Clipped', says: 'Sent with its beginning and end; the middle was left out.' },
  recalled: {
    letter: 'R',
    name: 'Recalled',
    says: 'Brought back from before, quoted, because the question asks about it.',
  },
  digested: {
    letter: 'D',
    name: 'Digested',
    says: 'Not sent: its exchange, or its step of the turn, stood in the prompt as one line of its own.',
  },
  outlined: {
    letter: 'O',
    name: 'Outlined',
    says: 'Not sent: a line of the prompt only counts it among others, with a few titles at the most.',
  },
  omitted: { letter: 'X', name: 'Omitted', says: 'Not sent, and no line speaks of it: the model did not see it.' },
  hidden: { letter: 'H', name: 'Hidden', says: 'No part of what was sent, and never meant to be.' },
}

const verdictOrder = Object.keys(verdictLooks) as readonly Verdict[]

/** The number of entries for each verdict that occurs, in the order of the legend. */
export function verdictCounts(
  entries: readonly { readonly verdict: Verdict }[],
): readonly (readonly [Verdict, number])[] {
  return verdictOrder
    .map((verdict) => [verdict, entries.filter((entry) => entry.verdict === verdict).length] as const)
    .filter(([, count]) => count > 0)
}

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
        className={`verdict verdict-${verdict} inline-grid size-5 place-items-center rounded font-mono text-[11px] font-semibold`}
      >
        <span aria-hidden="true">{letter}</span>
        {!named && <span className="sr-only">{name}</span>}
      </span>
      {named && <span>{name}</span>}
    </span>
  )
}
