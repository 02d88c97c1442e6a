import { printableLine, type RunBoard } from '@minutebook/server'
import { clipped, padded, textWidth } from '../text-width.ts'
import type { Paint } from '../paint.ts'
import type { Terminal } from '../terminal.ts'
import { environmentLines } from './environment-lines.ts'
import { barLines } from './run-bars.ts'
import { doing, spentText, statusText } from './run-words.ts'

/** A run as it stands, for a terminal: what each participant does, the environment, the goal and the limits. */
export function liveBlock(
  board: RunBoard,
  { columns, paint }: Pick<Terminal, 'columns' | 'paint'>,
  now: number,
): string[] {
  const width = columns()
  const round = board.rounds.at(-1)
  const before = board.rounds.at(-2)?.environment ?? board.initial
  const title = round
    ? `round ${round.round}${round.name === '' ? '' : ` ${printableLine(round.name)}`} (${round.play})`
    : 'before the first round'
  return [
    `${paint.bold(printableLine(board.name))} ${paint.dim(`run ${board.run}, seed ${board.seed}`)}  ${statusText(board.status, paint)}`,
    ...barLines(board, width, paint),
    '',
    `${title}${round && !round.isOver && board.status === 'running' ? paint.dim(since(round.began, now)) : ''}`,
    ...participantLines(board, width, paint),
    '',
    ...environmentLines(board.environment, before, width, paint),
    '',
    paint.dim(spentText(board.spending)),
  ]
}

function participantLines({ participants, rounds, status }: RunBoard, width: number, paint: Paint): string[] {
  const round = rounds.at(-1)
  const names = Math.min(20, Math.max(...participants.map(({ name }) => textWidth(name)), 0))
  const models = Math.min(20, Math.max(...participants.map(({ model }) => textWidth(model)), 0))
  return participants.map(({ name, model }) => {
    const { state, text } = round
      ? doing(round, name, status === 'running')
      : { state: 'waiting' as const, text: 'waits' }
    const [mark, colour] = marks[state]
    const head = ` ${mark} ${padded(clipped(name, names), names)}  ${padded(clipped(printableLine(model), models), models)}  `
    return `${paint[colour](head.slice(0, 2))}${head.slice(2, 3 + names)}${paint.dim(head.slice(3 + names))}${clipped(text, Math.max(10, width - textWidth(head)))}`
  })
}

const marks: Readonly<Record<ReturnType<typeof doing>['state'], readonly [mark: string, colour: keyof Paint]>> = {
  over: ['✓', 'green'],
  busy: ['▶', 'cyan'],
  waiting: ['·', 'dim'],
  failed: ['✗', 'red'],
  out: ['–', 'dim'],
}

function since(began: string | undefined, now: number): string {
  const seconds = Math.floor((now - Date.parse(began ?? '')) / 1000)
  return Number.isFinite(seconds) && seconds > 0 ? `  ${seconds} s` : ''
}
