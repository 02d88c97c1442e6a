import { inputOf, type Call } from '../log/message.ts'
import type { Gate, KeptDecision } from '../log/open-call.ts'
import { unlessAborted } from '../models/call-errors.ts'
import { limited } from './run-tool.ts'
import { defineTool, type GateContext, type Tool, type ToolOutcome } from './tool.ts'

/**
 * A tool with which the model asks the user, and waits for the answer. It is an ordinary tool without `run`: show the
 * question of the open call, and answer it with `thread.decide`.
 *
 * @example
 * const book = openBook({ store, model, tools: [askUser] })
 */
export const askUser: Tool = defineTool({
  name: 'ask_user',
  description: 'Asks the user a question and waits for the answer. Use it if you cannot go on without knowing.',
  parameters: {
    type: 'object',
    properties: {
      question: { type: 'string', description: 'The question, in the language of the user.' },
      options: { type: 'array', items: { type: 'string' }, description: 'Answers to choose from, if there are some.' },
    },
    required: ['question'],
  },
})

/**
 * Which calls of an answer must wait, and for what? Calls that cannot run, because there is no such tool or their
 * arguments do not fit, do not wait: the model is told at once. `about`: the context of the call at an index.
 */
export async function gatesOf(
  tools: readonly Tool[],
  calls: readonly Call[],
  about: (call: Call) => GateContext,
  onError: (error: unknown, call: Call) => void,
): Promise<readonly Gate[]> {
  const gates = await Promise.all(
    calls.map(async (call, index): Promise<readonly Gate[]> => {
      const tool = tools.find(({ name }) => name === call.name)
      if (!tool || (tool.run && !tool.approve)) return []
      const input = inputOf(call)
      const checked = tool.input ? await tool.input['~standard'].validate(input) : { value: input }
      if (input === undefined || checked.issues) return []
      const needs = tool.run ? 'approval' : 'answer'
      if (
        needs === 'approval' &&
        !(await isToApprove(tool, checked.value, about(call), (error) => onError(error, call)))
      )
        return []
      const { decideWithin: within } = tool
      return [{ index, needs, ...(within !== undefined && { within }) }]
    }),
  )
  return gates.flat()
}

async function isToApprove(
  { approve }: Tool,
  input: unknown,
  context: GateContext,
  onError: (error: unknown) => void,
): Promise<boolean> {
  if (typeof approve !== 'function') return approve === true
  try {
    // After an abort it may go on: the call waits then, whatever it says.
    return await unlessAborted(Promise.resolve(approve(input, context)), context.signal)
  } catch (error) {
    if (!context.signal.aborted) onError(error)
    return true
  }
}

/** The result of a call that was decided and does not run. */
export function outcomeOf({ decision }: KeptDecision): ToolOutcome {
  if (decision.do === 'answer') return limited({}, decision.output)
  const reason = decision.do === 'refuse' ? decision.reason : undefined
  return { text: `(refused: ${reason?.slice(0, 2000) ?? 'this call was not allowed'})`, status: 'failed' }
}
