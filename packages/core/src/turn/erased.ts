import { MinutebookError } from '../log/error.ts'

/** The same words in the same place have the same id, and what was erased does not come back. */
export function erasedBefore(): MinutebookError {
  return new MinutebookError('erased_before', 'This very message was said and erased here; say it after a later entry, or change a word.')
}
