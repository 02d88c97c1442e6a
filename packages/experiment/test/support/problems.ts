import { MinutebookError } from 'minutebook'
import { checkDefinition, readExperiment, type Problem } from '@minutebook/experiment'

/** What reading a text says is wrong, a line each; nothing where nothing is. */
export function complaints(text: string, registered?: readonly string[]): string[] {
  const error = errorOf(() => readExperiment(text, { source: 'a.yaml', registered }))
  return error ? error.message.split('\n').slice(1) : []
}

export function problemsIn(value: unknown): readonly Problem[] {
  return (errorOf(() => checkDefinition(value))?.details['problems'] ?? []) as readonly Problem[]
}

function errorOf(work: () => unknown): MinutebookError | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (MinutebookError.isInstance(error) && error.code === 'invalid_experiment') return error
    throw error
  }
}
