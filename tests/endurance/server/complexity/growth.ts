/** How the time of something grows with its size. */
export interface Growth {
  readonly sizes: readonly number[]
  /** Milliseconds for each of the sizes. */
  readonly times: readonly number[]
  /** 1: as the size does; 2: with its square. 0 if even the largest took next to no time. */
  readonly exponent: number
}

/**
 * The steepest that is allowed: between what is linear and what is not, with room for caches and the collection of
 * garbage.
 */
export const steepest = 1.3

/** What takes less at its largest is as good as nothing: on a busy machine it cannot be told from noise. */
export const negligible = 20

/**
 * `measure` returns milliseconds for a size. Each size is measured `times` times, and the median counts. Others who
 * begin to use the machine can tilt one look, but a loop within a loop is there each time: what is too steep is looked
 * at again.
 */
export async function growthOf(
  sizes: readonly number[],
  measure: (size: number) => Promise<number>,
  times = 5,
): Promise<Growth> {
  let least = await lookAt(sizes, measure, times)
  for (let more = 0; more < 2 && least.exponent >= steepest; more++) {
    const next = await lookAt(sizes, measure, times)
    if (next.exponent < least.exponent) least = next
  }
  return least
}

/** The sizes take turns, so that the noise of the machine falls on all of them. */
async function lookAt(
  sizes: readonly number[],
  measure: (size: number) => Promise<number>,
  times: number,
): Promise<Growth> {
  const looks = sizes.map((): number[] => [])
  for (let look = 0; look < times; look++)
    for (const [index, size] of sizes.entries()) looks[index]?.push(await measure(size))
  const found = looks.map(median)
  return { sizes, times: found, exponent: exponentOf(sizes, found) }
}

/**
 * The slope of a line through the times on a scale of logarithms. Times below `negligible / 8` are taken for that: what
 * is constant would hide what grows, and what is noise would show a growth that is none.
 */
export function exponentOf(sizes: readonly number[], times: readonly number[]): number {
  if ((times.at(-1) ?? 0) < negligible) return 0
  const points = sizes.map(
    (size, index) => [Math.log(size), Math.log(Math.max(times[index] ?? 0, negligible / 8))] as const,
  )
  const mean = (axis: 0 | 1): number => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const over = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  return over / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
}

export function growthLine(name: string, { sizes, times, exponent }: Growth): string {
  return `${exponent.toFixed(2)}  ${name}: ${sizes.map((size, index) => `${size} in ${(times[index] ?? 0).toFixed(0)} ms`).join(', ')}`
}
