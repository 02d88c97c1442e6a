/** A line of a diff: on both sides, on the left alone, or on the right alone. */
export interface DiffLine<T> {
  readonly side: 'both' | 'left' | 'right'
  readonly item: T
}

/**
 * The shortest list of changes from one list to another (Myers). If it takes more than `most` changes, everything is
 * removed and added.
 *
 * @example
 * diff(['a', 'b'], ['b', 'c'], (text) => text).map(({ side, item }) => `${side} ${item}`) // ['left a', 'both b', 'right c']
 */
export function diff<T>(
  left: readonly T[],
  right: readonly T[],
  keyOf: (item: T) => string,
  most = 600,
): DiffLine<T>[] {
  const [a, b] = [left.map(keyOf), right.map(keyOf)]
  const head = commonLength(a, b, (list, index) => list[index])
  const tail = commonLength(a.slice(head), b.slice(head), (list, index) => list[list.length - 1 - index])
  const both = (item: T): DiffLine<T> => ({ side: 'both', item })
  return [
    ...right.slice(0, head).map(both),
    ...middle(left.slice(head, left.length - tail), right.slice(head, right.length - tail), keyOf, most),
    ...right.slice(right.length - tail).map(both),
  ]
}

function commonLength(
  a: readonly string[],
  b: readonly string[],
  at: (list: readonly string[], index: number) => string | undefined,
): number {
  const longest = Math.min(a.length, b.length)
  let length = 0
  while (length < longest && at(a, length) === at(b, length)) length++
  return length
}

/** Reads the changes back from the trace of the walk. */
function middle<T>(left: readonly T[], right: readonly T[], keyOf: (item: T) => string, most: number): DiffLine<T>[] {
  const trace = walk(left.map(keyOf), right.map(keyOf), most)
  if (!trace)
    return [
      ...left.map((item): DiffLine<T> => ({ side: 'left', item })),
      ...right.map((item): DiffLine<T> => ({ side: 'right', item })),
    ]
  const lines: DiffLine<T>[] = []
  let [x, y] = [left.length, right.length]
  for (let step = trace.length - 1; step >= 0; step--) {
    const before = trace[step]!
    const from = comesFromAbove(before, x - y, step) ? x - y + 1 : x - y - 1
    const startX = before.get(from) ?? 0
    const startY = startX - from
    while (x > startX && y > startY) {
      lines.push({ side: 'both', item: right[y - 1]! })
      x--
      y--
    }
    if (step > 0)
      lines.push(x === startX ? { side: 'right', item: right[y - 1]! } : { side: 'left', item: left[x - 1]! })
    ;[x, y] = [startX, startY]
  }
  return lines.reverse()
}

/**
 * Walks greedily along diagonals. Returns how far each had come, by number of changes; undefined if it takes more than
 * `most`.
 */
function walk(a: readonly string[], b: readonly string[], most: number): ReadonlyMap<number, number>[] | undefined {
  const reached = new Map<number, number>([[1, 0]])
  const trace: ReadonlyMap<number, number>[] = []
  for (let step = 0; step <= Math.min(most, a.length + b.length); step++) {
    trace.push(new Map(reached))
    for (let diagonal = -step; diagonal <= step; diagonal += 2) {
      let x = comesFromAbove(reached, diagonal, step)
        ? (reached.get(diagonal + 1) ?? 0)
        : (reached.get(diagonal - 1) ?? 0) + 1
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++
      reached.set(diagonal, x)
      if (x >= a.length && x - diagonal >= b.length) return trace
    }
  }
  return undefined
}

/** Whether the best way onto a diagonal is from the one above it, by an added item. */
function comesFromAbove(reached: ReadonlyMap<number, number>, diagonal: number, step: number): boolean {
  return (
    diagonal === -step || (diagonal !== step && (reached.get(diagonal - 1) ?? -1) < (reached.get(diagonal + 1) ?? -1))
  )
}
