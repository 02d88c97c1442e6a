import type { Definition } from '@minutebook/experiment'
import type { Environment } from '@minutebook/experiment/run'
import { printableLine, type RunBoard } from '@minutebook/server'
import type { Paint, Terminal } from '../terminal/terminal.ts'
import { clipped, padded, textWidth } from '../terminal/text.ts'
import { doing, environmentLines, numberText, spentText, statusText, valueText } from './words.ts'

/** The current state of a run, for a terminal: what each participant does, the environment, goals and limits. */
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
    ...environmentLines(board.environment, before, width, width / 2, paint),
    '',
    paint.dim(spentText(board.spending)),
  ]
}

function participantLines({ participants, rounds, status }: RunBoard, width: number, paint: Paint): string[] {
  const round = rounds.at(-1)
  const names = Math.min(20, Math.max(...participants.map(({ name }) => textWidth(name)), 0))
  const models = Math.min(20, Math.max(...participants.map(({ model }) => textWidth(model ?? person)), 0))
  return participants.map(({ name, model }) => {
    const { state, text } = round
      ? doing(round, name, status === 'running')
      : { state: 'waiting' as const, text: 'waits' }
    const [mark, colour] = marks[state]
    const head = ` ${mark} ${padded(clipped(name, names), names)}  ${padded(clipped(printableLine(model ?? person), models), models)}  `
    return `${paint[colour](head.slice(0, 2))}${head.slice(2, 3 + names)}${paint.dim(head.slice(3 + names))}${clipped(text, Math.max(10, width - textWidth(head)))}`
  })
}

/** In place of a model. */
const person = 'a person'

const marks: Readonly<Record<ReturnType<typeof doing>['state'], readonly [mark: string, colour: keyof Paint]>> = {
  over: ['✓', 'green'],
  busy: ['▶', 'cyan'],
  asked: ['?', 'yellow'],
  waiting: ['·', 'dim'],
  failed: ['✗', 'red'],
  out: ['–', 'dim'],
}

function since(began: string | undefined, now: number): string {
  const seconds = Math.floor((now - Date.parse(began ?? '')) / 1000)
  return Number.isFinite(seconds) && seconds > 0 ? `  ${seconds} s` : ''
}

/** The progress of a run: its rounds, its goals and its limits. */
function barLines(board: RunBoard, width: number, paint: Paint): string[] {
  const { goals = {}, limits = {} } = (board.definition ?? {}) as Partial<Definition>
  const { prompt, completion, cost } = board.spending
  const bars: readonly (Bar | undefined)[] = [
    board.limit === null
      ? undefined
      : { name: 'rounds', now: board.rounds.filter(({ isOver }) => isOver).length, of: board.limit, colour: 'cyan' },
    ...Object.entries(goals.success ?? {}).map(([name, when]) => goalBar(name, when, board.environment, 'green')),
    ...Object.entries(goals.failure ?? {}).map(([name, when]) => goalBar(name, when, board.environment, 'red')),
    limits.tokens === undefined
      ? undefined
      : { name: 'tokens', now: prompt + completion, of: limits.tokens, colour: 'magenta' },
    limits.cost === undefined ? undefined : { name: 'cost', now: cost ?? 0, of: limits.cost, colour: 'magenta' },
  ]
  const shown = bars.filter((bar) => bar !== undefined)
  const names = Math.max(...shown.map(({ name }) => name.length), 0)
  return shown.map((bar) => barLine(bar, names, width, paint))
}

interface Bar {
  readonly name: string
  readonly now?: number
  readonly of?: number
  /** Shown instead of the two numbers. */
  readonly text?: string
  readonly colour: keyof Paint
}

/** A goal such as `cash >= 1000` has a bar. Any other is shown as it is written. */
function goalBar(name: string, when: string, environment: Environment, colour: keyof Paint): Bar {
  const [, variable = '', sign = '', limit = ''] =
    /^\s*([A-Za-z]\w{0,39})\s*(>=?|<=?|==)\s*(-?\d{1,15}(?:\.\d{1,10})?)\s*$/.exec(when) ?? []
  const now = environment[variable]
  if (typeof now === 'number' && sign.startsWith('>') && Number(limit) > 0)
    return {
      name,
      now,
      of: Number(limit),
      text: `${variable} ${numberText(now)} of ${numberText(Number(limit))}`,
      colour,
    }
  return { name, text: `${when}${now === undefined ? '' : `, and ${variable} is ${valueText(now)}`}`, colour }
}

function barLine({ name, now, of, text, colour }: Bar, names: number, width: number, paint: Paint): string {
  const label = text ?? `${numberText(now ?? 0)} of ${numberText(of ?? 0)}`
  if (now === undefined || of === undefined) return `${padded(name, names)}  ${paint.dim(label)}`
  const cells = Math.max(10, Math.min(24, width - names - 40))
  const full = Math.max(0, Math.min(cells, Math.floor((now / of) * cells)))
  return `${padded(name, names)}  ▕${paint[colour]('█'.repeat(full))}${paint.dim('·'.repeat(cells - full))}▏ ${label}`
}
