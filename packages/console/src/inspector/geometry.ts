/** A stretch of a strip: from where, how wide. */
export interface Stretch {
  readonly from: number
  readonly width: number
}

/**
 * Where things stand on a strip, to scale, side by side and in their order. None is narrower than `least`, so that each
 * can be seen and clicked: what that takes comes off the others in proportion. Together they are as wide as the strip.
 *
 * @example
 * stretches([3000, 1, 1095], 100, 1) // [{ from: 0, width: 72.5 }, { from: 72.5, width: 1 }, { from: 73.5, width: 26.5 }]
 */
export function stretches(sizes: readonly number[], width: number, least: number): Stretch[] {
  const widths = widthsOf(sizes, width, Math.min(least, width / Math.max(1, sizes.length)))
  let from = 0
  return widths.map((own) => {
    const stretch = { from, width: own }
    from += own
    return stretch
  })
}

/** Those that would be too narrow get the least; the rest share what is left, until none of them is too narrow. */
function widthsOf(sizes: readonly number[], width: number, least: number): number[] {
  const narrow = new Set<number>()
  for (;;) {
    const wide = sizes.reduce((sum, size, index) => sum + (narrow.has(index) ? 0 : size), 0)
    const left = width - narrow.size * least
    const scale = wide > 0 ? left / wide : 0
    const more = sizes.flatMap((size, index) => (!narrow.has(index) && size * scale < least ? [index] : []))
    if (more.length === 0 || narrow.size + more.length > sizes.length)
      return sizes.map((size, index) => (narrow.has(index) ? least : size * scale))
    for (const index of more) narrow.add(index)
    if (narrow.size === sizes.length) return sizes.map(() => width / sizes.length)
  }
}

/** Neighbours that are alike, as one: what they are, how many, and how much together. */
export interface Run<K> {
  readonly key: K
  readonly from: number
  readonly count: number
  readonly size: number
}

/**
 * Gathers neighbours that are alike.
 *
 * @example
 * runs(['a', 'a', 'b'], (letter) => letter, () => 1) // [{ key: 'a', from: 0, count: 2, size: 2 }, { key: 'b', from: 2, count: 1, size: 1 }]
 */
export function runs<T, K>(items: readonly T[], keyOf: (item: T) => K, sizeOf: (item: T) => number): Run<K>[] {
  const found: Run<K>[] = []
  for (const [index, item] of items.entries()) {
    const key = keyOf(item)
    const last = found.at(-1)
    if (last && last.key === key)
      found[found.length - 1] = { ...last, count: last.count + 1, size: last.size + sizeOf(item) }
    else found.push({ key, from: index, count: 1, size: sizeOf(item) })
  }
  return found
}
