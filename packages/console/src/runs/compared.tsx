import type { StepComparison, TurnComparison } from 'minutebook/experiment'
import { useMemo, type ReactElement } from 'react'
import { readable } from '../transcript/readable.ts'
import { Badge } from '../ui/badge.tsx'
import { valueText } from './series.ts'
import { stretchesOf } from './stretches.ts'
import type { Comparison, Value } from './types.ts'

/** The steps of two runs: what is alike is folded, what differs stands side by side. */
export function Compared({ comparison: { left, right, steps } }: { readonly comparison: Comparison }): ReactElement {
  const stretches = useMemo(() => stretchesOf(steps), [steps])
  return (
    <div className="space-y-3 p-4">
      {stretches.map((stretch) => (stretch.kind === 'other' ? <Step key={stretch.step.step} step={stretch.step} left={left} right={right} /> : (
        <details key={stretch.from} data-alike={stretch.steps.length} className="rounded-md border border-line bg-surface">
          <summary className="px-3 py-2"><span aria-hidden="true" className="mr-2 font-mono font-bold text-good">=</span>{stretch.from === stretch.to ? `Step ${stretch.from} is the same` : `Steps ${stretch.from} to ${stretch.to} are the same`}</summary>
          <div className="space-y-3 p-3">{stretch.steps.map((step) => <Step key={step.step} step={step} left={left} right={right} />)}</div>
        </details>
      )))}
    </div>
  )
}

function Step({ step: { step, isSame, in: where, environment, turns }, left, right }: { readonly step: StepComparison; readonly left: string; readonly right: string }): ReactElement {
  return (
    <section aria-label={`Step ${step}`} data-step={step} data-same={isSame} tabIndex={-1} className="compared scroll-mt-12 rounded-md border border-line bg-surface">
      <h2 className="flex items-center gap-2 border-b border-line px-3 py-1.5 font-medium"><Sign isSame={isSame} />Step {step}{where !== 'both' && <Badge tone="warn">only in {where === 'left' ? left : right}</Badge>}</h2>
      {environment.length > 0 && (
        <table className="w-full table-fixed border-b border-line text-[13px]">
          <caption className="sr-only">The environment after step {step}</caption>
          <thead className="text-left text-xs text-muted"><tr className="[&>th]:px-3 [&>th]:py-1 [&>th]:font-medium"><th scope="col" className="w-1/5">Variable</th><th scope="col" className="truncate font-mono">{left}</th><th scope="col" className="truncate font-mono">{right}</th></tr></thead>
          <tbody>{environment.map((each) => <tr key={each.name} data-variable={each.name} className="border-t border-line align-top [&>td]:px-3 [&>td]:py-1 [&>td]:font-mono [&>td]:[overflow-wrap:anywhere]"><th scope="row" className="truncate px-3 py-1 text-left font-normal text-muted">{each.name}</th><td>{shown(each.left)}</td><td>{shown(each.right)}</td></tr>)}</tbody>
        </table>
      )}
      <ul className="divide-y divide-line">{turns.map((turn) => <Turn key={`${turn.participant} ${turn.turn}`} turn={turn} />)}</ul>
    </section>
  )
}

function Turn({ turn: { participant, turn, prompts, answers, left, right } }: { readonly turn: TurnComparison }): ReactElement {
  return (
    <li data-turn={participant} data-prompts={prompts} data-answers={answers} className="space-y-1 px-3 py-2 text-[13px]">
      <p className="flex flex-wrap items-center gap-2"><span className="font-medium">{participant}{turn > 0 && `, turn ${turn + 1}`}</span><Mark what="prompt" is={prompts} /><Mark what="answer" is={answers} /></p>
      {answers === 'same' && left !== undefined ? <Said text={left} /> : <div className="grid gap-2 sm:grid-cols-2"><Said text={left} /><Said text={right} /></div>}
    </li>
  )
}

function Mark({ what, is }: { readonly what: string; readonly is: 'same' | 'other' }): ReactElement {
  return <Badge tone={is === 'same' ? 'good' : 'warn'}>{is === 'same' ? '=' : '≠'} {is} {what}</Badge>
}

function Sign({ isSame }: { readonly isSame: boolean }): ReactElement {
  return <span className={`font-mono font-bold ${isSame ? 'text-good' : 'text-warn'}`} aria-label={isSame ? 'the same' : 'differs'} role="img">{isSame ? '=' : '≠'}</span>
}

function Said({ text }: { readonly text: string | undefined }): ReactElement {
  if (text === undefined) return <p className="rounded border border-dashed border-line px-2 py-1 text-muted">It did not play.</p>
  return <p className="max-h-48 overflow-y-auto rounded border border-line bg-page px-2 py-1 whitespace-pre-wrap [overflow-wrap:anywhere]" tabIndex={text.length > 600 ? 0 : undefined}>{text === '' ? <span className="text-muted">no words</span> : readable(text.slice(0, longest))}</p>
}

const longest = 20_000

function shown(value: Value | undefined): string {
  return value === undefined ? '–' : readable(valueText(value).slice(0, 500))
}
