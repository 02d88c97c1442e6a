import type { MinutebookError } from 'minutebook'
import { nearestName } from 'minutebook/inspect'
import { asObject, type Fields } from '../http/json.ts'
import { requestError } from './problems.ts'

/** Fields that chats have under the same name: they are passed on unchanged. */
export const passed: readonly string[] = [
  'temperature',
  'top_p',
  'user',
  'service_tier',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'seed',
  'stop',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'top_k',
  'min_p',
  'chat_template_kwargs',
]

/** Fields that are read here. */
const read: readonly string[] = [
  'model',
  'input',
  'instructions',
  'previous_response_id',
  'conversation',
  'store',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'reasoning',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'truncation',
  'include',
  'top_logprobs',
  'background',
]

/** Fields that only the original host supports, and what to do instead. */
const hosted: ReadonlyMap<string, string> = new Map([
  ['prompt', 'This server stores no prompts. Send instructions and input.'],
  ['context_management', 'The server fits long conversations into the window by itself. Leave it out.'],
  ['moderation', 'This server does not moderate. Leave it out.'],
  ['access_programs', 'Access programs do not exist here. Leave it out.'],
  ['image', 'This server does not generate images. Leave it out.'],
  ['prompt_cache_options', 'The upstream manages its cache by itself. Leave it out.'],
])

/** Values that add nothing to an answer, or are in it anyway. */
const includable: ReadonlySet<unknown> = new Set(['reasoning.encrypted_content', 'message.input_image.image_url'])

/** Throws for the first field that asks for something unsupported. */
export function refuseOthers(fields: Fields): void {
  for (const [name, value] of Object.entries(fields)) {
    const instead = hosted.get(name)
    if (instead !== undefined && value !== undefined && value !== null)
      throw requestError(name, `${name} is not supported here.`, `${instead}`, 'unsupported_parameter')
    if (instead === undefined && !known.includes(name)) throw unknownFieldError(name)
  }
  const { background, truncation = 'auto', include, top_logprobs: logprobs, max_output_tokens: most } = fields
  if (background === true)
    throw requestError(
      'background',
      'background is not supported here: a response is complete when its request ends.',
      'Leave it out, or use a turn of /minutebook/v1, which continues by itself.',
      'unsupported_parameter',
    )
  if (truncation !== null && truncation !== 'auto' && truncation !== 'disabled')
    throw requestError(
      'truncation',
      'truncation is neither auto nor disabled.',
      'Send one of them, or leave it out.',
      'unsupported_value',
    )
  if (typeof logprobs === 'number' && logprobs > 0)
    throw requestError('top_logprobs', 'top_logprobs is not supported here.', 'Leave it out.', 'unsupported_parameter')
  if (most !== undefined && most !== null && !(typeof most === 'number' && Number.isSafeInteger(most) && most > 0))
    throw requestError(
      'max_output_tokens',
      'max_output_tokens is not a whole number above 0.',
      'Send one, or leave it out.',
    )
  refuseIncluded(include)
}

const known: readonly string[] = [...read, ...passed]
const longestName = 64

function refuseIncluded(include: unknown): void {
  if (include === undefined || include === null) return
  if (!Array.isArray(include)) throw requestError('include', 'include is not a list.', 'Send a list, or leave it out.')
  const other = include.findIndex((name) => !includable.has(name))
  if (other >= 0)
    throw requestError(
      `include[${other}]`,
      `include[${other}] is not supported here.`,
      'Leave it out.',
      'unsupported_value',
    )
}

function unknownFieldError(name: string): MinutebookError {
  const near = nearestName(name, known)
  return requestError(
    name.slice(0, longestName),
    'This server does not know a field with this name.',
    near === undefined ? 'Leave it out.' : `Did you mean ${near}?`,
    'unknown_parameter',
  )
}

/** The value of a field, if it has one. */
function given(value: unknown): unknown {
  return value === undefined ? null : value
}

/** The fields of `reasoning` that the response repeats. */
function shownReasoning(value: unknown): object {
  const { effort = null, summary = null } = asObject(value)
  return { effort, summary }
}

/**
 * Functions in the form of a chat request. Other tools run on the original host, which is not available here.
 *
 * @example
 * chatTools([{ type: 'function', name: 'now', parameters: {}, strict: true }])
 */
export function chatTools(tools: unknown): readonly object[] {
  if (tools === undefined || tools === null) return []
  if (!Array.isArray(tools)) throw requestError('tools', 'tools is not a list.', 'Send a list of functions.')
  return tools.map((tool, index) => chatTool(asObject(tool), `tools[${index}]`))
}

function chatTool({ type, name, description, parameters, strict }: Fields, param: string): object {
  if (type !== 'function')
    throw requestError(
      `${param}.type`,
      `${param}.type is not function.`,
      'This server runs no hosted tools. Send functions, and run them yourself.',
      'unsupported_value',
    )
  if (typeof name !== 'string' || name === '')
    throw requestError(`${param}.name`, `${param}.name is missing.`, 'Name the function.')
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
  const { type, name, mode, tools } = asObject(choice)
  if (type === 'function' && typeof name === 'string') return { type, function: { name } }
  if (type === 'allowed_tools' && Array.isArray(tools)) {
    return {
      type,
      allowed_tools: {
        mode,
        tools: tools.map((tool) => ({ type: 'function', function: { name: asObject(tool)['name'] } })),
      },
    }
  }
  throw requestError(
    'tool_choice',
    'tool_choice is not supported here.',
    'Send auto, none, required, a function by its name, or allowed_tools.',
    'unsupported_value',
  )
}

/** A tool as the response repeats it, with all of its fields. */
function shownTool(tool: unknown): object {
  const { type, name, description = null, parameters = null, strict = null } = asObject(tool)
  return { type, name, description, parameters, strict }
}

/** What a response repeats of its request: much of it is the same from one response to the next. */
export type Terms = Readonly<Record<string, unknown>>

export function termsIn(fields: Fields): Terms {
  const { instructions, tools, tool_choice: choice, parallel_tool_calls: parallel, text, truncation } = fields
  return {
    instructions: given(instructions),
    tools: Array.isArray(tools) ? tools.map(shownTool) : [],
    tool_choice: choice ?? 'auto',
    parallel_tool_calls: parallel ?? true,
    text: { format: { type: 'text' }, ...(typeof text === 'object' && text) },
    truncation: truncation ?? 'auto',
    reasoning: shownReasoning(fields['reasoning']),
    temperature: given(fields['temperature']),
    top_p: given(fields['top_p']),
    top_logprobs: 0,
    max_output_tokens: given(fields['max_output_tokens']),
    max_tool_calls: given(fields['max_tool_calls']),
    service_tier: given(fields['service_tier']),
    prompt_cache_key: given(fields['prompt_cache_key']),
    safety_identifier: given(fields['safety_identifier']),
    user: given(fields['user']),
  }
}
