import { MinutebookError } from '../log/error.ts'

/** Counts the work of functions that whoever wrote an experiment chose, so that all of them together have one limit. */
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
      if (left < 0) throw new MinutebookError('too_much_work', 'This takes too much work. Use shorter lists and texts, fewer of them within each other, or fewer expressions.')
    },
  }
}
