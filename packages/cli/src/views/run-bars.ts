import type { RunBoard } from '@minutebook/server'
import type { Definition } from '@minutebook/experiment'
import type { Environment } from '@minutebook/experiment/run'
import type { Paint } from '../paint.ts'
import { padded } from '../text-width.ts'
import { numberText, valueText } from './run-words.ts'

/** How far a run is: its rounds, its goals where they are numbers, and what it may spend. */
export function barLines(board: RunBoard, width: number, paint: Paint): string[] {
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
  /** In place of the two. */
  readonly text?: string
  readonly colour: keyof Paint
}

/** A goal such as `cash >= 1000` has a bar; any other is told in its own words. */
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
  const told = text ?? `${numberText(now ?? 0)} of ${numberText(of ?? 0)}`
  if (now === undefined || of === undefined) return `${padded(name, names)}  ${paint.dim(told)}`
  const cells = Math.max(10, Math.min(24, width - names - 40))
  const full = Math.max(0, Math.min(cells, Math.floor((now / of) * cells)))
  return `${padded(name, names)}  ▕${paint[colour]('█'.repeat(full))}${paint.dim('·'.repeat(cells - full))}▏ ${told}`
}
