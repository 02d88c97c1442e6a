import { MinutebookError } from 'minutebook'

/** The error that a function must throw: one of ours. */
export function refusal(run: () => unknown): MinutebookError {
  try {
    run()
  } catch (error) {
    if (MinutebookError.isInstance(error)) return error
    throw error
  }
  throw new Error('Nothing was refused.')
}
