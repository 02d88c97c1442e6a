import {
  differingParts,
  participantThread,
  type RoundComparison,
  type TurnComparison,
  type TurnSide,
} from '@minutebook/experiment/run'
import { Link } from '@tanstack/react-router'
import { useMemo, type ReactElement } from 'react'
import { readable } from '../transcript/readable.ts'
import { Badge } from '../ui/badge.tsx'
import { valueText } from './series.ts'
import { stretchesOf } from './stretches.ts'
import type { Comparison, Value } from './types.ts'

/** The rounds of two runs: what is alike is folded, what differs stands side by side. */
export function Compared({
  comparison: { left, right, changes, rounds },
}: {
  readonly comparison: Comparison
}): ReactElement {
  const stretches = useMemo(() => stretchesOf(rounds), [rounds])
  return (
    <div className="space-y-3 p-4">
      {changes && <Changed changes={changes} left={left} right={right} />}
      {stretches.map((stretch) =>
        stretch.kind === 'other' ? (
          <Round key={stretch.round.round} round={stretch.round} left={left} right={right} />
        ) : (
          <details
            key={stretch.from}
            data-alike={stretch.rounds.length}
            className="rounded-md border border-line bg-surface"
          >
            <summary className="px-3 py-2">
              <span aria-hidden="true" className="mr-2 font-mono font-bold text-good">
                =
              </span>
              {stretch.from === stretch.to
                ? `Round ${stretch.from} is the same`
                : `Rounds ${stretch.from} to ${stretch.to} are the same`}
            </summary>
            <div className="space-y-3 p-3">
              {stretch.rounds.map((round) => (
                <Round key={round.round} round={round} left={left} right={right} />
              ))}
            </div>
          </details>
        ),
      )}
    </div>
  )
}

/** The fields of the definitions that differ: what a fork changed, and whatever else does. */
function Changed({
  changes,
  left,
  right,
}: {
  readonly changes: NonNullable<Comparison['changes']>
  readonly left: string
  readonly right: string
}): ReactElement {
  if (changes.length === 0)
    return (
      <p data-changes="0" className="text-muted">
        <span aria-hidden="true" className="mr-2 font-mono font-bold text-good">
          =
        </span>
        Both have the same definition and seed.
      </p>
    )
  return (
    <section
      aria-label="What differs in the definitions"
      data-changes={changes.length}
      className="rounded-md border border-line bg-surface"
    >
      <h2 className="flex items-center gap-2 border-b border-line px-3 py-1.5 font-medium">
        <Sign isSame={false} />
        Definition
      </h2>
      <Values
        caption="Fields of the definitions that differ"
        title="Field"
        left={left}
        right={right}
        rows={changes.map(({ path, ...values }) => ({ name: path, ...values }))}
      />
    </section>
  )
}

interface ValuesProps {
  readonly caption: string
  readonly title: string
  readonly left: string
  readonly right: string
  readonly rows: readonly { readonly name: string; readonly left?: Value; readonly right?: Value }[]
}

function Values({ caption, title, left, right, rows }: ValuesProps): ReactElement {
  return (
    <table className="w-full table-fixed border-b border-line text-[13px] last:border-b-0">
      <caption className="sr-only">{caption}</caption>
      <thead className="text-left text-xs text-muted">
        <tr className="[&>th]:px-3 [&>th]:py-1 [&>th]:font-medium">
          <th scope="col" className="w-1/4">
            {title}
          </th>
          <th scope="col" className="truncate font-mono">
            {left}
          </th>
          <th scope="col" className="truncate font-mono">
            {right}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={row.name}
            data-variable={row.name}
            className="border-t border-line align-top [&>td]:px-3 [&>td]:py-1 [&>td]:font-mono [&>td]:[overflow-wrap:anywhere]"
          >
            <th scope="row" className="px-3 py-1 text-left font-normal text-muted [overflow-wrap:anywhere]">
              {readable(row.name)}
            </th>
            <td>{shown(row.left, row.right)}</td>
            <td>{shown(row.right, row.left)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Round({
  round: { round, isSame, in: where, environment, turns },
  left,
  right,
}: {
  readonly round: RoundComparison
  readonly left: string
  readonly right: string
}): ReactElement {
  return (
    <section
      aria-label={`Round ${round}`}
      data-round={round}
      data-same={isSame}
      tabIndex={-1}
      className="compared scroll-mt-12 rounded-md border border-line bg-surface"
    >
      <h2 className="flex items-center gap-2 border-b border-line px-3 py-1.5 font-medium">
        <Sign isSame={isSame} />
        Round {round}
        {where !== 'both' && <Badge tone="warn">only in {where === 'left' ? left : right}</Badge>}
      </h2>
      {environment.length > 0 && (
        <Values
          caption={`The environment after round ${round}`}
          title="Variable"
          left={left}
          right={right}
          rows={environment}
        />
      )}
      <ul className="divide-y divide-line">
        {turns.map((turn) => (
          <Turn key={`${turn.participant} ${turn.turn}`} turn={turn} runs={[left, right]} />
        ))}
      </ul>
    </section>
  )
}

function Turn({
  turn: { participant, turn, prompts, answers, calls, left, right },
  runs,
}: {
  readonly turn: TurnComparison
  readonly runs: readonly [left: string, right: string]
}): ReactElement {
  const isSame = answers === 'same' && calls === 'same'
  return (
    <li
      data-turn={participant}
      data-prompts={prompts}
      data-answers={answers}
      data-calls={calls}
      className="space-y-1 px-3 py-2 text-[13px]"
    >
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">
          {participant}
          {turn > 0 && `, turn ${turn + 1}`}
        </span>
        <Mark what="prompt" is={prompts} />
        <Mark what="tool calls" is={calls} />
        <Mark what="answer" is={answers} />
      </p>
      {isSame && left ? (
        <Side side={left} other={right} />
      ) : (
        <div className="grid gap-2 sm:grid-cols-2">
          <Side side={left} other={right} />
          <Side side={right} other={left} />
        </div>
      )}
      {prompts === 'other' && (
        <p className="flex flex-wrap gap-x-4 text-xs">
          {[left, right].map(
            (side, index) =>
              side?.receipt !== undefined && (
                <Link
                  key={runs[index]}
                  to="/threads/$thread/calls/$receipt"
                  params={{ thread: participantThread(runs[index]!, participant), receipt: side.receipt }}
                  className="inline-flex min-h-6 items-center text-accent underline underline-offset-2"
                >
                  What the model saw in {runs[index]}
                </Link>
              ),
          )}
        </p>
      )}
    </li>
  )
}

/** What one of them did and said. A tool call that the other did not make in this place is marked. */
function Side({
  side,
  other,
}: {
  readonly side: TurnSide | undefined
  readonly other: TurnSide | undefined
}): ReactElement {
  if (!side) return <p className="rounded border border-dashed border-line px-2 py-1 text-muted">It did not play.</p>
  const { status, text, calls } = side
  return (
    <div className="min-w-0 space-y-1 rounded border border-line bg-page px-2 py-1">
      {status !== 'complete' && (
        <p>
          <Badge tone={status === 'failed' ? 'bad' : 'warn'}>{status}</Badge>
        </p>
      )}
      {calls.length > 0 && (
        <ul className="space-y-0.5">
          {calls.map((call, index) => (
            <li key={index}>
              <Called call={call} other={other?.calls[index]} isCompared={other !== undefined} />
            </li>
          ))}
        </ul>
      )}
      <p
        className="max-h-48 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]"
        tabIndex={text.length > 600 ? 0 : undefined}
      >
        {text === '' ? <span className="text-muted">no words</span> : readable(text.slice(0, longest))}
      </p>
    </div>
  )
}

function Called({
  call: { tool, input, status },
  other,
  isCompared,
}: {
  readonly call: TurnSide['calls'][number]
  readonly other: TurnSide['calls'][number] | undefined
  readonly isCompared: boolean
}): ReactElement {
  const [own, others] = [JSON.stringify(input), JSON.stringify(other?.input ?? {})]
  const isSame =
    !isCompared || (other !== undefined && other.tool === tool && other.status === status && own === others)
  const [shownInput] = isSame ? [own.slice(0, 500)] : differingParts(own, others, 500)
  return (
    <p
      data-call={tool}
      data-same={isSame}
      className={`rounded px-1 font-mono text-xs [overflow-wrap:anywhere] ${isSame ? 'text-muted' : 'bg-warn-soft'}`}
    >
      {!isSame && (
        <>
          <span aria-hidden="true" className="font-bold text-warn">
            ≠{' '}
          </span>
          <span className="sr-only">differs: </span>
        </>
      )}
      {readable(tool)} {readable(shownInput)}
      {status !== 'done' && (
        <>
          {' '}
          <Badge tone="warn">{status}</Badge>
        </>
      )}
    </p>
  )
}

function Mark({ what, is }: { readonly what: string; readonly is: 'same' | 'other' }): ReactElement {
  return (
    <Badge tone={is === 'same' ? 'good' : 'warn'}>
      {is === 'same' ? '=' : '≠'} {is} {what}
    </Badge>
  )
}

function Sign({ isSame }: { readonly isSame: boolean }): ReactElement {
  return (
    <span
      className={`font-mono font-bold ${isSame ? 'text-good' : 'text-warn'}`}
      aria-label={isSame ? 'the same' : 'differs'}
      role="img"
    >
      {isSame ? '=' : '≠'}
    </span>
  )
}

const longest = 20_000

/** Two values, so that what differs is seen. */
function shown(own: Value | undefined, other: Value | undefined): string {
  if (own === undefined) return '–'
  const [part] = differingParts(valueText(own), other === undefined ? '' : valueText(other), 500)
  return readable(part)
}
