import { clipped, padded, textWidth } from './text.ts'

/** A column of a table. The text of its cells has no colours yet: it is measured and clipped first. */
export interface Column {
  readonly title: string
  readonly right?: boolean
  /** Takes the width that the other columns leave. */
  readonly flexible?: boolean
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
  const widths = columns.map(({ title }, index) =>
    Math.max(textWidth(title), ...rows.map((row) => textWidth(row[index] ?? ''))),
  )
  const gaps = 2 * (columns.length - 1)
  const fixed = columns.reduce((sum, { flexible }, index) => sum + (flexible ? 0 : widths[index]!), gaps)
  const room = Math.max(8, width - fixed)
  const fitted = columns.map(({ flexible }, index) => (flexible ? Math.min(widths[index]!, room) : widths[index]!))
  const line = (cells: readonly string[], paint: (text: string, index: number) => string): string =>
    cells
      .map((cell, index) => {
        const shown = clipped(cell, fitted[index]!)
        const filled = columns[index]!.right
          ? ' '.repeat(Math.max(0, fitted[index]! - textWidth(shown))) + shown
          : padded(shown, fitted[index]!)
        return paint(index === columns.length - 1 ? filled.trimEnd() : filled, index)
      })
      .join('  ')
      .trimEnd()
  return [
    line(
      columns.map(({ title }) => title),
      heading,
    ),
    ...rows.map((row, number) => line(row, (text, index) => columns[index]!.paint?.(text, number) ?? text)),
  ]
}
