import { table } from '../markdown.ts'
import { median } from '../median.ts'
import { grouped, milliseconds } from '../scale/report.ts'
import type { MeasuredThreads, ThreadFigures } from './measure.ts'

/** The most threads may take this many times the time of the fewest, or this many milliseconds more. */
const target = { factor: 1.2, more: 5 } as const

export const threadsTitle = '# Does anything cost more with a million threads?'

/** What was measured on one store, as Markdown. */
export function reportOnThreads(measured: MeasuredThreads, sizes: readonly number[]): string {
  return [
    `## ${measured.name}`,
    '### Processor time',
    figureTable(measured, sizes, 'processor', true),
    '### Elapsed',
    figureTable(measured, sizes, 'elapsed', false),
    '### Rows that the methods of the store returned',
    figureTable(measured, sizes, 'rows', false),
  ].join('\n\n')
}

/** Whether the most threads keep to the target. */
function isFlat(measured: MeasuredThreads, play: string, sizes: readonly number[]): boolean {
  const [fewest, most] = [middleOf(measured, play, sizes[0]!), middleOf(measured, play, sizes.at(-1)!)]
  return most <= Math.max(target.factor * fewest, fewest + target.more)
}

function middleOf(
  { cells }: MeasuredThreads,
  play: string,
  size: number,
  figure: keyof ThreadFigures = 'processor',
): number {
  return median((cells.get(play)?.get(size) ?? []).map((each) => each[figure]))
}

function figureTable(
  measured: MeasuredThreads,
  sizes: readonly number[],
  figure: keyof ThreadFigures,
  isJudged: boolean,
): string {
  const text = (value: number): string =>
    Number.isNaN(value) ? '–' : figure === 'rows' ? grouped(Math.round(value)) : milliseconds(value)
  const rows = [...measured.cells.keys()].map((play) => [
    play,
    ...sizes.map((size) => text(middleOf(measured, play, size, figure))),
    ...(isJudged ? [isFlat(measured, play, sizes) ? 'yes' : 'no'] : []),
  ])
  const judged = isJudged ? [`≤ ${target.factor}× or + ${target.more} ms`] : []
  return table(['', ...sizes.map((size) => `${grouped(size)} threads`), ...judged], rows)
}
