import type { Board, Cell, Column } from './board.ts'
import { toldBy } from './next-move.ts'

/** One participant tells another something. */
export interface Heard {
  readonly from: string
  readonly to: string
  /** The round in which it was said. */
  readonly said: number
  /** The round at whose turn the other hears it. Undefined if that has not come. */
  readonly heard?: number
}

/**
 * Who told whom, and when the other hears it: at the next turn, and in parallel play not before the next round.
 *
 * @example
 * tellingsOf(board) // [{ from: 'judge', to: 'bob', said: 3, heard: 4 }]
 */
export function tellingsOf({ rounds }: Pick<Board, 'rounds'>): readonly Heard[] {
  return rounds.flatMap((column, index) =>
    column.cells.flatMap((cell) =>
      cell.effects.flatMap((effect): Heard[] => {
        const told = toldBy(effect)
        if (!told) return []
        const heard = [column, ...rounds.slice(index + 1)].find((later) =>
          later === column ? hasLaterTurn(column, cell, told.to) : hasTurn(later, told.to),
        )
        return [{ from: cell.participant, to: told.to, said: column.round, ...(heard && { heard: heard.round }) }]
      }),
    ),
  )
}

/** In addressed play only some of the participants play. */
function hasTurn({ play, order, cells }: Column, participant: string): boolean {
  return play === 'addressed' ? cells.some((cell) => cell.participant === participant) : order.includes(participant)
}

/** Whether a participant plays in the same round after this turn. */
function hasLaterTurn(column: Column, { participant, turn }: Cell, hearer: string): boolean {
  const { play, order } = column
  if (play === 'parallel') return false
  if (play === 'sequence') return order.indexOf(hearer) > order.indexOf(participant)
  const turns = turnsInOrder(column)
  const at = turns.findIndex((cell) => cell.participant === participant && cell.turn === turn)
  return turns.slice(at + 1).some((cell) => cell.participant === hearer)
}

/** The turns of addressed play in the order in which they were played: a participant that is told something is next. */
function turnsInOrder({ order, cells }: Column): readonly Cell[] {
  const played: Cell[] = []
  let waiting = order.slice(0, 1)
  while (waiting.length > 0) {
    const [participant, ...others] = waiting as [string, ...string[]]
    const turn = played.filter((before) => before.participant === participant).length
    const cell = cells.find((each) => each.participant === participant && each.turn === turn)
    if (!cell) return played
    played.push(cell)
    const told = cell.effects.flatMap((effect) => toldBy(effect)?.to ?? []).filter((to) => order.includes(to))
    waiting = [...new Set([...others, ...told])]
  }
  return played
}
