import { sha256 } from '../log/hash.ts'

/** Chance that comes out the same whenever it is asked in the same place. */
export interface Random {
  /** At least 0, below 1: another one each time. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number
  /** One of a list. */
  pick<T>(items: readonly T[]): T
}

/**
 * Chance for one place of a run.
 *
 * @example
 * seeded(7, 'step 3').pick(['sunny', 'rainy'])
 */
export function seeded(seed: number, place: string): Random {
  let count = 0
  const next = (): number => Number.parseInt(sha256(`${seed}\n${place}\n${count++}`).slice(0, 13), 16) / 2 ** 52
  return {
    next,
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (items) => items[Math.floor(next() * items.length)]!,
  }
}
