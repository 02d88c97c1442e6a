import type { ReactElement } from 'react'
import { Markdown } from './markdown.tsx'

/** The answer as it is written, where its entry will stand. */
export function Streaming({ text }: { readonly text: string }): ReactElement {
  return (
    <div data-streaming className="px-4 py-2">
      <div className="mx-auto max-w-3xl px-3 py-1">
        <div className="mb-0.5 flex min-h-6 items-center gap-2 text-xs">
          <span className="font-semibold">Assistant</span>
          <span className="text-muted">{text === '' ? 'is asked…' : 'is answering…'}</span>
        </div>
        {text === '' ? <span className="caret" /> : <Markdown text={text} />}
      </div>
    </div>
  )
}
