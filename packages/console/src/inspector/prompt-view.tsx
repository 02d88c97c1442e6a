import type { ReactElement } from 'react'
import type { Entry } from '../api/entries.ts'
import type { Inspection } from './inspection.ts'
import { plural } from './number.ts'
import { piecesOf } from './pane.ts'
import { PieceView } from './piece-view.tsx'
import { wordsOf } from './words.ts'

/** The whole prompt in its order, with a line where what was reused ends. */
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
              {plural(inspection.reused, 'message', 'messages')} above as in the prompt before; new from here
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
