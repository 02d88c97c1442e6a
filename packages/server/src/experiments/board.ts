import type { Definition } from '@minutebook/experiment'
import type { Begun, Board, CellEffect, Column, Environment, Value } from '@minutebook/experiment/run'
import { asObject } from '../http/json.ts'

/** A run as it is looked at. */
export interface RunBoard extends Board {
  /** How many rounds it may have; null if its definition does not say. */
  readonly limit: number | null
  /** Its definition. Not for viewers: it contains what participants are told in secret. */
  readonly definition?: Value
  /** How many variables are left out, because no participant sees them. */
  readonly hidden: number
}

/** Who a run is shown to: a caller that may steer it sees everything. */
export type RunViewer = 'all' | 'viewer'

/**
 * A board as a viewer or an app may see it. A viewer sees what threads show: what participants said and were told. So
 * variables that no participant sees, the definition, and what a failure says of either are left out.
 */
export function runBoard(board: Board, { definition }: Pick<Begun, 'definition'>, viewer: RunViewer): RunBoard {
  const limit = limitIn(definition)
  if (viewer === 'all') return { ...board, limit, definition, hidden: 0 }
  const seen = seenIn(definition)
  const { reason, ...rest } = board
  return {
    ...rest,
    ...(reason !== undefined && {
      reason: board.status === 'error' ? 'The run failed. Only callers that may control it see why.' : reason,
    }),
    environment: only(board.environment, seen),
    initial: only(board.initial, seen),
    rounds: board.rounds.map((column) => columnFor(column, seen)),
    limit,
    hidden: Object.keys(board.initial).filter((name) => !seen(name)).length,
  }
}

type Seen = (variable: string) => boolean

/** The variables that at least one participant sees. Empty if that cannot be found out. */
function seenIn(definition: Value): Seen {
  const participants = Object.values(
    asObject(asObject(definition)['participants']),
  ) as Definition['participants'][string][]
  if (participants.some(({ sees }) => sees === undefined)) return () => true
  const names = new Set(participants.flatMap(({ sees = [] }) => sees))
  return (variable) => names.has(variable)
}

function only(environment: Environment, seen: Seen): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => seen(name)))
}

function columnFor(column: Column, seen: Seen): Column {
  const effectFor = (effect: CellEffect): CellEffect => ({ ...effect, changes: only(effect.changes, seen) })
  return {
    ...column,
    environment: only(column.environment, seen),
    cells: column.cells.map((cell) => ({ ...cell, effects: cell.effects.map(effectFor) })),
  }
}

/** The limit of a run whose definition has none. */
const usualLimit = 100

export function limitIn(definition: Value): number | null {
  const { participants, limits } = asObject(definition)
  const { rounds } = asObject(limits)
  if (typeof rounds === 'number') return rounds
  return participants === undefined ? null : usualLimit
}

/** What a client that watches a run receives. */
export type RunChange<B extends Board = Board> =
  /** The whole board: at the start, and whenever a client connects again. */
  | { readonly event: 'board'; readonly data: B }
  /** The same, with only the rounds that are new or changed since. */
  | { readonly event: 'change'; readonly data: Omit<B, 'definition'> }

/**
 * Boards as changes. A finished round stays as it is and is not sent again, so watching a long run costs no more than a
 * short one.
 */
export async function* runNews<B extends Board>(boards: AsyncIterable<B>): AsyncGenerator<RunChange<B>, void, void> {
  /** The first round that was not over when it was sent. */
  let open: number | undefined
  for await (const board of boards) {
    const from = open
    if (from === undefined) yield { event: 'board', data: board }
    else yield { event: 'change', data: changeOf(board, from) }
    open = board.rounds.find(({ isOver }) => !isOver)?.round ?? (board.rounds.at(-1)?.round ?? 0) + 1
  }
}

function changeOf<B extends Board>(board: B, from: number): Omit<B, 'definition'> {
  const { definition: _, ...rest } = { definition: undefined, ...board }
  return { ...rest, rounds: board.rounds.filter(({ round }) => round >= from) } as unknown as Omit<B, 'definition'>
}

/** The board after some news. */
export function boardAfter<B extends Board>(before: B | undefined, { event, data }: RunChange<B>): B {
  if (event === 'board' || before === undefined) return data as B
  const told = new Set(data.rounds.map(({ round }) => round))
  return {
    ...before,
    ...data,
    rounds: [...before.rounds.filter(({ round }) => !told.has(round)), ...data.rounds].toSorted(
      (one, other) => one.round - other.round,
    ),
  } as B
}
