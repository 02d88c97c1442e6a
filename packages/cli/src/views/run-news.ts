import { printableLine, type RunBoard } from '@minutebook/server'
import type { Cell, Column } from '@minutebook/experiment/run'
import type { Terminal } from '../terminal.ts'
import { clipped } from '../text-width.ts'
import { environmentLines } from './environment-lines.ts'
import { gapNote } from './run-gaps.ts'
import { colourOf, spentText, statusText, toldText } from './run-words.ts'

/** What happened between two boards, a line each: for files, pipes and logs. */
export function newsLines(before: RunBoard | undefined, board: RunBoard, { paint }: Pick<Terminal, 'paint'>): string[] {
  const lines = before ? [] : [`${paint.bold(printableLine(board.name))} run ${board.run}, seed ${board.seed}`]
  for (const column of board.rounds) {
    const known = before?.rounds.find(({ round }) => round === column.round)
    if (known?.isOver) continue
    lines.push(...turnLines(column, known))
    if (column.isOver) lines.push(roundLine(column, board))
  }
  if (
    before &&
    before.status !== board.status &&
    (board.status === 'paused' || board.status === 'running' || board.status === 'stopping')
  )
    lines.push(statusText(board.status, paint))
  return lines
}

/** Columns: a line of a log is read by people too. */
const widest = 300

function turnLines({ round, cells }: Column, known: Column | undefined): string[] {
  const isTold = ({ participant, turn }: Cell): boolean =>
    known?.cells.some((cell) => cell.participant === participant && cell.turn === turn && cell.status !== 'playing') ??
    false
  return cells
    .filter((cell) => cell.status !== 'playing' && !isTold(cell))
    .map((cell) => clipped(`round ${round}  ${cell.participant}${gapNote(cell)}: ${toldText(cell)}`, widest))
}

function roundLine({ round, environment }: Column, { rounds, initial }: RunBoard): string {
  const before = rounds.find((column) => column.round === round - 1)?.environment ?? initial
  const told = environmentLines(environment, before, Infinity, plain).join('')
  return clipped(`round ${round}  is over: ${told}`, widest)
}

/** How a run ended, or that it did not. */
export function endLine(board: RunBoard, { paint }: Pick<Terminal, 'paint'>): string {
  const { status, reason, spending } = board
  const why = reason === undefined ? '' : ` ${printableLine(reason)}`
  return `${paint[colourOf(status)](statusText(status, plain))}${why} ${paint.dim(spentText(spending))}`
}

const same = (text: string): string => text
const plain = { plain: same, bold: same, dim: same, red: same, green: same, yellow: same, magenta: same, cyan: same }
