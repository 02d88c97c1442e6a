import { gapsOf, type Board, type Cell, type CellEffect, type Column, type Gaps } from '@minutebook/experiment/run'

/** What a participant does in a round. */
export interface GridCell {
  readonly participant: string
  readonly round: number
  /** `waiting`: its turn may come; `idle`: it did not play. */
  readonly status: Cell['status'] | 'waiting' | 'idle'
  /** In `addressed` play a participant may have several. */
  readonly turns: readonly Cell[]
  readonly prompt: number
  readonly completion: number
  readonly tools: readonly ToolCount[]
  /** The first words of the last answer. */
  readonly words: string
  /** What the model did not get to see. */
  readonly gaps: Gaps
}

interface ToolCount {
  readonly tool: string
  readonly count: number
  /** Whether none of the calls did anything. */
  readonly isVain: boolean
}

export type Grid = ReadonlyMap<string, GridCell>

/**
 * Every participant at every round.
 *
 * @example
 * cellAt(gridOf(board), 'ann', 3)?.words
 */
export function gridOf({ status, participants, rounds }: Pick<Board, 'status' | 'participants' | 'rounds'>): Grid {
  const names = participants.map(({ name }) => name)
  const cells = rounds.flatMap((column) => {
    const turnsOf = Map.groupBy(column.cells, ({ participant }) => participant)
    return names.map((participant) =>
      gridCell(participant, column, turnsOf.get(participant) ?? [], status === 'running'),
    )
  })
  return new Map(cells.map((cell) => [keyOf(cell.participant, cell.round), cell]))
}

export function cellAt(grid: Grid, participant: string, round: number): GridCell | undefined {
  return grid.get(keyOf(participant, round))
}

function keyOf(participant: string, round: number): string {
  return `${round} ${participant}`
}

function gridCell(participant: string, column: Column, turns: readonly Cell[], isRunning: boolean): GridCell {
  const calls = turns.flatMap(({ calls: made }) => made)
  return {
    participant,
    round: column.round,
    status: turns.at(-1)?.status ?? expected(participant, column, isRunning),
    turns,
    prompt: calls.reduce((sum, { prompt }) => sum + prompt, 0),
    completion: calls.reduce((sum, { completion }) => sum + completion, 0),
    tools: toolsOf(turns),
    words: (turns.findLast(({ text }) => text !== '')?.text ?? '').slice(0, mostLetters),
    gaps: gapsOf(calls),
  }
}

/** More than a cell can show. */
const mostLetters = 160

/** The status of a participant without a recorded turn. */
function expected(participant: string, { order, play, isOver, cells }: Column, isRunning: boolean): GridCell['status'] {
  if (isOver || !order.includes(participant)) return 'idle'
  const done = new Set(
    cells.filter(({ status }) => status !== 'playing' && status !== 'asked').map((cell) => cell.participant),
  )
  const isNext =
    play === 'parallel' ||
    (play === 'addressed'
      ? cells.length === 0 && participant === order[0]
      : participant === order.find((name) => !done.has(name)))
  return isRunning && isNext ? 'playing' : 'waiting'
}

function toolsOf(turns: readonly Cell[]): readonly ToolCount[] {
  const effects = turns.flatMap((turn) => turn.effects)
  return [...Map.groupBy(effects, nameOf)].map(([tool, made]) => ({
    tool,
    count: made.length,
    isVain: made.every(({ status }) => status !== 'done'),
  }))
}

/** Whom it tells something is a part of the name. */
function nameOf({ tool, input, status }: CellEffect): string {
  const { to } = input
  return tool === 'tell' && status === 'done' && typeof to === 'string' ? `tell → ${to}` : tool
}

/** A position in the grid: a participant and a round, both counted from 0. */
export interface Place {
  readonly lane: number
  readonly column: number
}

/**
 * The position that a key leads to. Undefined for other keys.
 *
 * @example
 * moved({ lane: 0, column: 3 }, 'ArrowRight', { lanes: 2, columns: 10 }) // { lane: 0, column: 4 }
 */
export function moved(
  { lane, column }: Place,
  key: string,
  { lanes, columns }: { readonly lanes: number; readonly columns: number },
): Place | undefined {
  const to = targets[key]?.({ lane, column })
  if (!to || lanes === 0 || columns === 0) return undefined
  return { lane: within(to.lane, lanes), column: within(to.column, columns) }
}

const page = 10
const targets: Readonly<Record<string, (place: Place) => Place>> = {
  ArrowLeft: ({ lane, column }) => ({ lane, column: column - 1 }),
  ArrowRight: ({ lane, column }) => ({ lane, column: column + 1 }),
  ArrowUp: ({ lane, column }) => ({ lane: lane - 1, column }),
  ArrowDown: ({ lane, column }) => ({ lane: lane + 1, column }),
  PageUp: ({ lane, column }) => ({ lane, column: column - page }),
  PageDown: ({ lane, column }) => ({ lane, column: column + page }),
  Home: ({ lane }) => ({ lane, column: 0 }),
  End: ({ lane }) => ({ lane, column: Infinity }),
}

function within(value: number, count: number): number {
  return Math.max(0, Math.min(count - 1, value))
}
