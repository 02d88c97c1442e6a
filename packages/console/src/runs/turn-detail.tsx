import { gapsOf, gapTexts, type Cell, type CellEffect } from '@minutebook/experiment/run'
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import { useIsAdmin } from '../api/api.tsx'
import { useInspection } from '../api/calls.ts'
import type { Entry } from '../api/entries.ts'
import { piecesWith } from '../inspector/pane.ts'
import { PieceView } from '../inspector/piece-view.tsx'
import { Markdown } from '../transcript/markdown.tsx'
import { grouped, readable } from '../ui/text.ts'
import { Badge, PlainText } from '../ui/ui.tsx'
import { valueText } from './series.ts'

interface TurnDetailProps {
  readonly turn: Cell
  /** Set if the round has several turns. */
  readonly number: number | undefined
  readonly thread: string
  /** Of the thread. Undefined while loading. */
  readonly entries: readonly Entry[] | undefined
}

/** A turn: what was asked, what was done, what was said, and what the model saw. */
export function TurnDetail({
  turn: { status, text, asked, calls, effects, reason },
  number,
  thread,
  entries,
}: TurnDetailProps): ReactElement {
  const question = entries?.find(({ id }) => id === asked)
  return (
    <article className="space-y-3" data-turn>
      {number !== undefined && <h3 className="border-t border-line pt-3 font-medium">Turn {number}</h3>}
      {asked !== undefined && (
        <Part title="What it was asked">
          <div data-asked>
            {question ? (
              <PlainText text={question.text} />
            ) : (
              <p className="text-muted">{entries ? 'This key may not see it.' : 'Reading…'}</p>
            )}
          </div>
          <SeenQuestion turn={{ asked, calls }} thread={thread} />
        </Part>
      )}
      {effects.length > 0 && (
        <Part title="What it did">
          <ul className="space-y-2">
            {effects.map((effect, index) => (
              <li key={index}>
                <EffectView effect={effect} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      {status === 'asked' && <p className="text-muted">A person was asked, and has not answered yet.</p>}
      {status !== 'playing' && status !== 'asked' && (
        <Part title="What it said">
          {status !== 'complete' && (
            <p className="mb-1">
              <Badge tone={status === 'failed' ? 'bad' : 'warn'}>{status}</Badge>{' '}
              {reason && <span className="text-muted">{readable(reason.message)}</span>}
            </p>
          )}
          <div data-answer>{text === '' ? <p className="text-muted">Nothing.</p> : <Markdown text={text} />}</div>
        </Part>
      )}
      {calls.length > 0 && (
        <Part title={calls.length === 1 ? 'Model call' : 'Model calls'}>
          <ol className="space-y-1">
            {calls.map(({ receipt, prompt, completion }, index) => (
              <li key={receipt} className="flex min-h-6 items-center gap-2">
                <span className="font-mono text-xs text-muted tabular-nums">
                  {grouped(prompt)} → {grouped(completion)}
                </span>
                <Link
                  to="/threads/$thread/calls/$receipt"
                  params={{ thread, receipt }}
                  aria-label={calls.length === 1 ? 'What the model saw' : `What the model saw, call ${index + 1}`}
                  className="flex min-h-6 items-center text-accent underline underline-offset-2"
                >
                  What the model saw
                </Link>
              </li>
            ))}
          </ol>
        </Part>
      )}
    </article>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section aria-label={title} className="space-y-1">
      <h3 className="text-xs font-medium text-muted">{title}</h3>
      {children}
    </section>
  )
}

/** A tool call: its input, its result, and what it changed. */
function EffectView({ effect: { tool, input, told, changes, status } }: { readonly effect: CellEffect }): ReactElement {
  const changed = Object.entries(changes)
  return (
    <div data-effect={tool} className="rounded-md border border-line bg-sunken/60 px-2 py-1.5">
      <p className="flex items-baseline gap-2">
        <span className="font-mono font-medium">{readable(tool)}</span>
        <span
          className="min-w-0 grow truncate font-mono text-xs text-muted"
          title={readable(JSON.stringify(input).slice(0, 2000))}
        >
          {readable(JSON.stringify(input).slice(0, 200))}
        </span>
        {status !== 'done' && <Badge tone={status === 'refused' ? 'warn' : 'bad'}>{status}</Badge>}
      </p>
      {told !== '' && (
        <p className="text-xs whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
          {readable(told.slice(0, 2000))}
        </p>
      )}
      {changed.length > 0 && (
        <ul className="mt-1 flex flex-wrap gap-x-3 text-xs">
          {changed.map(([name, value]) => (
            <li key={name} className="font-mono">
              {name} <span aria-label="becomes">→</span> <b>{readable(valueText(value).slice(0, 120))}</b>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** If the model did not see everything it was asked: what was missing, and what it saw of the question. */
function SeenQuestion({
  turn: { asked, calls },
  thread,
}: {
  readonly turn: Pick<Cell, 'asked' | 'calls'>
  readonly thread: string
}): ReactElement | null {
  const gaps = gapsOf(calls)
  const texts = gapTexts(gaps)
  const first = calls.find(({ turn, isVain }) => !isVain && turn !== undefined) ?? calls.find(({ isVain }) => !isVain)
  if (texts.length === 0 || !first || asked === undefined) return null
  return (
    <div data-seen className="space-y-2 rounded-md border border-warn/40 bg-warn-soft p-2">
      <p>
        <span className="font-medium text-warn">The model did not see all of it:</span> {texts.join('; ')}.
      </p>
      {gaps.question !== undefined && <Seen thread={thread} receipt={first.receipt} entry={asked} />}
      <p>
        <Link
          to="/threads/$thread/calls/$receipt"
          params={{ thread, receipt: first.receipt }}
          search={{ at: asked }}
          className="inline-flex min-h-6 items-center text-accent underline underline-offset-2"
        >
          See the whole prompt
        </Link>
      </p>
    </div>
  )
}

/** What was sent of an entry, for admins. */
function Seen({
  thread,
  receipt,
  entry,
}: {
  readonly thread: string
  readonly receipt: string
  readonly entry: string
}): ReactElement | null {
  const isAdmin = useIsAdmin()
  const { data } = useInspection(thread, isAdmin ? receipt : undefined)
  if (!isAdmin || data?.receipt.id !== receipt) return null
  const pieces = piecesWith(data, entry)
  return (
    <section aria-label="What the model saw of it" className="space-y-1">
      <h4 className="text-xs font-medium text-muted">What the model saw of it</h4>
      {pieces.map((piece) => (
        <PieceView key={`${piece.message}.${piece.part}`} piece={piece} />
      ))}
      {pieces.length === 0 && <p>Nothing.</p>}
    </section>
  )
}
