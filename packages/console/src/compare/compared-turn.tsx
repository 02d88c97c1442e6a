import { differingParts, participantThread, type TurnComparison, type TurnSide } from '@minutebook/experiment/run'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { readable } from '../ui/text.ts'
import { Badge } from '../ui/ui.tsx'

export function Turn({
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

/** What one run did in a turn. Tool calls that differ from the other run's are marked. */
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
          <span aria-hidden="true" className="font-semibold text-warn">
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

const longest = 20_000
