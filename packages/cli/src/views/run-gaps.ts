import type { RunBoard } from '@minutebook/server'
import { gapsOf, gapTexts, type Cell } from '@minutebook/experiment/run'
import { figure } from '../figures.ts'
import type { Terminal } from '../terminal.ts'
import { wrapped } from '../text-width.ts'

/** What the model did not see in a turn, to be put behind the name of its participant; empty if it saw everything. */
export function gapNote({ calls }: Pick<Cell, 'calls'>): string {
  const texts = gapTexts(gapsOf(calls))
  return texts.length === 0 ? '' : ` [${texts.join(', ')}]`
}

/** In how many turns of a run the model did not see everything; no lines if it always did. */
export function gapLines(
  { rounds, participants }: Pick<RunBoard, 'rounds' | 'participants'>,
  { paint, columns }: Pick<Terminal, 'paint' | 'columns'>,
): string[] {
  const cells = rounds
    .flatMap((column) => column.cells)
    .filter(({ calls }) => calls.length > 0)
    .map((cell) => ({ cell, gaps: gapsOf(cell.calls) }))
  const of = (has: (each: (typeof cells)[number]) => boolean): string =>
    `in ${figure(cells.filter(has).length)} of ${figure(cells.length)} turns`
  const windows = participants.flatMap(({ name }) => {
    const window = cells.find(({ cell, gaps }) => cell.participant === name && gaps.window)?.gaps.window
    return window
      ? [
          `${name} has a window of ${figure(window.given)} tokens, not ${figure(window.asked)} (source: ${window.source})`,
        ]
      : []
  })
  const told = [
    ...(cells.some(({ gaps }) => gaps.question !== undefined)
      ? [`the question was not whole ${of(({ gaps }) => gaps.question !== undefined)}`]
      : []),
    ...(cells.some(({ gaps }) => gaps.turn > 0)
      ? [`other parts of the turn were clipped or left out ${of(({ gaps }) => gaps.turn > 0)}`]
      : []),
    ...(cells.some(({ gaps }) => gaps.earlier > 0)
      ? [`older entries were left out or in brief ${of(({ gaps }) => gaps.earlier > 0)}`]
      : []),
    ...windows,
  ]
  return told
    .flatMap((text) => wrapped(`! ${text}`, columns()))
    .map((line) => paint.yellow(line.slice(0, 1)) + line.slice(1))
}
