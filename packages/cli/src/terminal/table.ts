import { clipped, padded, textWidth } from './text.ts'

/** A column of a table. The text of its cells has no colours yet: it is measured and clipped first. */
export interface Column {
  readonly title: string
  readonly right?: boolean
  /** Shares with other such columns the width that the rest leaves. Only its cells are ever clipped. */
  readonly flexible?: boolean
  /** It is at least this wide, because rows that are not known yet may need it. */
  readonly least?: number
  /** Puts colours on a cell of a row, after it is padded. */
  readonly paint?: (text: string, row: number) => string
}

/** Rows in columns, two blanks apart, at most `width` wide. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  heading: (text: string) => string,
): string[] {
  const lines = tableLines(columns, rows, width, heading)
  return [lines.heading, ...rows.map((cells, row) => lines.row(cells, row))]
}

/** The lines of a table of which some rows come later. */
interface TableLines {
  readonly heading: string
  readonly row: (cells: readonly string[], row: number) => string
}

/** Lays out a table whose next rows are printed one by one. `rows`: those that are known. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  heading: (text: string) => string,
): TableLines {
  const wanted = columns.map(({ title, least = 0 }, index) =>
    Math.max(least, textWidth(title), ...rows.map((row) => textWidth(row[index] ?? ''))),
  )
  const fitted = fittedWidths(columns, wanted, width)
  const line = (cells: readonly string[], paint: (text: string, index: number) => string): string =>
    columns
      .map(({ right, flexible }, index) => {
        const cell = cells[index] ?? ''
        const shown = flexible ? clipped(cell, fitted[index]!) : cell
        const filled = right
          ? ' '.repeat(Math.max(0, fitted[index]! - textWidth(shown))) + shown
          : padded(shown, fitted[index]!)
        return paint(index === columns.length - 1 ? filled.trimEnd() : filled, index)
      })
      .join('  ')
      .trimEnd()
  return {
    heading: line(
      columns.map(({ title }) => title),
      heading,
    ),
    row: (cells, row) => line(cells, (text, index) => columns[index]!.paint?.(text, row) ?? text),
  }
}

/** The width of each column. Flexible ones that need less than their share leave the rest to the others. */
function fittedWidths(columns: readonly Column[], wanted: readonly number[], width: number): readonly number[] {
  const fitted = [...wanted]
  const flexible = columns
    .flatMap((column, index) => (column.flexible ? [index] : []))
    .toSorted((one, other) => wanted[one]! - wanted[other]!)
  const fixed = columns.reduce((sum, column, index) => sum + (column.flexible ? 0 : wanted[index]!), 0)
  let room = width - fixed - 2 * (columns.length - 1)
  for (const [done, index] of flexible.entries()) {
    const share = Math.max(leastFlexible, Math.floor(room / (flexible.length - done)))
    fitted[index] = Math.min(wanted[index]!, share)
    room -= fitted[index]!
  }
  return fitted
}

const leastFlexible = 8
