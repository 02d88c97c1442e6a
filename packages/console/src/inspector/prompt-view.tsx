import { useState, type ReactElement } from 'react'
import type { Inspection } from '../api/calls.ts'
import type { Entry } from '../api/entries.ts'
import { copyText } from '../ui/copy.tsx'
import { plural, readable, readableJson } from '../ui/text.ts'
import { Button } from '../ui/ui.tsx'
import { piecesOf } from './pane.ts'
import { PieceView, wordsOf } from './piece-view.tsx'

/** The whole prompt in order, with a line at the end of the reused part. */
export function PromptView({
  inspection,
  entries,
}: {
  readonly inspection: Inspection
  readonly entries: readonly Entry[]
}): ReactElement {
  const pieces = piecesOf(inspection)
  const firstNew = pieces.findIndex(({ reused }) => !reused)
  return (
    <ol aria-label="The prompt, in its order" className="space-y-2">
      {pieces.map((piece, index) => (
        <li key={`${piece.message}.${piece.part}`} className="space-y-2">
          {index === firstNew && index > 0 && (
            <p className="flex items-center gap-2 text-xs text-muted">
              <span aria-hidden="true" className="h-px flex-1 bg-line" />
              {plural(inspection.reused, 'message', 'messages')} above are those of the previous prompt; new from here
              <span aria-hidden="true" className="h-px flex-1 bg-line" />
            </p>
          )}
          <PieceView piece={piece} fallback={wordsOf(piece.entries, entries)} />
        </li>
      ))}
      {inspection.hidden.messages > 0 && (
        <li className="text-xs text-muted">
          {plural(inspection.hidden.messages, 'message', 'messages')} or parts of them are hidden from this key.
        </li>
      )}
    </ol>
  )
}

type Form = 'text' | 'json'

/** The prompt as one text: for people, or as the JSON that was sent. Both can be copied. */
export function Dump({ inspection: { sent } }: { readonly inspection: Inspection }): ReactElement {
  const [form, setForm] = useState<Form>('json')
  const [said, setSaid] = useState('')
  if (!sent) return <p className="text-muted">Log in with an admin’s key to see the dump.</p>
  const text =
    form === 'text'
      ? sent.text
      : readableJson({ messages: sent.messages, ...(sent.tools.length > 0 && { tools: sent.tools }) })
  const copy = async (): Promise<void> =>
    setSaid(
      (await copyText(text)) ? 'Copied.' : 'The browser does not allow copying: select the text and copy it yourself.',
    )
  return (
    <section aria-label="Dump" className="space-y-2">
      <div className="flex items-center gap-1">
        {(['json', 'text'] as const).map((each) => (
          <Button
            key={each}
            small
            kind={form === each ? 'plain' : 'quiet'}
            aria-pressed={form === each}
            onClick={() => {
              setForm(each)
              setSaid('')
            }}
          >
            {each === 'text' ? 'For people' : 'As JSON'}
          </Button>
        ))}
        <Button small className="ml-auto" onClick={() => void copy()}>
          Copy
        </Button>
        <span role="status" className="text-xs text-muted">
          {said}
        </span>
      </div>
      <pre
        tabIndex={0}
        aria-label="The prompt"
        {...(form === 'json' ? { 'data-dump': '' } : { 'data-dump-text': '' })}
        className="max-h-[60vh] overflow-auto rounded-md border border-line bg-sunken p-2 text-xs break-words whitespace-pre-wrap"
      >
        {form === 'json' ? text : readable(text)}
      </pre>
    </section>
  )
}
