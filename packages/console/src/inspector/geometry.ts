/** A section of a strip: its start and its width. */
interface Section {
  readonly from: number
  readonly width: number
}

/**
 * Lays items out on a strip, to scale and in order. None is narrower than `least`, so each can be clicked; the others
 * shrink in proportion.
 *
 * @example
 * sections([3000, 1, 1095], 100, 1) // [{ from: 0, width: 72.5 }, { from: 72.5, width: 1 }, { from: 73.5, width: 26.5 }]
 */
export function sections(sizes: readonly number[], width: number, least: number): Section[] {
  const widths = widthsOf(sizes, width, Math.min(least, width / Math.max(1, sizes.length)))
  let from = 0
  return widths.map((own) => {
    const section = { from, width: own }
    from += own
    return section
  })
}

/** Items that are too narrow get `least`. The rest share what is left, until none is too narrow. */
function widthsOf(sizes: readonly number[], width: number, least: number): number[] {
  if (sizes.every((size) => size === 0)) return sizes.map(() => width / sizes.length)
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

/** Neighbours with the same key, as one: their number and their total size. */
interface Run<K> {
  readonly key: K
  readonly from: number
  readonly count: number
  readonly size: number
}

/**
 * Groups neighbours with the same key.
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
