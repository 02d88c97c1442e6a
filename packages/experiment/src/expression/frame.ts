import { MinutebookError } from 'minutebook'
import type { Random, Value } from 'minutebook/experiment'

/** What one evaluation goes by. */
export interface Frame {
  readonly values: Readonly<Record<string, Value>>
  readonly random: Random | undefined
  /** What lists are gone through with, by slot. */
  readonly slots: Value[]
  /** Counts work. Throws when there was too much. */
  spend(work: number): void
}

export function frameOf(values: Readonly<Record<string, Value>>, random: Random | undefined): Frame {
  let left = mostWork
  return {
    values,
    random,
    slots: [],
    spend: (work) => {
      left -= work
      if (left < 0) throw failure('it takes too much work', 'use shorter lists and texts, or fewer of them within each other')
    },
  }
}

export function failure(why: string, fix: string): MinutebookError {
  return new MinutebookError('expression_failed', `An expression failed: ${why}; ${fix}.`, { why, fix })
}

/** Steps of evaluation, characters and items together: some milliseconds. */
const mostWork = 1_000_000
