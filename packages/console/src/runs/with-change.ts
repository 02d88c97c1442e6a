import type { RunBoard } from './types.ts'

/**
 * What a stream tells after the whole board: all of it but the definition, and of the rounds those that are new or
 * others than before.
 */
export type BoardChange = Omit<RunBoard, 'definition'>

/**
 * A board with what was told just now. Rounds that did not change stay the very same.
 *
 * @example
 * const next = withChange(board, change)
 */
export function withChange(board: RunBoard, change: BoardChange): RunBoard {
  const told = new Map(change.rounds.map((column) => [column.round, column]))
  const known = new Set(board.rounds.map(({ round }) => round))
  const rounds = [
    ...board.rounds.map((column) => told.get(column.round) ?? column),
    ...change.rounds.filter(({ round }) => !known.has(round)),
  ]
  return {
    ...change,
    ...(board.definition !== undefined && { definition: board.definition }),
    rounds: rounds.toSorted((one, other) => one.round - other.round),
  }
}
