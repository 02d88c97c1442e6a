import { useEffect, useRef, type ReactElement } from 'react'
import { isUnanswered, useAbout, useMayWrite } from '../api/api.tsx'
import { mostListed, useWaiting } from '../api/waiting.ts'
import { CutOff, Empty, Failure, Loading } from '../ui/placeholders.tsx'
import { OpenCalls } from './open-calls.tsx'

/** What waits for people: the tool calls of all threads that need a decision. */
export function WaitingPage(): ReactElement {
  const { data, error, refetch } = useWaiting({ every })
  const page = useRef<HTMLElement>(null)
  const isEmpty = data?.length === 0
  useEffect(() => {
    // So that the keys work at once. No call has the focus yet.
    if (data && document.activeElement === document.body) page.current?.querySelector('ul')?.focus()
  }, [data !== undefined])
  return (
    <section
      ref={page}
      aria-label="Waiting"
      data-waiting
      aria-busy={!data && !error}
      className="h-full overflow-y-auto"
    >
      {isUnanswered(error) && data && <CutOff />}
      <div className={`mx-auto max-w-3xl space-y-3 p-4 ${isEmpty || !data ? 'h-full' : ''}`}>
        <h1 className="text-base font-semibold">Waiting for a decision</h1>
        {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Loading label="Reading what waits" />}
        {isEmpty && (
          <Empty title="Nothing waits">
            <p>A tool call that needs approval, or a question of a model, appears here.</p>
          </Empty>
        )}
        {data && !isEmpty && <Advice />}
        {data && data.length >= mostListed && (
          <p className="text-xs text-muted">These are the newest {mostListed} calls. More may wait.</p>
        )}
        {data && <OpenCalls calls={data} showsThread />}
      </div>
    </section>
  )
}

/** Says how to decide, or why that is not possible here. */
function Advice(): ReactElement {
  const mayWrite = useMayWrite()
  const { readOnly } = useAbout()
  if (!mayWrite)
    return (
      <p className="text-xs text-muted">
        {readOnly
          ? 'This server only reads the file of another program, so nothing can be decided here.'
          : 'This key is read-only, so it cannot decide.'}
      </p>
    )
  return (
    <p className="hidden text-xs text-muted sm:block">
      <kbd>j</kbd> <kbd>k</kbd> move, <kbd>a</kbd> approves, <kbd>r</kbd> refuses.
    </p>
  )
}

/** Milliseconds. */
const every = 4000
