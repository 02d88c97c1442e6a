import { useState, type ReactElement } from 'react'
import { plural } from './text.ts'
import { Button } from './ui.tsx'

interface FoldedTextProps {
  readonly text: string
  /** Draws what is shown of the text. */
  readonly children: (shown: string) => ReactElement
}

/** A long text, such as something that was pasted: its beginning, and a button for the rest. */
export function FoldedText({ text, children }: FoldedTextProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const { shown, more } = foldedAt(text)
  return (
    <>
      {children(isOpen ? text : shown)}
      {more > 0 && (
        <Button small className="mt-1" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show ${plural(more, 'more line', 'more lines')}`}
        </Button>
      )}
    </>
  )
}

/**
 * The beginning of a long text, and how many lines are missing. A text that is not much longer is not folded.
 *
 * @example
 * foldedAt('a\n'.repeat(400)).more // 381
 */
export function foldedAt(text: string): { readonly shown: string; readonly more: number } {
  const lines = text.split('\n')
  const kept = lines.slice(0, linesShown).join('\n').slice(0, charactersShown)
  const isLong = lines.length > 2 * linesShown || text.length > 2 * charactersShown
  return isLong ? { shown: kept, more: text.slice(kept.length + 1).split('\n').length } : { shown: text, more: 0 }
}

const linesShown = 20
const charactersShown = 4000
