import { descriptionIn, tellingsOf, type GoalLine } from '@minutebook/experiment/run'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactElement } from 'react'
import type { RunBoard } from '../api/runs.ts'
import { plural } from '../ui/text.ts'
import { BandRow } from './band-row.tsx'
import { EnvironmentHead } from './constants.tsx'
import { cellAt, moved, type Grid, type GridCell, type Place } from './grid.ts'
import { ParticipantRow } from './participant-row.tsx'
import { PlotRow } from './plot-row.tsx'
import { RoundHeads } from './round-heads.tsx'
import { settingsIn } from './run-settings.ts'
import { variablesOf } from './series.ts'
import { ToldArrows } from './told-arrows.tsx'
import { useColumns, type Zoom } from './use-columns.ts'

interface MonitorProps {
  readonly board: RunBoard
  readonly grid: Grid
  readonly goals: readonly GoalLine[]
  readonly zoom: Zoom
  readonly chosen: GridCell | undefined
  readonly onChoose: (cell: { readonly round: number; readonly participant: string }) => void
}

/** Participants as rows, rounds as columns, and below them the environment on the same axis. */
export function Monitor({ board, grid, goals, zoom, chosen, onChoose }: MonitorProps): ReactElement {
  const { participants, rounds } = board
  const [place, setPlace] = useState<Place>(() => placeOf(board, chosen))
  const wanted = useRef(false)
  const columns = useColumns(rounds.length, place.column + 1, zoom)
  const { scroller, items, width, show } = columns
  const { changing, constant } = useMemo(() => variablesOf(board), [board])
  const tellings = useMemo(() => tellingsOf(board), [board])
  const wasChosen = useRef(false)
  useEffect(() => {
    // When the panel closes, the focus returns to its cell.
    if (!chosen && wasChosen.current && document.activeElement === document.body) wanted.current = true
    wasChosen.current = chosen !== undefined
    if (!chosen) return setPlace((before) => ({ ...before }))
    const next = placeOf(board, chosen)
    setPlace(next)
    show(next.column + 1)
    // Only if another cell is chosen: changes of the run do not move the focus.
  }, [chosen?.round, chosen?.participant])
  useEffect(() => {
    if (chosen) show(placeOf(board, chosen).column + 1)
  }, [zoom])
  useEffect(() => {
    if (!wanted.current) return
    wanted.current = false
    scroller.current
      ?.querySelector<HTMLElement>(`[data-cell="${place.lane} ${place.column}"]`)
      ?.focus({ preventScroll: true })
  }, [place, items, scroller])
  const hear = (event: KeyboardEvent): void => {
    const next = moved(place, event.key, { lanes: participants.length, columns: rounds.length })
    if (!next) return
    event.preventDefault()
    wanted.current = true
    setPlace(next)
    show(next.column + 1)
    const [lane, column] = [participants[next.lane], rounds[next.column]]
    if (chosen && lane && column) onChoose({ participant: lane.name, round: column.round })
  }
  const chosenColumn = chosen && placeOf(board, chosen).column + 1
  return (
    <div
      ref={scroller}
      data-monitor
      data-zoom={zoom}
      data-rounds={rounds.length}
      className="monitor h-full overflow-auto"
    >
      <div className="relative min-h-full" style={{ width, minWidth: '100%' }}>
        <div
          role="grid"
          aria-label="Turns"
          aria-rowcount={participants.length + 1}
          aria-colcount={rounds.length + 1}
          onKeyDown={hear}
        >
          <div role="row" aria-rowindex={1} className="sticky top-0 z-20 h-9 border-b border-line bg-page text-xs">
            <RoundHeads rounds={rounds} columns={columns} />
          </div>
          {participants.map((lane, index) => (
            <ParticipantRow
              key={lane.name}
              lane={lane}
              settings={settingsIn(board.definition, lane.name)}
              index={index}
              columns={columns}
              cells={rounds.map(({ round }) => cellAt(grid, lane.name, round))}
              place={place}
              chosen={chosen}
              onPlace={setPlace}
              onChoose={onChoose}
            />
          ))}
        </div>
        <ToldArrows board={board} tellings={tellings} columns={columns} />
        {rounds.length === 0 && (
          <p role="status" className="sticky left-0 w-screen max-w-full p-4 text-muted">
            The first round is about to begin.
          </p>
        )}
        <div role="group" aria-label="Environment">
          <EnvironmentHead constants={constant} />
          {changing.map((each) =>
            each.kind === 'line' ? (
              <PlotRow
                key={each.name}
                series={each}
                description={descriptionIn(board.definition, each.name)}
                goals={goals.filter(({ variable }) => variable === each.name)}
                columns={columns}
                at={chosenColumn}
              />
            ) : (
              <BandRow
                key={each.name}
                series={each}
                description={descriptionIn(board.definition, each.name)}
                columns={columns}
                at={chosenColumn}
              />
            ),
          )}
          {(board.hidden ?? 0) > 0 && (
            <p data-hidden-count={board.hidden} className="sticky left-0 w-fit px-3 py-2 text-xs text-muted">
              {plural(board.hidden!, 'variable is', 'variables are')} hidden from this key.
            </p>
          )}
          {changing.length + constant.length === 0 && !board.hidden && (
            <p className="px-3 text-muted">This experiment has no variables.</p>
          )}
        </div>
      </div>
    </div>
  )
}

function placeOf({ participants, rounds }: RunBoard, chosen: GridCell | undefined): Place {
  const lane = participants.findIndex(({ name }) => name === chosen?.participant)
  const column = rounds.findIndex(({ round }) => round === chosen?.round)
  return { lane: Math.max(0, lane), column: Math.max(0, column) }
}
