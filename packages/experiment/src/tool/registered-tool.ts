import { MinutebookError, type Tool } from 'minutebook'
import { answerIn } from './answer.ts'
import type { Runner } from './runner.ts'

/**
 * Has a tool that was made for threads run a call of an experiment. Of the participant's thread it is told the id and
 * nothing else.
 */
export function registeredTool(tool: Tool): Runner {
  const { name, description, parameters, mayRepeat, timeout, input: schema } = tool
  return {
    ...(description !== undefined && { description }),
    parameters,
    ...(mayRepeat !== undefined && { mayRepeat }),
    ...(timeout !== undefined && { timeout }),
    run: async (input, { thread, signal }) => {
      const checked = schema ? await schema['~standard'].validate(input) : { value: input }
      if (checked.issues)
        throw new MinutebookError(
          'bad_input',
          `The input cannot be used: ${checked.issues.map(({ message }) => message).join(' ')}`,
          '',
          { tool: name },
        )
      return answerIn(
        await tool.run(checked.value, {
          thread,
          call: { name, arguments: input },
          index: 0,
          signal,
          entries: () => Promise.resolve([]),
          state: noState,
        }),
      )
    },
  }
}

function noState(): Promise<never> {
  return Promise.reject(
    new MinutebookError(
      'no_state',
      'A tool in an experiment has no state of a thread.',
      'Keep what it needs in variables.',
    ),
  )
}
