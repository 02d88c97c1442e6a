import { table } from '../markdown.ts'
import { figureOf, hasSamePrompts, isSlower, ratioOf, type Compared, type Ratio } from './compare.ts'

/** What follows the commit's own figure in a table of a comparison. */
export const comparedHeadings = ['now', 'now ÷ before', 'before ÷ itself', 'slower'] as const

/** All figures of a comparison that are times, one a line. */
export function comparedTimes(compared: Compared, commit: string, text: (time: number) => string): string {
  const figures = Object.entries(compared.now[0]?.figures ?? {})
  const rows = figures.flatMap(([row, columns]) =>
    Object.keys(columns).map((column) => [`${row}, ${column}`, ...comparedFigure(compared, row, column, text)]),
  )
  return table(['', commit, ...comparedHeadings], rows)
}

/**
 * The cells of one figure: of the commit, of what is here, and how far apart they are beside how far the commit is from
 * itself.
 */
export function comparedFigure(
  compared: Compared,
  row: string,
  column: string,
  text: (time: number) => string,
): string[] {
  const { before, now, again } = compared
  const slower = isSlower(compared, row, column)
  return [
    text(figureOf(before, row, column)),
    text(figureOf(now, row, column)),
    ratioText(ratioOf(now, before, row, column)),
    ratioText(ratioOf(again, before, row, column)),
    slower === undefined ? '?' : slower ? 'yes' : 'no',
  ]
}

/** What must be known to read a comparison. */
export function notesOn(compared: Compared): string {
  return [
    `Prompts: ${hasSamePrompts(compared) ? 'the same bytes on both sides' : 'THEY DIFFER'}.`,
    compared.isSameProgram ? 'Both sides ran the benchmark of this checkout.' : 'Each side ran its own benchmark.',
    'In brackets: the range of the middle four fifths of the rounds. "Slower" means that now ÷ before is outside that range of the commit beside itself; with few rounds nobody can tell.',
  ].join(' ')
}

function ratioText({ middle, low, high }: Ratio): string {
  return `${middle.toFixed(2)}× (${low.toFixed(2)}–${high.toFixed(2)})`
}
