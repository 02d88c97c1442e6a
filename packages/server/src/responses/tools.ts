import { fieldsOf, type Fields } from '../fields.ts'
import { unusable } from './problem.ts'

/**
 * Functions as a chat takes them. All other tools are run by whoever hosts them, and nobody does here.
 *
 * @example
 * chatTools([{ type: 'function', name: 'now', parameters: {}, strict: true }])
 */
export function chatTools(tools: unknown): readonly object[] {
  if (tools === undefined || tools === null) return []
  if (!Array.isArray(tools)) throw unusable('tools', 'tools is no list. Send a list of functions.')
  return tools.map((tool, index) => chatTool(fieldsOf(tool), `tools[${index}]`))
}

function chatTool({ type, name, description, parameters, strict }: Fields, param: string): object {
  if (type !== 'function')
    throw unusable(
      `${param}.type`,
      `${param}.type is not function. Tools that a host runs are not done here: send functions, and run them yourself.`,
      'unsupported_value',
    )
  if (typeof name !== 'string' || name === '')
    throw unusable(`${param}.name`, `${param}.name is missing. Name the function.`)
  return {
    type,
    function: {
      name,
      ...(typeof description === 'string' && { description }),
      ...(typeof parameters === 'object' && parameters !== null && { parameters }),
      ...(typeof strict === 'boolean' && { strict }),
    },
  }
}

/** Which of them the model is to call. */
export function chatToolChoice(choice: unknown): unknown {
  if (choice === undefined || choice === null) return undefined
  if (typeof choice === 'string' && ['auto', 'none', 'required'].includes(choice)) return choice
  const { type, name, mode, tools } = fieldsOf(choice)
  if (type === 'function' && typeof name === 'string') return { type, function: { name } }
  if (type === 'allowed_tools' && Array.isArray(tools)) {
    return {
      type,
      allowed_tools: {
        mode,
        tools: tools.map((tool) => ({ type: 'function', function: { name: fieldsOf(tool)['name'] } })),
      },
    }
  }
  throw unusable(
    'tool_choice',
    'tool_choice is none that is done here. Send auto, none, required, a function by its name, or allowed_tools.',
    'unsupported_value',
  )
}

/** A tool as it is told back: with all that it may say. */
export function shownTool(tool: unknown): object {
  const { type, name, description = null, parameters = null, strict = null } = fieldsOf(tool)
  return { type, name, description, parameters, strict }
}
