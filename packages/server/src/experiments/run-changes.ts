import type { Board } from '@minutebook/experiment/run'

/** What is told of a run that somebody watches. */
export type RunNews<B extends Board = Board> =
  /** All of it: first, and whenever somebody comes anew. */
  | { readonly event: 'board'; readonly data: B }
  /** The same, of its steps only those that are new or changed since. */
  | { readonly event: 'change'; readonly data: Omit<B, 'definition'> }

/**
 * Boards as news. A step that is over stays as it is, and is not told again: so a long run costs no more to watch than
 * a short one.
 */
export async function* runNews<B extends Board>(boards: AsyncIterable<B>): AsyncGenerator<RunNews<B>, void, void> {
  /** The first step that was not over when it was told. */
  let open: number | undefined
  for await (const board of boards) {
    const from = open
    if (from === undefined) yield { event: 'board', data: board }
    else yield { event: 'change', data: changeOf(board, from) }
    open = board.steps.find(({ isOver }) => !isOver)?.step ?? (board.steps.at(-1)?.step ?? 0) + 1
  }
}

function changeOf<B extends Board>(board: B, from: number): Omit<B, 'definition'> {
  const { definition: _, ...rest } = { definition: undefined, ...board }
  return { ...rest, steps: board.steps.filter(({ step }) => step >= from) } as unknown as Omit<B, 'definition'>
}

/** The board after some news. */
export function boardAfter<B extends Board>(before: B | undefined, { event, data }: RunNews<B>): B {
  if (event === 'board' || before === undefined) return data as B
  const told = new Set(data.steps.map(({ step }) => step))
  return {
    ...before,
    ...data,
    steps: [...before.steps.filter(({ step }) => !told.has(step)), ...data.steps].toSorted(
      (one, other) => one.step - other.step,
    ),
  } as B
}
