import { MinutebookError } from 'minutebook'
import { sha256 } from 'minutebook/store'

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
 * seeded(7, 'round 3').pick(['sunny', 'rainy'])
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

/** Counts the work of the functions of an experiment, so that all of them together have one limit. */
export interface Work {
  /** Throws `too_much_work` if there was too much. */
  spend(amount: number): void
}

/** `most`: steps of evaluation, characters and items together. Default: 1,000,000, which takes some milliseconds. */
export function createWork(most = 1_000_000): Work {
  let left = most
  return {
    spend: (amount) => {
      left -= amount
      if (left < 0)
        throw new MinutebookError(
          'too_much_work',
          'This takes too much work.',
          'Use shorter lists and texts, fewer of them within each other, or fewer expressions.',
        )
    },
  }
}
