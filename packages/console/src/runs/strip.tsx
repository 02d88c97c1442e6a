import { memo, type MouseEvent, type ReactElement } from 'react'
import type { GridCell } from './grid.ts'
import type { Columns } from './use-columns.ts'

interface StripProps {
  /** Of one participant, in the order of the rounds. */
  readonly cells: readonly (GridCell | undefined)[]
  readonly columns: Pick<Columns, 'sizes' | 'startOf' | 'width'>
  readonly onChoose: (cell: GridCell) => void
}

/** Each look has its own height and place, for users who cannot tell the colours apart. */
const looks = {
  complete: { y: 8, height: 10, of: ['complete'] },
  open: { y: 8, height: 10, of: ['playing', 'asked'] },
  partial: { y: 13, height: 5, of: ['partial', 'cancelled'] },
  failed: { y: 3, height: 20, of: ['failed'] },
} as const satisfies Readonly<
  Record<string, { readonly y: number; readonly height: number; readonly of: readonly string[] }>
>

type Look = keyof typeof looks

const height = 27

/** All turns of a participant as bars, however many there are. A click chooses the turn below it. */
export const Strip = memo(function Strip({
  cells,
  columns: { sizes, startOf, width },
  onChoose,
}: StripProps): ReactElement {
  const choose = (event: MouseEvent): void => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    const cell = cells[Math.floor((x - startOf(1)) / sizes.column)]
    if (cell) onChoose(cell)
  }
  return (
    <svg
      aria-hidden="true"
      data-strip
      width={width}
      height={height}
      onClick={choose}
      className="absolute top-0 left-0 block cursor-pointer"
    >
      {(Object.keys(looks) as Look[]).map((look) => (
        <path key={look} d={barsOf(cells, look, sizes.column, startOf)} className={`strip-${look}`} />
      ))}
      <path d={gapsIn(cells, sizes.column, startOf)} className="strip-gap" />
    </svg>
  )
})

/** One bar for all neighbours that look the same, with a gap between turns if there is room for one. */
export function barsOf(
  cells: readonly (GridCell | undefined)[],
  look: Look,
  column: number,
  startOf: Columns['startOf'],
): string {
  const { y, height: tall, of } = looks[look]
  const wide = Math.max(1, column >= 4 ? column - 1 : column)
  let path = ''
  for (const [index, cell] of cells.entries())
    if (cell && (of as readonly string[]).includes(cell.status))
      path += `M${hundredth(startOf(index + 1))} ${y}h${hundredth(wide)}v${tall}h${-hundredth(wide)}z`
  return path
}

/** A mark below each turn in which the model did not see all of its question or of the turn. */
function gapsIn(cells: readonly (GridCell | undefined)[], column: number, startOf: Columns['startOf']): string {
  let path = ''
  for (const [index, cell] of cells.entries())
    if (cell && (cell.gaps.question !== undefined || cell.gaps.turn > 0))
      path += `M${hundredth(startOf(index + 1))} 23h${Math.max(1, hundredth(column))}v3h${-Math.max(1, hundredth(column))}z`
  return path
}

function hundredth(value: number): number {
  return Math.round(value * 100) / 100
}
