import type { RunBoard } from './types.ts'

/**
 * What a stream tells after the whole board: all of it but the definition, and of the steps those that are new or
 * others than before.
 */
export type BoardChange = Omit<RunBoard, 'definition'>

/**
 * A board with what was told just now. Steps that did not change stay the very same.
 *
 * @example
 * const next = withChange(board, change)
 */
export function withChange(board: RunBoard, change: BoardChange): RunBoard {
  const told = new Map(change.steps.map((column) => [column.step, column]))
  const known = new Set(board.steps.map(({ step }) => step))
  const steps = [
    ...board.steps.map((column) => told.get(column.step) ?? column),
    ...change.steps.filter(({ step }) => !known.has(step)),
  ]
  return {
    ...change,
    ...(board.definition !== undefined && { definition: board.definition }),
    steps: steps.toSorted((one, other) => one.step - other.step),
  }
}
