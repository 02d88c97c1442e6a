/** Where in the grid somebody is: a participant and a round, both counted from 0. */
export interface Place {
  readonly lane: number
  readonly column: number
}

/**
 * The place that a key leads to; undefined where the key leads nowhere.
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
