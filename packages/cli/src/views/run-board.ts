import { printableLine, type RunBoard } from '@minutebook/server'
import type { Terminal } from '../terminal.ts'
import { clipped } from '../text-width.ts'
import { environmentLines } from './environment-lines.ts'
import { gapLines, gapNote } from './run-gaps.ts'
import { endLine } from './run-news.ts'
import { toldText } from './run-words.ts'

/** A run, round by round. */
export function runBoard(board: RunBoard, terminal: Terminal): string[] {
  const { paint, columns } = terminal
  const width = columns()
  const origin = [
    board.forked && `forked from ${board.forked.run} at round ${board.forked.round}`,
    board.answers !== undefined && `with the answers of ${board.answers}`,
  ].filter((text) => typeof text === 'string')
  const rounds = board.rounds.flatMap((column, index) => [
    '',
    paint.bold(`round ${column.round}${column.name === '' ? '' : ` ${printableLine(column.name)}`}`) +
      (column.isOver ? '' : paint.dim(' (not over)')),
    ...column.cells.map((cell) => clipped(`  ${cell.participant}${gapNote(cell)}: ${toldText(cell)}`, width)),
    ...environmentLines(
      column.environment,
      board.rounds[index - 1]?.environment ?? board.initial,
      width - 2,
      paint,
    ).map((line) => `  ${line}`),
  ])
  return [
    `${paint.bold(printableLine(board.name))} ${paint.dim([`run ${board.run}`, `seed ${board.seed}`, ...origin].join(', '))}`,
    endLine(board, terminal),
    ...gapLines(board, terminal),
    ...rounds,
    '',
    paint.dim('What a model saw:'),
    ...board.participants.map(({ thread }) => `  minutebook dump ${thread}`),
  ]
}
