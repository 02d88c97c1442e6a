import type { Heard } from '@minutebook/experiment/run'
import { useMemo, type ReactElement } from 'react'
import type { RunBoard } from '../api/runs.ts'
import { arrowsOf } from './arrows.ts'
import { laneHeight } from './participant-row.tsx'
import type { Columns } from './use-columns.ts'

interface ToldArrowsProps {
  readonly board: RunBoard
  readonly tellings: readonly Heard[]
  readonly columns: Columns
}

/** The height of the row with the numbers of the rounds. */
const head = 36
/** Narrower columns would be full of arrows. */
const leastColumn = 6

/** Who tells whom, from cell to cell. Screen readers find the same in the cells. */
export function ToldArrows({ board, tellings, columns }: ToldArrowsProps): ReactElement | null {
  const { participants, rounds } = board
  const { items, sizes, width, startOf } = columns
  const indexOf = useMemo(() => new Map(rounds.map(({ round }, index) => [round, index + 1])), [rounds])
  if (tellings.length === 0 || sizes.column < leastColumn) return null
  const lane = laneHeight(columns)
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  const isNear = ({ said, heard = said }: Heard): boolean =>
    (indexOf.get(heard) ?? 0) >= first && (indexOf.get(said) ?? 0) <= last
  const arrows = arrowsOf(tellings.filter(isNear), {
    lanes: participants.map(({ name }) => name),
    top: head,
    lane,
    column: sizes.column,
    left: (round) => (indexOf.has(round) ? startOf(indexOf.get(round)!) : undefined),
  })
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={head + participants.length * lane}
      className="pointer-events-none absolute top-0 left-0 z-[5] block"
    >
      {arrows.map(({ from, to, said, path, tip, dot }) => (
        <g key={path} data-arrow={`${from} ${to} ${said}`}>
          <path d={path} className="arrow-line" />
          <path d={tip} className="arrow-tip" />
          <circle cx={dot.x} cy={dot.y} r={2.5} className="arrow-tip" />
        </g>
      ))}
    </svg>
  )
}
