import { useState, type ReactElement } from 'react'
import { Button } from '../ui/button.tsx'
import { readable } from '../transcript/readable.ts'
import type { Inspection } from './inspection.ts'
import { readableJson } from './readable-json.ts'

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
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied.'),
      () => setSaid('The browser does not allow it: select the text and copy it by hand.'),
    )
  }
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
        <Button small className="ml-auto" onClick={copy}>
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
