import { table } from '../markdown.ts'
import { median } from '../median.ts'
import { duration } from '../rounds/compared-times.ts'
import type { Measured } from './measure.ts'
import type { Figures } from './play-process.ts'

/** The largest log may take twice the time of the smallest, or 10 ms more if that is larger. */
const target = { factor: 2, more: 10 } as const

/** What was measured on one store, as Markdown. */
export function reportOn(measured: Measured, sizes: readonly number[], limit: number): string {
  const isLeftOut = sizes.some((size) => figuresOf(measured, firstPlay(measured), size).length === 0)
  return [
    `## ${measured.name}`,
    '### Processor time',
    timeTable(measured, sizes, 'processor', true),
    ...(isLeftOut
      ? [
          `–: not run, because the first turn after an import would take longer than ${duration(limit * 1000)}, or more memory than there is.`,
        ]
      : []),
    '### Elapsed',
    timeTable(measured, sizes, 'elapsed', false),
    '### Read from the store: rows and bytes',
    tableOf(measured, sizes, ({ rows, bytes }) => `${grouped(rows)}, ${size(bytes)}`),
    '### Memory: largest resident set of the process',
    tableOf(measured, sizes, ({ memory }) => size(memory)),
    '### Import, and what is kept next to the log',
    importTable(measured),
  ].join('\n\n')
}

/** The median of a play at a size. Undefined if it was not played. */
export function medianOf(
  measured: Measured,
  play: string,
  size: number,
  figure: keyof Figures = 'processor',
): number | undefined {
  const figures = figuresOf(measured, play, size)
  return figures.length === 0 ? undefined : median(figures.map((each) => each[figure]))
}

/** Whether the largest log keeps to the target. Undefined if it was not played. */
export function isMet(measured: Measured, play: string, sizes: readonly number[]): boolean | undefined {
  const [smallest, largest] = [medianOf(measured, play, sizes[0]!), medianOf(measured, play, sizes.at(-1)!)]
  if (smallest === undefined || largest === undefined) return undefined
  return largest <= Math.max(target.factor * smallest, smallest + target.more)
}

function timeTable(
  measured: Measured,
  sizes: readonly number[],
  figure: 'processor' | 'elapsed',
  isJudged: boolean,
): string {
  const rows = [...measured.cells.keys()].map((play) => {
    const base = medianOf(measured, play, sizes[0]!, figure) ?? NaN
    const met = isMet(measured, play, sizes)
    return [
      play,
      ...sizes.map((each, index) => {
        const time = medianOf(measured, play, each, figure)
        if (time === undefined) return '–'
        return index === 0 ? milliseconds(time) : `${milliseconds(time)} (${ratio(time / base)})`
      }),
      ...(isJudged ? [met === undefined ? 'not run' : met ? 'yes' : 'no'] : []),
    ]
  })
  const judged = isJudged ? [`${grouped(sizes.at(-1)!)}: ≤ ${target.factor}× or + ${target.more} ms`] : []
  return table(['', ...sizes.map(grouped), ...judged], rows)
}

function tableOf(measured: Measured, sizes: readonly number[], text: (middle: Figures) => string): string {
  const rows = [...measured.cells.keys()].map((play) => [
    play,
    ...sizes.map((each) => {
      const middle = (figure: keyof Figures): number => medianOf(measured, play, each, figure) ?? NaN
      if (figuresOf(measured, play, each).length === 0) return '–'
      const memory = Math.max(...figuresOf(measured, play, each).map((figures) => figures.memory))
      return text({ elapsed: NaN, processor: NaN, rows: Math.round(middle('rows')), bytes: middle('bytes'), memory })
    }),
  ])
  return table(['', ...sizes.map(grouped)], rows)
}

function importTable({ imports, snapshots }: Measured): string {
  const rows = [...imports].map(([each, { processor, entries }]) => {
    const kept = snapshots.get(each) ?? { count: 0, bytes: 0, spacing: undefined, entries: NaN }
    return [
      grouped(each),
      duration((processor * 1000) / entries),
      grouped(kept.count),
      kept.spacing === undefined ? '–' : `${grouped(Math.round(kept.spacing))} entries`,
      (kept.bytes / kept.entries).toFixed(1),
    ]
  })
  return table(['entries of a log', 'import of one', 'snapshots at the end', 'spacing', 'bytes for each entry'], rows)
}

function figuresOf({ cells }: Measured, play: string, size: number): readonly Figures[] {
  return cells.get(play)?.get(size) ?? []
}

function firstPlay({ cells }: Measured): string {
  return [...cells.keys()][0] ?? ''
}

export function milliseconds(time: number): string {
  return duration(time * 1000)
}

function ratio(value: number): string {
  return `${value < 10 ? value.toFixed(1) : grouped(Math.round(value))}×`
}

function size(bytes: number): string {
  if (bytes < 10_000) return `${grouped(Math.round(bytes))} B`
  return bytes < 10_000_000 ? `${grouped(Math.round(bytes / 1000))} kB` : `${grouped(Math.round(bytes / 1e6))} MB`
}

export function grouped(count: number): string {
  return count.toLocaleString('en')
}
