import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactElement } from 'react'
import { useClient } from '../api/client-context.tsx'
import { Markdown } from '../transcript/markdown.tsx'
import { readable } from '../transcript/readable.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { askAgain, type Asked, type Asking } from './asking.ts'

export interface AskAgainProps {
  readonly asking: Asking
  /** What was answered then. */
  readonly answer: string | undefined
  /** What the settings bring back, in words. */
  readonly says: string
}

/** Asks the model again under the settings of the lab, on a fork, and shows both answers side by side. */
export function AskAgain({ asking, answer, says }: AskAgainProps): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const [error, setError] = useState<unknown>()
  const left = useRef<AbortController>(undefined)
  useEffect(() => () => left.current?.abort(), [])
  const ask = (): void => {
    left.current?.abort()
    left.current = new AbortController()
    setError(undefined)
    setAsked(undefined)
    askAgain(client, asking, setAsked, left.current.signal).catch(setError).finally(() => void queries.invalidateQueries({ queryKey: ['threads'] }))
  }
  const isRunning = asked !== undefined && !asked.isOver && error === undefined
  return (
    <section aria-label="Ask again" className="space-y-3">
      <p className="text-muted">{says} The question is asked again on a fork; this thread stays as it is.</p>
      <blockquote tabIndex={0} className="max-h-32 overflow-auto border-l-2 border-line pl-3 whitespace-pre-wrap">{readable(asking.question.text)}</blockquote>
      <Button kind="primary" disabled={isRunning} onClick={ask}>Ask again</Button>
      {error !== undefined && <Failure error={error} onRetry={ask} />}
      {asked && (
        <div className="grid gap-3 lg:grid-cols-2" data-answers>
          <Answer title="As recorded" text={answer ?? ''} />
          <Answer title="With this restored" text={asked.text} isBusy={isRunning} reason={asked.reason} />
        </div>
      )}
      {asked && <p className="text-xs"><Link to="/threads/$thread" params={{ thread: asked.fork }} className="inline-block min-h-6 text-accent underline underline-offset-2">Open the fork</Link></p>}
    </section>
  )
}

function Answer({ title, text, isBusy = false, reason }: { readonly title: string; readonly text: string; readonly isBusy?: boolean; readonly reason?: string | undefined }): ReactElement {
  return (
    <article aria-label={title} aria-busy={isBusy} className="min-h-32 rounded-md border border-line">
      <h3 className="border-b border-line bg-sunken px-3 py-1.5 text-xs font-medium">{title}</h3>
      <div className={`px-3 py-2 ${isBusy ? 'caret' : ''}`}>{text !== '' && <Markdown text={text} />}{text === '' && !isBusy && <p className="text-muted">{reason ?? 'There is no answer.'}</p>}</div>
    </article>
  )
}
