import { MinutebookError } from 'minutebook'
import type { Random, Value, Work } from '@minutebook/experiment/run'
import { sentence } from '../fix.ts'

/** What one evaluation goes by. */
export interface Frame {
  readonly values: Readonly<Record<string, Value>>
  readonly random: Random | undefined
  /** What lists are gone through with, by slot. */
  readonly slots: Value[]
  /** Counts work. Throws when there was too much. */
  spend(work: number): void
}

/** `work` is shared with whatever else is evaluated for the same purpose. */
export function frameOf(values: Readonly<Record<string, Value>>, random: Random | undefined, work: Work): Frame {
  return {
    values,
    random,
    slots: [],
    spend: (amount) => {
      try {
        work.spend(amount)
      } catch {
        throw failure(
          'it takes too much work',
          'use shorter lists and texts, fewer of them within each other, or fewer expressions',
        )
      }
    },
  }
}

export function failure(why: string, fix: string): MinutebookError {
  return new MinutebookError('expression_failed', `An expression failed: ${why}.`, sentence(fix), { why, fix })
}
