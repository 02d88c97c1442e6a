import type { Lane } from '@minutebook/experiment/run'
import type { ReactElement } from 'react'
import { grouped } from '../inspector/number.ts'
import { readable } from '../transcript/readable.ts'
import type { GridCell } from './grid.ts'
import type { Place } from './move.ts'
import { TurnCell } from './turn-cell.tsx'
import type { Columns } from './use-columns.ts'

export interface LaneRowProps {
  readonly lane: Lane
  readonly index: number
  readonly columns: Columns
  readonly cellOf: (column: number) => GridCell | undefined
  /** Where the keyboard is. */
  readonly place: Place
  readonly chosen: GridCell | undefined
  readonly onPlace: (place: Place) => void
  readonly onChoose: (cell: GridCell) => void
}

/** All that a participant did. */
export function LaneRow({
  lane: { name, model, spending },
  index,
  columns: { items, sizes },
  cellOf,
  place,
  chosen,
  onPlace,
  onChoose,
}: LaneRowProps): ReactElement {
  return (
    <div role="row" aria-rowindex={index + 2} data-lane={name} className="relative h-24 border-b border-line">
      <div
        role="rowheader"
        aria-colindex={1}
        className="monitor-name flex-col justify-center bg-surface"
        style={{ width: sizes.names }}
      >
        <span className="truncate font-medium" title={name}>
          {name}
        </span>
        <span className="truncate text-xs text-muted" title={model}>
          {readable(model)}
        </span>
        <span
          className="truncate text-xs text-muted tabular-nums"
          title={`${grouped(spending.prompt)} tokens of prompts, ${grouped(spending.completion)} of answers`}
        >
          {grouped(spending.prompt + spending.completion)} tokens
        </span>
      </div>
      {items
        .filter((item) => item.index > 0)
        .map(({ index: at, start, size }) => {
          const column = at - 1
          const cell = cellOf(column)
          return (
            cell && (
              <div
                key={at}
                role="gridcell"
                aria-colindex={at + 1}
                aria-selected={chosen?.participant === name && chosen.round === cell.round}
                data-cell={`${index} ${column}`}
                data-status={cell.status}
                tabIndex={place.lane === index && place.column === column ? 0 : -1}
                onFocus={() => onPlace({ lane: index, column })}
                onClick={() => onChoose(cell)}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' && event.key !== ' ') return
                  event.preventDefault()
                  onChoose(cell)
                }}
                className="monitor-cell"
                style={{ left: start, width: size }}
              >
                <TurnCell cell={cell} />
              </div>
            )
          )
        })}
    </div>
  )
}
