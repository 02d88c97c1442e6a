import { useState, type ReactElement } from 'react'
import type { Entry } from '../api/entries.ts'
import { grouped, plural, readable } from '../ui/text.ts'
import { Badge, Button } from '../ui/ui.tsx'
import type { PlacedPiece } from './pane.ts'

const folded = 1200

/** A segment of the prompt, exactly as it was sent. `fallback`: the text to show if this key may not see the prompt. */
export function PieceView({
  piece,
  fallback,
}: {
  readonly piece: PlacedPiece
  readonly fallback?: string | undefined
}): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const text = piece.text ?? fallback
  const shown = text !== undefined && text.length > folded && !isOpen ? `${text.slice(0, folded)}…` : text
  return (
    <article data-piece={piece.label} className="rounded-md border border-line">
      <header className="flex flex-wrap items-center gap-2 border-b border-line bg-sunken px-2 py-1 text-xs">
        <span className="font-mono font-semibold">{piece.label}</span>
        <span className="text-muted">
          message {piece.message + 1}, as {piece.role}
        </span>
        {piece.reused ? (
          <Badge title="The previous prompt had it in the same position, and all that is before it.">reused</Badge>
        ) : (
          <Badge tone="accent" title="The previous prompt did not have it in this position.">
            new
          </Badge>
        )}
        <span className="ml-auto font-mono text-muted">{plural(piece.tokens, 'token', 'tokens')}</span>
      </header>
      {shown === undefined ? (
        <p className="px-2 py-1.5 text-xs text-muted">
          This text needs an admin’s key. It has {plural(piece.tokens, 'token', 'tokens')}.
        </p>
      ) : (
        <pre
          tabIndex={0}
          dir="auto"
          className="max-h-96 [unicode-bidi:plaintext] overflow-auto px-2 py-1.5 text-xs break-words whitespace-pre-wrap"
        >
          {readable(shown) || '(no text)'}
        </pre>
      )}
      {text !== undefined && text.length > folded && (
        <div className="border-t border-line px-2 py-1">
          <Button small kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show less' : `Show all ${grouped(text.length)} characters`}
          </Button>
        </div>
      )}
    </article>
  )
}

/** The text of some entries. Undefined if this key may not see all of them. */
export function wordsOf(ids: readonly string[], entries: readonly Entry[]): string | undefined {
  const found = ids.map((id) => entries.find((entry) => entry.id === id))
  if (found.length === 0 || found.includes(undefined)) return undefined
  return found.map((entry) => textOf(entry!)).join('\n\n')
}

/** The text of an entry with its tool calls. */
export function textOf({ text, calls }: Pick<Entry, 'text' | 'calls'>): string {
  return [
    text,
    ...calls.map(
      ({ name, arguments: given }) => `→ ${name}(${typeof given === 'string' ? given : JSON.stringify(given)})`,
    ),
  ]
    .filter((line) => line !== '')
    .join('\n')
}
