import { useState, type ReactElement } from 'react'
import { Button } from '../ui/button.tsx'
import { readable } from './readable.ts'

/** Text as it is; of a long one as much as a screen takes, and more on demand. */
export function PlainText({ text }: { readonly text: string }): ReactElement {
  const [length, setLength] = useState(step)
  const rest = text.length - length
  return (
    <>
      <pre
        tabIndex={0}
        className="max-h-[32rem] overflow-auto font-mono text-[13px] whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {readable(text.slice(0, length))}
      </pre>
      {rest > 0 && (
        <Button small onClick={() => setLength(length + step)}>
          Show more ({rest.toLocaleString('en')} characters)
        </Button>
      )}
    </>
  )
}

const step = 20_000
