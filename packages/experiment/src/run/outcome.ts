import { gapsOf, type Board } from './board.ts'
import type { Environment, Value } from './experiment.ts'

/** How a run came out, or how far it is: a board without its rounds. */
export interface RunOutcome extends Pick<
  Board,
  'run' | 'name' | 'seed' | 'status' | 'reason' | 'forked' | 'answers' | 'spending' | 'began' | 'changed'
> {
  /** The current or last round; 0 before the first. */
  readonly round: number
  /** The models of its participants, each once. */
  readonly models: readonly string[]
  /** How many turns of models were played. */
  readonly turns: number
  /** In how many of them the question was not sent whole. */
  readonly clipped: number
  /** In how many of them something else was left out, or sent only in part or in brief. */
  readonly omitted: number
  /** How many participants had a smaller window than the definition asks for. */
  readonly shortWindows: number
  /** The current or last environment. Long values are cut. */
  readonly final: Environment
}

/** The outcome of a run, with its variables over the rounds. */
export interface RunCourse {
  readonly outcome: RunOutcome
  /** The variables that are numbers: at the start, then after each round. Null if there was no number. */
  readonly series: ReadonlyMap<string, readonly (number | null)[]>
  /** The variables that were ever changed. */
  readonly changing: ReadonlySet<string>
}

/**
 * @example
 * const { outcome, series } = courseOf(await experiments.run('stand-1').board())
 */
export function courseOf(board: Board): RunCourse {
  const environments = [board.initial, ...board.rounds.map(({ environment }) => environment)]
  const names = [...new Set(environments.flatMap((environment) => Object.keys(environment)))].slice(0, mostVariables)
  const histories = names.map((name) => [name, environments.map((environment) => environment[name])] as const)
  return {
    outcome: outcomeOf(board, names),
    series: new Map(
      histories
        .filter(([, values]) => isNumeric(values))
        .map(([name, values]) => [name, values.map((value) => (typeof value === 'number' ? value : null))]),
    ),
    changing: new Set(histories.filter(([, values]) => isChanging(values)).map(([name]) => name)),
  }
}

const mostVariables = 100

function outcomeOf(board: Board, variables: readonly string[]): RunOutcome {
  const { run, name, seed, status, reason, forked, answers, spending, began, changed, rounds, environment } = board
  const turns = rounds
    .flatMap(({ cells }) => cells)
    .filter(({ calls }) => calls.length > 0)
    .map(({ participant, calls }) => ({ participant, gaps: gapsOf(calls) }))
  return {
    run,
    name,
    seed,
    status,
    ...(reason !== undefined && { reason: reason.slice(0, longestReason) }),
    ...(forked && { forked }),
    ...(answers !== undefined && { answers }),
    ...(began !== undefined && { began }),
    ...(changed !== undefined && { changed }),
    spending,
    round: rounds.at(-1)?.round ?? 0,
    models: [...new Set(board.participants.flatMap(({ model }) => model ?? []))],
    turns: turns.length,
    clipped: turns.filter(({ gaps }) => gaps.question !== undefined).length,
    omitted: turns.filter(({ gaps }) => gaps.turn + gaps.earlier > 0).length,
    shortWindows: new Set(turns.filter(({ gaps }) => gaps.window).map(({ participant }) => participant)).size,
    final: Object.fromEntries(
      variables.flatMap((variable) => {
        const value = environment[variable]
        return value === undefined ? [] : [[variable, shortValue(value)]]
      }),
    ),
  }
}

/** Characters. */
const longestReason = 1000
const longestValue = 200

/** A value that a table has room for: what is longer becomes the beginning of its JSON. */
function shortValue(value: Value): Value {
  if (typeof value === 'string') return value.length > longestValue ? `${value.slice(0, longestValue)}…` : value
  const text = JSON.stringify(value)
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : value
}

function isNumeric(values: readonly (Value | undefined)[]): boolean {
  return (
    values.some((value) => typeof value === 'number') &&
    values.every((value) => typeof value === 'number' || value === null || value === undefined)
  )
}

function isChanging([first, ...others]: readonly (Value | undefined)[]): boolean {
  const text = JSON.stringify(first)
  return others.some((value) => value !== first && JSON.stringify(value) !== text)
}
