export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** A whole number from low to high, both included. */
  between(low: number, high: number): number
  pick<T>(list: readonly T[]): T
  shuffled<T>(list: readonly T[]): T[]
  /** Log-normal with the given mean. */
  lognormal(mean: number, sigma: number): number
}

/** The same seed gives the same sequence on every machine (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  const pick = <T>(list: readonly T[]): T => {
    const item = list[between(0, list.length - 1)]
    if (item === undefined) throw new Error('pick needs a list that is not empty.')
    return item
  }
  const shuffled = <T>(list: readonly T[]): T[] => {
    const left = [...list]
    return list.map(() => left.splice(between(0, left.length - 1), 1)[0] as T)
  }
  const normal = (): number => Math.sqrt(-2 * Math.log(next() + 1e-12)) * Math.cos(2 * Math.PI * next())
  const lognormal = (mean: number, sigma: number): number => mean * Math.exp(sigma * normal() - (sigma * sigma) / 2)
  return { next, between, pick, shuffled, lognormal }
}
