import type { ExperimentTool } from '@minutebook/experiment/run'
import { MinutebookError, type Tool } from 'minutebook'

/** The implementation of a tool that expressions alone cannot do. The definition overrides its fields. */
export type Runner = Partial<ExperimentTool> & Pick<Required<ExperimentTool>, 'run'>

/** By the name of the tool in the experiment. */
export type Runners = Readonly<Record<string, Runner>>

/**
 * Lets a tool that was made for threads run a call of an experiment. Of the participant's thread it gets only the id.
 */
export function registeredTool(tool: Tool): Runner {
  const { name, description, parameters, mayRepeat, timeout, input: schema } = tool
  if (!tool.run || tool.approve)
    throw new MinutebookError(
      'invalid_tool',
      `The tool ${JSON.stringify(name)} waits for a decision, and an experiment has no place for decisions.`,
      'Give the experiment a tool that runs by itself.',
      { tool: name },
    )
  return {
    ...(description !== undefined && { description }),
    parameters,
    ...(mayRepeat !== undefined && { mayRepeat }),
    ...(timeout !== undefined && { timeout }),
    run: async (input, { thread, idempotencyKey, term, signal }) => {
      const checked = schema ? await schema['~standard'].validate(input) : { value: input }
      if (checked.issues)
        throw new MinutebookError(
          'bad_input',
          `The input cannot be used: ${checked.issues.map(({ message }) => message).join(' ')}`,
          '',
          { tool: name },
        )
      return answerIn(
        await tool.run?.(checked.value, {
          thread,
          context: undefined,
          call: { name, arguments: input },
          index: 0,
          idempotencyKey,
          term,
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

/**
 * What was answered, for expressions to look into: a text that is JSON of a list or a map is that; any other is itself.
 */
export function answerIn(answer: unknown): unknown {
  if (typeof answer !== 'string' || !/^\s{0,100}[[{]/.test(answer)) return answer
  try {
    return JSON.parse(answer) as unknown
  } catch {
    return answer
  }
}
