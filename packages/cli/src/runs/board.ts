import { type Cell, type Column, gapsOf, gapTexts, isOver } from '@minutebook/experiment/run'
import { printableLine, type RunBoard } from '@minutebook/server'
import type { Terminal } from '../terminal/terminal.ts'
import { clipped, figure, wrapped } from '../terminal/text.ts'
import { colourOf, environmentLines, isTaken, plain, spentText, statusText, turnText } from './words.ts'

/** A run, round by round. */
export function runBoard(board: RunBoard, terminal: Terminal): string[] {
  const { paint, columns, textColumns } = terminal
  const width = textColumns()
  const origin = [
    board.forked && `forked from ${board.forked.run} at round ${board.forked.round}`,
    board.answers !== undefined && `with the answers of ${board.answers}`,
  ].filter((text) => typeof text === 'string')
  const rounds = board.rounds.flatMap((column, index) => [
    '',
    paint.bold(`round ${column.round}${column.name === '' ? '' : ` ${printableLine(column.name)}`}`) +
      (column.isOver ? '' : paint.dim(' (not finished)')),
    ...column.cells.map((cell) => clipped(`  ${cell.participant}${gapNote(cell)}: ${turnText(cell)}`, width)),
    ...environmentLines(
      column.environment,
      board.rounds[index - 1]?.environment ?? board.initial,
      columns() - 2,
      width / 2,
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
    ...board.participants.flatMap(({ model, thread }) =>
      model === null ? [] : `  ${terminal.command(`dump ${thread}`)}`,
    ),
  ]
}

/** What happened between two boards, one line each: for files, pipes and logs. */
export function newsLines(
  before: RunBoard | undefined,
  board: RunBoard,
  { paint, textColumns }: Pick<Terminal, 'paint' | 'textColumns'>,
): string[] {
  const width = Math.max(widest, textColumns())
  const lines = before ? [] : [`${paint.bold(printableLine(board.name))} run ${board.run}, seed ${board.seed}`]
  for (const column of board.rounds) {
    const known = before?.rounds.find(({ round }) => round === column.round)
    if (known?.isOver) continue
    lines.push(...turnLines(column, known, width))
    if (column.isOver) lines.push(roundLine(column, board, width))
  }
  if (before && before.status !== board.status && !isOver(board.status))
    lines.push(`${statusText(board.status, paint)}${waitingText(board)}`)
  return lines
}

/** Columns of a terminal in which lines break by themselves. */
const widest = 300

function turnLines({ round, cells }: Column, known: Column | undefined, width: number): string[] {
  const isPrinted = ({ participant, turn }: Cell): boolean =>
    known?.cells.some((cell) => cell.participant === participant && cell.turn === turn && isTaken(cell)) ?? false
  return cells
    .filter((cell) => isTaken(cell) && !isPrinted(cell))
    .map((cell) => clipped(`round ${round}  ${cell.participant}${gapNote(cell)}: ${turnText(cell)}`, width))
}

function roundLine({ round, environment }: Column, { rounds, initial }: RunBoard, width: number): string {
  const before = rounds.find((column) => column.round === round - 1)?.environment ?? initial
  const variables = environmentLines(environment, before, Infinity, Infinity, plain).join('')
  return clipped(`round ${round}  is over: ${variables}`, width)
}

/** How a run ended, or its status if it has not. */
export function endLine(board: RunBoard, { paint }: Pick<Terminal, 'paint'>): string {
  const { status, reason, spending } = board
  const why = reason === undefined ? '' : ` ${printableLine(reason)}`
  return `${paint[colourOf(status)](statusText(status, plain))}${why}${waitingText(board)} ${paint.dim(spentText(spending))}`
}

/** The persons that a run waits for. */
function waitingText({ status, waiting }: Pick<RunBoard, 'status' | 'waiting'>): string {
  return status === 'waiting' ? ` for ${waiting.join(', ')}` : ''
}

/** What the model did not see in a turn, to be put after the name of its participant. Empty if it saw everything. */
function gapNote({ calls }: Pick<Cell, 'calls'>): string {
  const texts = gapTexts(gapsOf(calls))
  return texts.length === 0 ? '' : ` [${texts.join(', ')}]`
}

/** In how many turns of a run the model did not see everything. No lines if it always did. */
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
  const notes = [
    ...(cells.some(({ gaps }) => gaps.question !== undefined)
      ? [`the question was not sent whole ${of(({ gaps }) => gaps.question !== undefined)}`]
      : []),
    ...(cells.some(({ gaps }) => gaps.turn > 0)
      ? [`other parts of the turn were clipped or left out ${of(({ gaps }) => gaps.turn > 0)}`]
      : []),
    ...(cells.some(({ gaps }) => gaps.earlier > 0)
      ? [`older entries were left out or shortened ${of(({ gaps }) => gaps.earlier > 0)}`]
      : []),
    ...windows,
  ]
  return notes
    .flatMap((text) => wrapped(`! ${text}`, columns()))
    .map((line) => paint.yellow(line.slice(0, 1)) + line.slice(1))
}
