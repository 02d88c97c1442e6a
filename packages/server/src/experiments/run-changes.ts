import type { Board } from '@minutebook/experiment/run'

/** What is told of a run that somebody watches. */
export type RunNews<B extends Board = Board> =
  /** All of it: first, and whenever somebody comes anew. */
  | { readonly event: 'board'; readonly data: B }
  /** The same, of its rounds only those that are new or changed since. */
  | { readonly event: 'change'; readonly data: Omit<B, 'definition'> }

/**
 * Boards as news. A round that is over stays as it is, and is not told again: so a long run costs no more to watch than
 * a short one.
 */
export async function* runNews<B extends Board>(boards: AsyncIterable<B>): AsyncGenerator<RunNews<B>, void, void> {
  /** The first round that was not over when it was told. */
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
export function boardAfter<B extends Board>(before: B | undefined, { event, data }: RunNews<B>): B {
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
