import { table } from '../markdown.ts'
import { figureOf, type Compared } from './compare.ts'
import { comparedFigure, comparedHeadings, notesOn } from './compared-times.ts'
import type { Round } from './round.ts'

const times: ReadonlySet<string> = new Set(['processor', 'elapsed'])

/** What a turn costs: time, and store calls by name. */
export function turnTables(rounds: readonly Round[]): string {
  const rows = rowsOf(rounds).map((row) => [
    row,
    milliseconds(figureOf(rounds, row, 'processor')),
    milliseconds(figureOf(rounds, row, 'elapsed')),
    count(callsOf(rounds, row)),
    namedCalls(rounds, row),
  ])
  return table(['turn', 'processor', 'elapsed', 'store calls', 'by name'], rows)
}

/** The same of a commit and of what is here, and how far the commit is from itself. */
export function comparedTurns(compared: Compared, commit: string): string {
  const { before, now } = compared
  const rows = rowsOf(now).map((row) => [
    row,
    ...comparedFigure(compared, row, 'processor', milliseconds),
    count(callsOf(before, row)),
    count(callsOf(now, row)),
  ])
  const heading = ['turn', `processor, ${commit}`, ...comparedHeadings, `store calls, ${commit}`, 'now']
  return [
    table(heading, rows),
    notesOn(compared),
    table(
      ['turn', `store calls by name, ${commit}`, 'now'],
      rowsOf(now).map((row) => [row, namedCalls(before, row), namedCalls(now, row)]),
    ),
  ].join('\n\n')
}

function rowsOf(rounds: readonly Round[]): string[] {
  return Object.keys(rounds[0]?.figures ?? {})
}

/** The mean: a call that comes with every tenth turn is a tenth of a call. */
function callsIn(rounds: readonly Round[], row: string): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { figures } of rounds) {
    for (const [name, value] of Object.entries(figures[row] ?? {}))
      if (!times.has(name)) sums.set(name, (sums.get(name) ?? 0) + value / rounds.length)
  }
  return sums
}

function callsOf(rounds: readonly Round[], row: string): number {
  return [...callsIn(rounds, row).values()].reduce((sum, calls) => sum + calls, 0)
}

function namedCalls(rounds: readonly Round[], row: string): string {
  return [...callsIn(rounds, row)].map(([name, calls]) => `${name} ${count(calls)}`).join(', ')
}

function milliseconds(microseconds: number): string {
  return `${(microseconds / 1000).toFixed(1)} ms`
}

function count(calls: number): string {
  return String(Math.round(calls * 100) / 100)
}
