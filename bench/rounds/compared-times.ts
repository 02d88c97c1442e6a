import { table } from '../markdown.ts'
import { showProgress } from '../progress.ts'
import {
  compareWith,
  figureOf,
  hasSamePrompts,
  isSlower,
  ratioOf,
  stepsOf,
  type Compared,
  type Plan,
  type Ratio,
} from './compare.ts'

/** What follows the commit's own figure in a table of a comparison. */
export const comparedHeadings = ['now', 'now ÷ before', 'before ÷ itself', 'slower'] as const

/** Plays the rounds of a benchmark whose figures are all times, and says what is slower than at the commit. */
export async function comparedReport(commit: string, plan: Omit<Plan, 'progress'>): Promise<string> {
  const compared = await compareWith(commit, { ...plan, progress: showProgress(stepsOf(plan, 3)) })
  return [comparedTimes(compared, commit), verdictOn(compared), notesOn(compared)].join('\n\n')
}

/** All figures of a comparison that are times in microseconds, one a line. */
export function comparedTimes(compared: Compared, commit: string): string {
  const rows = figuresIn(compared).map(([row, column]) => [
    `${row}, ${column}`,
    ...comparedFigure(compared, row, column, duration),
  ])
  return table(['', commit, ...comparedHeadings], rows)
}

/** Which figures are slower than at the commit, in one line. */
export function verdictOn(compared: Compared): string {
  const figures = figuresIn(compared)
  const those = (verdict: boolean | undefined): readonly (readonly string[])[] =>
    figures.filter(([row, column]) => isSlower(compared, row, column) === verdict)
  const named = (found: readonly (readonly string[])[]): string => found.map((figure) => figure.join(', ')).join('; ')
  const [slower, unknown] = [those(true), those(undefined)]
  if (unknown.length === figures.length) return 'Nobody can tell what is slower.'
  return [
    slower.length > 0 ? `Slower: ${named(slower)}.` : 'None slower.',
    ...(unknown.length > 0 ? [`Nobody can tell: ${named(unknown)}.`] : []),
  ].join(' ')
}

function figuresIn({ now }: Compared): (readonly [row: string, column: string])[] {
  return Object.entries(now[0]?.figures ?? {}).flatMap(([row, columns]) =>
    Object.keys(columns).map((column) => [row, column] as const),
  )
}

export function duration(microseconds: number): string {
  if (microseconds < 1000) return `${microseconds.toFixed(microseconds < 10 ? 1 : 0)} µs`
  if (microseconds < 1_000_000) return `${(microseconds / 1000).toFixed(1)} ms`
  return `${(microseconds / 1_000_000).toFixed(1)} s`
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
    'In brackets: the range of the middle four fifths of the rounds. "Slower" means that now ÷ before is outside that range of the commit beside itself; with few rounds, or if that range reaches twice as far, nobody can tell ("?").',
  ].join(' ')
}

function ratioText({ middle, low, high }: Ratio): string {
  return `${middle.toFixed(2)}× (${low.toFixed(2)}–${high.toFixed(2)})`
}
