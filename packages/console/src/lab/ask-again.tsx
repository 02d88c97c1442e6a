import { ApiError } from '@minutebook/client'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react'
import type { Entry } from '../api/entries.ts'
import { useSendPrompt, type PromptAnswer, type PromptRequest } from '../api/lab.ts'
import { Markdown } from '../transcript/markdown.tsx'
import { Failure } from '../ui/placeholders.tsx'
import { grouped, readable } from '../ui/text.ts'
import { Button } from '../ui/ui.tsx'

interface AskAgainProps {
  /** The prompt that is shown. Undefined while it is computed, or if it cannot be made. */
  readonly asking: PromptRequest | undefined
  /** The recorded answer. */
  readonly answer: Entry | undefined
  /** Sets the window of the lab. */
  readonly onWindow: (window: number) => void
}

/** Sends the shown prompt to the model on a new thread, and shows both answers side by side. */
export function AskAgain({ asking, answer, onWindow }: AskAgainProps): ReactElement {
  const send = useSendPrompt()
  const [asked, setAsked] = useState<PromptAnswer & { readonly of: PromptRequest }>()
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly of: PromptRequest }>()
  const left = useRef<AbortController>(undefined)
  useEffect(() => () => left.current?.abort(), [])
  const ask = (of: PromptRequest, load = false): void => {
    left.current?.abort()
    const leaving = (left.current = new AbortController())
    setFailure(undefined)
    setAsked(undefined)
    send(of, load, (answer) => setAsked({ ...answer, of }), leaving.signal).catch(
      (error: unknown) => leaving.signal.aborted || setFailure({ error, of }),
    )
  }
  const isRunning = asked !== undefined && !asked.isOver && failure === undefined
  return (
    <section aria-label="Ask again" className="space-y-3">
      <p className="text-muted">
        The model gets exactly the prompt shown here, on a new thread. This thread does not change.
      </p>
      <Button kind="primary" disabled={isRunning || !asking} onClick={() => asking && ask(asking)}>
        Ask again
      </Button>
      {failure && (
        <NotSent
          {...failure}
          isShown={failure.of.hash === asking?.hash}
          onAsk={(load) => ask(failure.of, load)}
          onWindow={onWindow}
        />
      )}
      {asked && (
        <div className="grid gap-3 lg:grid-cols-2" data-answers>
          <Answer title="As recorded" text={answer?.text ?? ''} calls={answer?.calls ?? []} />
          <Answer title="Asked again" text={asked.text} calls={asked.calls} isBusy={isRunning} reason={asked.reason}>
            <Proof asked={asked} shown={asking} />
          </Answer>
        </div>
      )}
    </section>
  )
}

/** Whether the answer belongs to the shown prompt, by the hash in the receipt of the new call. */
function Proof({
  asked: { thread, receipt, of },
  shown,
}: {
  readonly asked: PromptAnswer & { readonly of: PromptRequest }
  readonly shown: PromptRequest | undefined
}): ReactElement {
  const is = !receipt
    ? 'unknown'
    : receipt.hash !== of.hash
      ? 'other'
      : receipt.hash === shown?.hash
        ? 'same'
        : 'earlier'
  const { tone, sign, says } = proofs[is]
  return (
    <p
      className={`flex flex-wrap items-center gap-x-3 text-xs ${tone}`}
      data-asked-proof={is}
      data-hash={receipt?.hash}
    >
      <span>
        <span aria-hidden="true">{sign} </span>
        {says}
      </span>
      {thread !== '' && receipt && (
        <Link
          to="/threads/$thread/calls/$receipt"
          params={{ thread, receipt: receipt.id }}
          className="inline-flex min-h-6 items-center text-accent underline underline-offset-2"
        >
          What the model saw
        </Link>
      )}
      {thread !== '' && (
        <Link
          to="/threads/$thread"
          params={{ thread }}
          className="inline-flex min-h-6 items-center text-accent underline underline-offset-2"
        >
          Open its thread
        </Link>
      )}
    </p>
  )
}

const proofs = {
  same: { tone: 'text-good', sign: '✓', says: 'Answer to exactly the prompt that is shown' },
  earlier: { tone: 'text-warn', sign: '!', says: 'Answer to the prompt that was shown before: ask again for this one' },
  other: {
    tone: 'text-bad',
    sign: '✗',
    says: 'Not the prompt that is shown: something else was sent. This is a bug in Minutebook, please report it',
  },
  unknown: { tone: 'text-muted', sign: '…', says: 'Not known yet what was sent' },
}

/** Why the prompt was not sent, and what to do. */
function NotSent({
  error,
  of,
  isShown,
  onAsk,
  onWindow,
}: {
  readonly error: unknown
  readonly of: PromptRequest
  readonly isShown: boolean
  readonly onAsk: (load: boolean) => void
  readonly onWindow: (window: number) => void
}): ReactElement {
  const window = error instanceof ApiError ? error.window : undefined
  if (!window) return <Failure error={error} onRetry={() => onAsk(false)} />
  return (
    <div role="alert" data-not-sent className="space-y-2 rounded-md border border-warn/40 bg-warn-soft p-3">
      <p className="font-medium text-warn">This prompt was not sent</p>
      <p>
        It was made for a window of {grouped(window.asked)} tokens, and the model has {grouped(window.given)} (source:{' '}
        {readable(window.source)}).
        {!window.canLoad &&
          ' To get more, give the model server a larger window, or set “window” or “num_ctx” of this model in the settings.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {window.canLoad && isShown && (
          <Button small title="The model server loads the model again, with this window" onClick={() => onAsk(true)}>
            Ask with num_ctx {grouped(of.window)}
          </Button>
        )}
        <Button small onClick={() => onWindow(window.given)}>
          Show the prompt for {grouped(window.given)}
        </Button>
      </div>
    </div>
  )
}

interface AnswerProps {
  readonly title: string
  readonly text: string
  readonly calls: PromptAnswer['calls']
  readonly isBusy?: boolean
  readonly reason?: string | undefined
  readonly children?: ReactNode
}

function Answer({ title, text, calls, isBusy = false, reason, children }: AnswerProps): ReactElement {
  return (
    <article aria-label={title} aria-busy={isBusy} className="min-h-32 rounded-md border border-line">
      <h3 className="border-b border-line bg-sunken px-3 py-1.5 text-xs font-medium">{title}</h3>
      <div className={`space-y-2 px-3 py-2 ${isBusy ? 'caret' : ''}`}>
        {text !== '' && <Markdown text={text} />}
        {calls.map(({ name, arguments: given }, index) => (
          <p key={index} className="font-mono text-xs [overflow-wrap:anywhere]">
            → {readable(name)} {readable(argumentsText(given).slice(0, 2000))}
          </p>
        ))}
        {text === '' && calls.length === 0 && !isBusy && (
          <p className="text-muted">{reason ?? 'There is no answer.'}</p>
        )}
        {children}
      </div>
    </article>
  )
}

function argumentsText(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given ?? {})
}
