import { MinutebookError } from '../log/error.ts'

/** What is asked of a log of which only the end was read. */
export function unread(): MinutebookError {
  return new MinutebookError('forgotten', 'Only the end of this log was read, which does not tell; read all of it first.')
}

/** Whether something is not known any more, or was not read: then the whole log tells. */
export function isForgotten(error: unknown): boolean {
  return MinutebookError.isInstance(error) && error.code === 'forgotten'
}
