import type { ReactElement } from 'react'
import type { Figures } from '../api/overview.ts'
import { grouped, percentOf } from '../ui/text.ts'

interface Card {
  readonly name: string
  readonly value: string
  readonly more: string
  readonly tone?: 'bad' | 'warn' | undefined
}

/** The six numbers that a look at the page is for. */
export function FigureCards({ totals, models }: { readonly totals: Figures; readonly models: number }): ReactElement {
  return (
    <section aria-label="Figures">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
        {cardsOf(totals, models).map(({ name, value, more, tone }) => (
          <div key={name} data-figure={name} className="rounded-lg border border-line bg-surface px-3 py-2.5">
            <dt className="text-xs text-muted">{name}</dt>
            <dd className={`text-2xl leading-tight font-semibold tabular-nums ${tone ? tones[tone] : ''}`}>{value}</dd>
            <dd className="mt-0.5 text-xs text-muted">{more}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const tones = { bad: 'text-bad', warn: 'text-warn' }

function cardsOf(totals: Figures, models: number): readonly Card[] {
  const { calls, cutCalls, cutTokens, omittedCalls, clippedCalls, clippedQuestions } = totals
  const { sentTokens, reusedTokens, failed, unsent, cancelled, resent } = totals
  const share = (part: number): string => (calls === 0 ? 'no calls' : `${percentOf(part, calls)} of calls`)
  return [
    {
      name: 'Calls',
      value: grouped(calls),
      more: `${count(models, 'model')} · ${grouped(totals.answerTokens)} tokens written`,
    },
    {
      name: 'Cut by the server',
      value: grouped(cutCalls),
      more: cutCalls === 0 ? 'no prompt' : `${grouped(cutTokens)} tokens not read`,
      tone: cutCalls > 0 ? 'bad' : undefined,
    },
    { name: 'Something left out', value: grouped(omittedCalls), more: share(omittedCalls) },
    {
      name: 'Something clipped',
      value: grouped(clippedCalls),
      more: clippedQuestions === 0 ? share(clippedCalls) : `the question itself in ${grouped(clippedQuestions)}`,
      tone: clippedQuestions > 0 ? 'warn' : undefined,
    },
    {
      name: 'Cache reuse',
      value: sentTokens === 0 ? '–' : percentOf(reusedTokens, sentTokens),
      more: `of ${grouped(sentTokens)} tokens sent`,
    },
    {
      name: 'Failed',
      value: grouped(failed + unsent),
      more:
        [
          ...(unsent > 0 ? [`${grouped(unsent)} did not fit`] : []),
          ...(cancelled > 0 ? [`${grouped(cancelled)} cancelled`] : []),
          ...(resent > 0 ? [`${grouped(resent)} sent again`] : []),
        ].join(' · ') || share(failed),
      tone: failed + unsent > 0 ? 'bad' : undefined,
    },
  ]
}

function count(number: number, thing: string): string {
  return `${grouped(number)} ${thing}${number === 1 ? '' : 's'}`
}
