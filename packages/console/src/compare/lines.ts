import {
  outcomeGroups,
  type OutcomeGroup,
  type OutcomeRow,
  type OutcomeTable,
  type RunSeries,
} from '@minutebook/experiment/run'
import { readable } from '../ui/text.ts'

/** Whether each run has a line, or runs with other seeds share one. Default: they share one if they are many. */
export type LineMode = 'each' | 'mean'

/** A line of a figure: a run, or the mean of runs that differ only in their seeds. */
export interface FigureLine {
  readonly id: string
  readonly label: string
  /** Its number among all lines, also of other figures: it has the same colour and dashes in each. */
  readonly look: number
  readonly points: readonly Point[]
  /** The least and the largest value at each round. */
  readonly band?: readonly BandPoint[]
  /** How many runs it is made of. */
  readonly runs: number
  /** The last round that all of its runs played. */
  readonly whole: number
  /** The point at which a fork leaves its parent. */
  readonly leaves?: Point
}

export type Point = readonly [round: number, value: number]
export type BandPoint = readonly [round: number, low: number, high: number]

/** Groups with more runs are drawn as mean and band, if nothing else is chosen. */
const mostLines = 6

/**
 * The lines of a variable.
 *
 * @example
 * linesOf(table, series.filter(({ variable }) => variable === 'cash'), undefined)
 */
export function linesOf(
  table: OutcomeTable,
  series: readonly RunSeries[],
  mode: LineMode | undefined,
): readonly FigureLine[] {
  const groups = outcomeGroups(table)
  const points = new Map(series.map((each) => [each.run, pointsIn(each)]))
  let look = 0
  return groups.flatMap((group): FigureLine[] => {
    const isMean = group.runs.length > 1 && (mode === undefined ? group.runs.length > mostLines : mode === 'mean')
    const lines = isMean
      ? [meanLine(group, groups.length === 1, look, points)]
      : group.runs.map((run, index) => runLine(run, look + index, points))
    look += lines.length
    return lines.filter((line) => line.points.length > 0)
  })
}

/** Whether a table has groups that could be drawn as a mean. */
export function hasMeans(table: OutcomeTable): boolean {
  return outcomeGroups(table).some(({ runs }) => runs.length > 1)
}

type Points = ReadonlyMap<string, readonly Point[]>

function pointsIn({ points }: RunSeries): readonly Point[] {
  return points.flatMap(([round, value]) => (value === null ? [] : [[round, value] as const]))
}

/** A fork whose parent is here, too, begins where it leaves it: before, both are the same line. */
function runLine(run: OutcomeRow, look: number, all: Points): FigureLine {
  const own = all.get(run.run) ?? []
  const { forked } = run
  const leaves = forked && own.findLast(([round]) => round < forked.round)
  const isShared = leaves !== undefined && all.has(forked!.run)
  return {
    id: run.run,
    label: readable(forked ? `${run.run}, fork of ${forked.run} at round ${forked.round}` : run.run),
    look,
    points: isShared ? own.filter(([round]) => round >= leaves[0]) : own,
    runs: 1,
    whole: own.at(-1)?.[0] ?? 0,
    ...(leaves && { leaves }),
  }
}

/** Of the runs that played a round: those that are over do not count from there on. */
function meanLine(group: OutcomeGroup, isOnly: boolean, look: number, all: Points): FigureLine {
  const members = group.runs.map(({ run }) => all.get(run) ?? []).filter((points) => points.length > 0)
  // Of long runs, only every n-th round is here, and the last one, which others do not have.
  const every = Math.max(1, ...members.map(([first, second]) => (second?.[0] ?? 0) - (first?.[0] ?? 0)))
  const values = new Map<number, number[]>()
  for (const [round, value] of members.flat())
    if (round % every === 0) values.set(round, [...(values.get(round) ?? []), value])
  const rounds = [...values.keys()].toSorted((one, other) => one - other)
  const count = `mean of ${members.length} runs`
  return {
    id: `group ${group.number}`,
    label: readable(isOnly ? count : `${group.label}, ${count}`),
    look,
    points: rounds.map((round) => [round, meanOf(values.get(round)!)]),
    band: rounds.map((round) => [round, Math.min(...values.get(round)!), Math.max(...values.get(round)!)]),
    runs: members.length,
    whole: rounds.findLast((round) => values.get(round)!.length === members.length) ?? 0,
  }
}

/** Divided before they are added: the sum of large numbers would not be finite. */
function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value / values.length, 0)
}

/** A look of a line: a colour of the theme, and dashes, so that it can be told without the colour. */
export interface Look {
  readonly colour: LineColour
  /** Empty: solid. */
  readonly dash: string
}

export type LineColour = (typeof lineColours)[number]

export const lineColours = ['line-1', 'line-2', 'line-3', 'line-4', 'line-5', 'line-6', 'line-7'] as const
const dashes = ['', '7 3', '2 2', '9 3 2 3', '4 2'] as const

/**
 * The looks of the first 35 lines are different.
 *
 * @example
 * lookOf(0) // { colour: 'line-1', dash: '' }
 */
export function lookOf(number: number): Look {
  return { colour: lineColours[number % lineColours.length]!, dash: dashes[number % dashes.length]! }
}
