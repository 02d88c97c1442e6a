import type { TurnVerdicts, VerdictCounts, WindowShortfall } from '../receipts/receipt.ts'
import type { ModelCall } from './event.ts'

type Verdict = TurnVerdicts['question']

/** What the model did not get to see in a turn, though it was there: the worst of its prompts counts. */
export interface Gaps {
  /** What became of the question, if it was not sent whole. */
  readonly question?: Verdict
  /** How many other entries of the turn were clipped or left out. */
  readonly turn: number
  /** How many older entries were left out, or sent only in brief. */
  readonly earlier: number
  /** If its window was smaller than the definition asks for. */
  readonly window?: WindowShortfall
}

/**
 * What the prompts of a turn lacked.
 *
 * @example
 * const { question } = gapsOf(board.steps[0]!.cells[0]!.calls)
 */
export function gapsOf(calls: readonly ModelCall[]): Gaps {
  const asked = calls.filter(({ isVain }) => !isVain)
  const question = asked.find(({ turn }) => turn && !whole.has(turn.question))?.turn?.question
  const window = asked.find((call) => call.window)?.window
  return {
    ...(question !== undefined && { question }),
    turn: most(asked, ({ turn }) => (turn ? counted(turn.verdicts, whole) - (whole.has(turn.question) ? 0 : 1) : 0)),
    earlier: most(asked, ({ verdicts, turn }) => counted(verdicts, worded) - counted(turn?.verdicts ?? {}, worded)),
    ...(window && { window }),
  }
}

/** The same in words, one for each gap; none if the model saw everything. */
export function gapTexts({ question, turn, earlier, window }: Gaps): readonly string[] {
  return [
    ...(question === undefined ? [] : [`question ${question}`]),
    ...(turn === 0 ? [] : [`${plural(turn, 'entry', 'entries')} of the turn clipped or left out`]),
    ...(earlier === 0 ? [] : [`${plural(earlier, 'older entry', 'older entries')} left out or in brief`]),
    ...(window ? [`window of ${figure(window.given)} tokens, not ${figure(window.asked)}`] : []),
  ]
}

/** Sent whole, or never meant to be sent. */
const whole: ReadonlySet<string> = new Set<Verdict>(['verbatim', 'hidden'])
/** All of these have their own words in the prompt, or are never meant to. */
const worded: ReadonlySet<string> = new Set<Verdict>(['verbatim', 'hidden', 'recalled', 'clipped'])

function counted(verdicts: VerdictCounts, but: ReadonlySet<string>): number {
  return Object.entries(verdicts).reduce((sum, [verdict, count]) => (but.has(verdict) ? sum : sum + count), 0)
}

function most(calls: readonly ModelCall[], of: (call: ModelCall) => number): number {
  return calls.reduce((largest, call) => Math.max(largest, of(call)), 0)
}

function plural(count: number, one: string, many: string): string {
  return `${figure(count)} ${count === 1 ? one : many}`
}

function figure(value: number): string {
  return value.toLocaleString('en-US')
}
