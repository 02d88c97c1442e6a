import { MinutebookError } from 'minutebook'

export function unknownThread(): MinutebookError {
  return new MinutebookError(
    'unknown_thread',
    'There is no such thread on record.',
    'List the threads to see which there are.',
  )
}
