import { middle as ranged, table } from '../markdown.ts'
import { median } from '../median.ts'
import type { CostLoad } from './cost.ts'
import { milli } from './figures.ts'

/** One round of one side: times in microseconds. */
export interface CostRound {
  /** To the first delta, and from when the upstream sent a delta to its client: the middle of all turns. */
  readonly first: number
  readonly lag: number
  /** Processor time for a turn: of the side's processes, and of the connections to Postgres. */
  readonly processor: number
  readonly postgres: number
  /** Without a pace: processor time for a turn, and turns a second. */
  readonly hurried: number
  readonly rate: number
}

/** Median and range of the rounds. The sides by name: bare upstream, tap, native on its instance, native on another. */
export function costReport(sides: readonly (readonly [string, readonly CostRound[]])[], load: CostLoad): string {
  const [[, bare] = ['', []], [, tap] = ['', []], [, own] = ['', []], [, other] = ['', []]] = sides
  const middle = (rounds: readonly CostRound[], field: keyof CostRound): number =>
    median(rounds.map((round) => round[field]))
  const rows = sides.map(([name, rounds], side) => [
    name,
    ...(['processor', 'postgres', 'first', 'lag', 'hurried'] as const).map((field) =>
      side === 0 && (field === 'processor' || field === 'postgres' || field === 'hurried')
        ? ''
        : milli(middle(rounds, field)),
    ),
    middle(rounds, 'rate').toFixed(1),
  ])
  const by = (rounds: readonly CostRound[], others: readonly CostRound[], field: keyof CostRound): number[] =>
    rounds.map((round, index) => round[field] / (others[index]?.[field] ?? NaN))
  const over = (rounds: readonly CostRound[]): number[] =>
    rounds.map(({ first }, index) => (first - (bare[index]?.first ?? NaN)) / 1000)
  const line = (what: string, values: readonly number[], unit: string, isReached: boolean, target: string): string =>
    `- ${what}: ${ranged(values)} ${unit}; ${target}: ${isReached ? 'yes' : 'no'}`
  const most = (what: string, values: readonly number[], unit: string, target: number): string =>
    line(what, values, unit, median(values) <= target, `at most ${target}`)
  const rate = by(own, tap, 'rate')
  return [
    table(
      ['in ms', 'processor', 'of Postgres', 'first delta', 'lag', 'processor, unpaced', 'turns a second, unpaced'],
      rows,
    ),
    '',
    most('processor, followed on the running instance', by(own, tap, 'processor'), '× the tap', 2.5),
    most('processor, followed on another instance', by(other, tap, 'processor'), '× the tap', 4),
    line('turns a second, unpaced', rate, '× the tap', median(rate) >= 0.4, 'at least 0.4'),
    most(`first delta at ${load.turns} turns at once`, over(own), 'ms over the bare upstream', 15),
    most('first delta, followed on another instance', over(other), 'ms over the bare upstream', 15),
  ].join('\n')
}
