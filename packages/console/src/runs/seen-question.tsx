import { gapsOf, gapTexts, type Cell } from '@minutebook/experiment/run'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useIsAdmin } from '../api/about.ts'
import { useInspection } from '../inspector/calls.ts'
import { piecesWith } from '../inspector/pane.ts'
import { PieceView } from '../inspector/piece-view.tsx'

/**
 * If the model did not see all that it was asked: what it lacked, and what it saw of the question in its first prompt.
 */
export function SeenQuestion({
  turn: { asked, calls },
  thread,
}: {
  readonly turn: Pick<Cell, 'asked' | 'calls'>
  readonly thread: string
}): ReactElement | null {
  const gaps = gapsOf(calls)
  const texts = gapTexts(gaps)
  const first = calls.find(({ turn, isVain }) => !isVain && turn !== undefined) ?? calls.find(({ isVain }) => !isVain)
  if (texts.length === 0 || !first || asked === undefined) return null
  return (
    <div data-seen className="space-y-2 rounded-md border border-warn/40 bg-warn-soft p-2">
      <p>
        <span className="font-medium text-warn">The model did not see all of it:</span> {texts.join('; ')}.
      </p>
      {gaps.question !== undefined && <Seen thread={thread} receipt={first.receipt} entry={asked} />}
      <p>
        <Link
          to="/threads/$thread/calls/$receipt"
          params={{ thread, receipt: first.receipt }}
          search={{ at: asked }}
          className="inline-flex min-h-6 items-center text-accent underline underline-offset-2"
        >
          See the whole prompt
        </Link>
      </p>
    </div>
  )
}

/** What was sent of an entry. Others than admins follow the link. */
function Seen({
  thread,
  receipt,
  entry,
}: {
  readonly thread: string
  readonly receipt: string
  readonly entry: string
}): ReactElement | null {
  const isAdmin = useIsAdmin()
  const { data } = useInspection(thread, isAdmin ? receipt : undefined)
  if (!isAdmin || data?.receipt.id !== receipt) return null
  const pieces = piecesWith(data, entry)
  return (
    <section aria-label="What the model saw of it" className="space-y-1">
      <h4 className="text-xs font-medium text-muted">What the model saw of it</h4>
      {pieces.map((piece) => (
        <PieceView key={`${piece.message}.${piece.part}`} piece={piece} />
      ))}
      {pieces.length === 0 && <p>Nothing.</p>}
    </section>
  )
}
