import { canonicalJson } from '../log/canonical.ts'
import type { Board, Cell, Column } from './board.ts'
import type { Value } from './value.ts'

/** Two runs beside each other, step by step. */
export interface Comparison {
  readonly left: string
  readonly right: string
  /** The first step in which anything differs; undefined where nothing does. */
  readonly parts?: number
  readonly steps: readonly StepComparison[]
}

export interface StepComparison {
  readonly step: number
  readonly isSame: boolean
  /** Which of them has it. */
  readonly in: 'both' | 'left' | 'right'
  /** The variables that differ after it. */
  readonly environment: readonly { readonly name: string; readonly left?: Value; readonly right?: Value }[]
  readonly turns: readonly TurnComparison[]
}

/** What one participant was sent and said. */
export interface TurnComparison {
  readonly participant: string
  readonly turn: number
  /** Whether every model call that was answered had the same prompt. */
  readonly prompts: 'same' | 'other'
  readonly answers: 'same' | 'other'
  readonly left?: string
  readonly right?: string
}

/** What differs between two runs: prompts by their hashes, answers by their words, the environment by its values. */
export function comparisonOf(left: Board, right: Board): Comparison {
  const numbers = [...new Set([...left.steps, ...right.steps].map(({ step }) => step))].toSorted((one, other) => one - other)
  const steps = numbers.map((step) => compareStep(step, left.steps.find((column) => column.step === step), right.steps.find((column) => column.step === step)))
  const parts = steps.find(({ isSame }) => !isSame)?.step
  return { left: left.run, right: right.run, ...(parts !== undefined && { parts }), steps }
}

function compareStep(step: number, left: Column | undefined, right: Column | undefined): StepComparison {
  const names = [...new Set([...Object.keys(left?.environment ?? {}), ...Object.keys(right?.environment ?? {})])]
  const environment = names.flatMap((name) => {
    const [before, after] = [left?.environment[name], right?.environment[name]]
    if (!left || !right || canonicalJson(before ?? null) === canonicalJson(after ?? null)) return []
    return [{ name, ...(before !== undefined && { left: before }), ...(after !== undefined && { right: after }) }]
  })
  const places = [...new Map([...(left?.cells ?? []), ...(right?.cells ?? [])].map((cell) => [`${cell.participant} ${cell.turn}`, cell])).values()]
  const turns = places.map((place) => compareTurn(place, cellAt(left, place), cellAt(right, place)))
  const isSame = left !== undefined && right !== undefined && environment.length === 0 && turns.every(({ prompts, answers }) => prompts === 'same' && answers === 'same')
  return { step, isSame, in: left && right ? 'both' : left ? 'left' : 'right', environment, turns }
}

function cellAt(column: Column | undefined, { participant, turn }: Cell): Cell | undefined {
  return column?.cells.find((cell) => cell.participant === participant && cell.turn === turn)
}

function compareTurn({ participant, turn }: Cell, left: Cell | undefined, right: Cell | undefined): TurnComparison {
  const hashes = (cell: Cell | undefined): string => (cell?.calls ?? []).filter(({ isVain }) => !isVain).map(({ hash }) => hash).join(' ')
  const said = (cell: Cell | undefined): string => canonicalJson([cell?.text, cell?.effects.map(({ tool, input }) => [tool, input])])
  return {
    participant,
    turn,
    prompts: hashes(left) === hashes(right) ? 'same' : 'other',
    answers: said(left) === said(right) ? 'same' : 'other',
    ...(left && { left: left.text }),
    ...(right && { right: right.text }),
  }
}
