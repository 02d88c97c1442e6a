import type { ReactElement } from 'react'
import { useLive } from '../api/live.ts'
import type { Entry } from '../api/entries.ts'
import { PlainText } from '../transcript/plain-text.tsx'
import { readable } from '../transcript/readable.ts'

/** What a participant is being asked, and says right now. */
export function Playing({
  thread,
  entries,
  isAsked,
}: {
  readonly thread: string
  readonly entries: readonly Entry[] | undefined
  readonly isAsked: boolean
}): ReactElement {
  const { text } = useLive(thread)
  const question = entries?.findLast(({ kind }) => kind === 'user')
  return (
    <section aria-label="Right now" aria-busy="false" className="space-y-2">
      {isAsked && question && (
        <>
          <h3 className="text-xs font-medium text-muted">What it is asked</h3>
          <PlainText text={question.text} />
        </>
      )}
      <h3 className="text-xs font-medium text-muted">What it says</h3>
      <p data-live className="min-h-12 whitespace-pre-wrap [overflow-wrap:anywhere]">
        <span className="caret">{readable(text)}</span>
      </p>
    </section>
  )
}
