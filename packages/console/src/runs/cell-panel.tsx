import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactElement } from 'react'
import { useMayWrite } from '../api/api.tsx'
import { useEntries, type Entry } from '../api/entries.ts'
import { useLive } from '../api/live.ts'
import type { RunBoard } from '../api/runs.ts'
import { readable } from '../ui/text.ts'
import { Button, Icon, PlainText } from '../ui/ui.tsx'
import { ForkDialog } from './fork-dialog.tsx'
import type { GridCell } from './grid.ts'
import { TurnDetail } from './turn-detail.tsx'

interface CellPanelProps {
  readonly board: RunBoard
  readonly cell: GridCell
  readonly onChoose: (cell: { readonly round: number; readonly participant: string }) => void
  readonly onClose: () => void
}

/** A participant in a round: what it was asked, did and said. */
export function CellPanel({
  board,
  cell: { participant, round, status, turns },
  onChoose,
  onClose,
}: CellPanelProps): ReactElement {
  const lane = board.participants.find(({ name }) => name === participant)!
  const { data, refetch } = useEntries(lane.thread, undefined)
  const mayManage = useMayWrite()
  const [isForking, setForking] = useState(false)
  const panel = useRef<HTMLElement>(null)
  const asked = turns.map((turn) => turn.asked).join(' ')
  useEffect(() => {
    // The new question is recorded by now.
    if (
      asked !== '' &&
      data &&
      !asked.split(' ').every((id) => id === '' || data.entries.some((entry) => entry.id === id))
    )
      void refetch()
  }, [asked])
  useEffect(() => {
    if (panel.current) panel.current.scrollTop = 0
    // On narrow screens the panel replaces the cell that had the focus.
    if (document.activeElement === document.body) panel.current?.focus()
  }, [participant, round])
  const move = (by: number): ReactElement => {
    const to = board.rounds[board.rounds.findIndex((column) => column.round === round) + by]
    return (
      <Button
        small
        kind="quiet"
        disabled={!to}
        aria-label={by < 0 ? 'The round before' : 'The round after'}
        onClick={() => to && onChoose({ participant, round: to.round })}
      >
        <Icon name={by < 0 ? 'previous' : 'next'} size={12} />
      </Button>
    )
  }
  return (
    <aside
      ref={panel}
      aria-label={`${participant} in round ${round}`}
      data-panel={`${participant} ${round}`}
      tabIndex={-1}
      className="min-h-0 min-w-0 overflow-y-auto border-l border-line bg-surface outline-none"
    >
      <div className="sticky top-0 z-10 flex items-center gap-1 border-b border-line bg-surface px-3 py-1.5">
        <h2 className="min-w-0 grow truncate font-semibold">
          {participant} <span className="font-normal text-muted">· round {round}</span>
        </h2>
        {move(-1)}
        {move(1)}
        {mayManage && (
          <Button small kind="quiet" onClick={() => setForking(true)}>
            Fork here
          </Button>
        )}
        <Button small kind="quiet" aria-label="Close" onClick={onClose}>
          <Icon name="close" size={12} />
        </Button>
      </div>
      <div className="space-y-4 p-3 text-[13px]">
        {turns.map((turn, index) => (
          <TurnDetail
            key={turn.turn}
            turn={turn}
            number={turns.length > 1 ? index + 1 : undefined}
            thread={lane.thread}
            entries={data?.entries}
          />
        ))}
        {status === 'playing' && <Playing thread={lane.thread} entries={data?.entries} isAsked={turns.length === 0} />}
        {status === 'waiting' && <p className="text-muted">Its turn has not come yet.</p>}
        {status === 'idle' && <p className="text-muted">It did not play in this round.</p>}
        <p className="border-t border-line pt-3">
          <Link
            to="/threads/$thread"
            params={{ thread: lane.thread }}
            className="text-accent underline underline-offset-2"
          >
            The whole thread of {participant}
          </Link>
        </p>
      </div>
      {isForking && <ForkDialog board={board} round={round} onClose={() => setForking(false)} />}
    </aside>
  )
}

/** The current question of a participant, and its answer while it is written. */
function Playing({
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
