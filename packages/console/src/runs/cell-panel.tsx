import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactElement } from 'react'
import { useAbout } from '../api/about.ts'
import { useEntries } from '../api/entries.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { ForkDialog } from './fork-dialog.tsx'
import type { GridCell } from './grid.ts'
import { Playing } from './playing.tsx'
import { TurnDetail } from './turn-detail.tsx'
import type { RunBoard } from './types.ts'

export interface CellPanelProps {
  readonly board: RunBoard
  readonly cell: GridCell
  readonly onChoose: (cell: { readonly round: number; readonly participant: string }) => void
  readonly onClose: () => void
}

/** What a participant was asked in a round, did and said. */
export function CellPanel({
  board,
  cell: { participant, round, status, turns },
  onChoose,
  onClose,
}: CellPanelProps): ReactElement {
  const lane = board.participants.find(({ name }) => name === participant)!
  const { data, refetch } = useEntries(lane.thread, undefined)
  const mayManage = useAbout().scope !== 'viewer'
  const [isForking, setForking] = useState(false)
  const panel = useRef<HTMLElement>(null)
  const asked = turns.map((turn) => turn.asked).join(' ')
  useEffect(() => {
    // What was asked just now is on record by now.
    if (
      asked !== '' &&
      data &&
      !asked.split(' ').every((id) => id === '' || data.entries.some((entry) => entry.id === id))
    )
      void refetch()
  }, [asked])
  useEffect(() => {
    if (panel.current) panel.current.scrollTop = 0
    // Where the panel takes all the room, the cell that was clicked is gone.
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
