import { canonicalJson } from 'minutebook/store'
import type { Board, Cell, CellEffect, Column } from './board.ts'
import { differencesOf, type FieldDifference } from './differences.ts'
import type { Value } from './experiment.ts'

/** Two runs side by side, round by round. */
export interface Comparison {
  readonly left: string
  readonly right: string
  /** The first round in which anything differs; undefined if nothing does. */
  readonly parts?: number
  /**
   * What differs in the definitions and seeds, such as what a fork changed; undefined if one of the definitions may not
   * be seen.
   */
  readonly changes?: readonly FieldDifference[]
  readonly rounds: readonly RoundComparison[]
}

/** A round in two runs. */
export interface RoundComparison {
  readonly round: number
  readonly isSame: boolean
  /** Which of them has it. */
  readonly in: 'both' | 'left' | 'right'
  /** The variables that differ after it. */
  readonly environment: readonly { readonly name: string; readonly left?: Value; readonly right?: Value }[]
  readonly turns: readonly TurnComparison[]
}

/** What one participant was sent, did and said. */
export interface TurnComparison {
  readonly participant: string
  readonly turn: number
  /** Whether every model call that was answered had the same prompt. */
  readonly prompts: Sameness
  /** Whether both turns ended in the same way, with the same words. */
  readonly answers: Sameness
  /** Whether both turns called the same tools, with the same arguments and the same outcome. */
  readonly calls: Sameness
  /** Undefined if it did not play. */
  readonly left?: TurnSide
  readonly right?: TurnSide
}

/** Whether something is the same in both runs. */
export type Sameness = 'same' | 'other'

/** A turn in one of two runs. */
export interface TurnSide extends Pick<Cell, 'status' | 'text'> {
  /** With their arguments in the order of their names. */
  readonly calls: readonly Pick<CellEffect, 'tool' | 'input' | 'status'>[]
  /** The first model call whose prompt differs, by its receipt. */
  readonly receipt?: string
}

/** A board, with the definition of its run as far as that may be seen. */
export interface ComparedRun extends Board {
  readonly definition?: Value
}

/**
 * What differs between two runs: definitions by their fields, prompts by their hashes, answers by their words, tool
 * calls by their arguments, the environment by its values.
 */
export function comparisonOf(left: ComparedRun, right: ComparedRun): Comparison {
  const numbers = [...new Set([...left.rounds, ...right.rounds].map(({ round }) => round))].toSorted(
    (one, other) => one - other,
  )
  const rounds = numbers.map((round) =>
    compareRound(
      round,
      left.rounds.find((column) => column.round === round),
      right.rounds.find((column) => column.round === round),
    ),
  )
  const parts = rounds.find(({ isSame }) => !isSame)?.round
  const changes = changesBetween(left, right)
  return {
    left: left.run,
    right: right.run,
    ...(parts !== undefined && { parts }),
    ...(changes && { changes }),
    rounds,
  }
}

/** The seed that counts is the run's own. */
function changesBetween(left: ComparedRun, right: ComparedRun): readonly FieldDifference[] | undefined {
  if (left.definition === undefined || right.definition === undefined) return undefined
  const seeds = left.seed === right.seed ? [] : [{ path: 'seed', left: left.seed, right: right.seed }]
  return [...seeds, ...differencesOf(left.definition, right.definition).filter(({ path }) => path !== 'seed')]
}

function compareRound(round: number, left: Column | undefined, right: Column | undefined): RoundComparison {
  const names = [...new Set([...Object.keys(left?.environment ?? {}), ...Object.keys(right?.environment ?? {})])]
  const environment = names.flatMap((name) => {
    const [before, after] = [left?.environment[name], right?.environment[name]]
    if (!left || !right || canonicalJson(before ?? null) === canonicalJson(after ?? null)) return []
    return [{ name, ...(before !== undefined && { left: before }), ...(after !== undefined && { right: after }) }]
  })
  const places = [
    ...new Map(
      [...(left?.cells ?? []), ...(right?.cells ?? [])].map((cell) => [`${cell.participant} ${cell.turn}`, cell]),
    ).values(),
  ]
  const turns = places.map((place) => compareTurn(place, cellAt(left, place), cellAt(right, place)))
  const isSame =
    left !== undefined &&
    right !== undefined &&
    environment.length === 0 &&
    turns.every(({ prompts, answers, calls }) => prompts === 'same' && answers === 'same' && calls === 'same')
  return { round, isSame, in: left && right ? 'both' : left ? 'left' : 'right', environment, turns }
}

function cellAt(column: Column | undefined, { participant, turn }: Cell): Cell | undefined {
  return column?.cells.find((cell) => cell.participant === participant && cell.turn === turn)
}

function compareTurn({ participant, turn }: Cell, left: Cell | undefined, right: Cell | undefined): TurnComparison {
  const [before, after] = [promptsOf(left), promptsOf(right)]
  const [one, other] = [left && sideOf(left, before, after), right && sideOf(right, after, before)]
  return {
    participant,
    turn,
    prompts: sameness(
      before.map(({ hash }) => hash),
      after.map(({ hash }) => hash),
    ),
    answers: sameness(one && [one.status, one.text], other && [other.status, other.text]),
    calls: sameness(one?.calls, other?.calls),
    ...(one && { left: one }),
    ...(other && { right: other }),
  }
}

type Prompts = Cell['calls']

/** Those that were answered. */
function promptsOf(cell: Cell | undefined): Prompts {
  return (cell?.calls ?? []).filter(({ isVain }) => !isVain)
}

function sideOf({ status, text, effects }: Cell, own: Prompts, others: Prompts): TurnSide {
  const differs = own.find(({ hash }, index) => hash !== others[index]?.hash)
  return {
    status,
    text,
    calls: effects.map(({ tool, input, status: outcome }) => ({ tool, input: sorted(input), status: outcome })),
    ...(differs && { receipt: differs.receipt }),
  }
}

/** In whichever order a model writes its arguments, they are the same. */
function sorted(input: CellEffect['input']): CellEffect['input'] {
  return JSON.parse(canonicalJson(input)) as CellEffect['input']
}

function sameness(left: unknown, right: unknown): Sameness {
  return canonicalJson(left ?? null) === canonicalJson(right ?? null) ? 'same' : 'other'
}

/** Whether a turn had another effect: other tool calls, or another end. Prompts and words may differ without one. */
export function turnHadOtherEffect({ calls, left, right }: TurnComparison): boolean {
  return calls === 'other' || left?.status !== right?.status
}

/** Whether more than prompts and words differs in a round: tool calls, how turns ended, the environment. */
export function roundHadOtherEffect({ in: where, environment, turns }: RoundComparison): boolean {
  return where !== 'both' || environment.length > 0 || turns.some(turnHadOtherEffect)
}
