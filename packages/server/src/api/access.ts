import { MinutebookError } from 'minutebook'
import type { Scope } from '../scope.ts'

/** Whoever asks may not, and is told what would be needed. */
export function forbidden(needed: Scope): MinutebookError {
  return new MinutebookError(
    'forbidden',
    'The scope of this key is too small for that.',
    `Use a key with the scope ${needed}.`,
    { needed },
  )
}
