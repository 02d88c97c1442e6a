import type { ReactElement } from 'react'
import type { Inspection } from '../api/calls.ts'
import type { Entry } from '../api/entries.ts'
import { grouped, percentOf, plural, readable } from '../ui/text.ts'
import { paneLooks, piecesIn, type PaneName } from './pane.ts'
import { PieceView, wordsOf } from './piece-view.tsx'

interface PaneDetailProps {
  readonly inspection: Inspection
  readonly pane: PaneName
  readonly entries: readonly Entry[]
}

/** The content of a pane: every segment of it, as it was sent. */
export function PaneDetail({ inspection, pane, entries }: PaneDetailProps): ReactElement {
  const { title, says } = paneLooks[pane]
  const tokens = inspection.shares.find(({ name }) => name === pane)?.tokens ?? 0
  const pieces = piecesIn(inspection, pane)
  return (
    <section aria-label={title} data-pane-detail={pane} className="space-y-2">
      <h3 className="font-semibold">
        {title}{' '}
        <span className="font-mono text-xs font-normal text-muted">
          {plural(tokens, 'token', 'tokens')}, {percentOf(tokens, Math.max(inspection.window, inspection.tokens))} of
          the window
        </span>
      </h3>
      <p className="text-muted">{says}</p>
      {pane === 'tools' && <Tools inspection={inspection} />}
      {pieces.map((piece) => (
        <PieceView key={`${piece.message}.${piece.part}`} piece={piece} fallback={wordsOf(piece.entries, entries)} />
      ))}
      {pieces.length === 0 && pane !== 'tools' && pane !== 'free' && pane !== 'reserve' && (
        <p className="text-xs text-muted">
          This text needs an admin’s key. It has {plural(tokens, 'token', 'tokens')}.
        </p>
      )}
      {pane === 'reserve' && <p className="text-xs text-muted">{answered(inspection)}</p>}
    </section>
  )
}

function Tools({ inspection: { sent, hidden } }: { readonly inspection: Inspection }): ReactElement {
  if (!sent)
    return (
      <p className="text-xs text-muted">{plural(hidden.tools, 'tool', 'tools')}; their schemas need an admin’s key.</p>
    )
  return (
    <ul className="space-y-2">
      {sent.tools.map((tool, index) => (
        <li key={index}>
          <pre tabIndex={0} className="max-h-72 overflow-auto rounded-md border border-line bg-sunken p-2 text-xs">
            {readable(JSON.stringify(tool, null, 2))}
          </pre>
        </li>
      ))}
    </ul>
  )
}

function answered({
  receipt: {
    tokens: { reported },
  },
}: Inspection): string {
  return reported.completion === undefined
    ? 'The model did not report how many tokens its answer has.'
    : `The model answered with ${grouped(reported.completion)} tokens.`
}
