import { asObject, isGiven, type Fields } from '../http/json.ts'
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

/** Values that add nothing to an answer, or are in it anyway. */
const includable: ReadonlySet<unknown> = new Set(['reasoning.encrypted_content', 'message.input_image.image_url'])

const known: ReadonlySet<string> = new Set([...read, ...passed])

/**
 * Which fields of a request are left out? Those that are unknown here: without them the answer is still what was asked
 * for. Throws for the first field that cannot be left out without changing that.
 *
 * @example
 * ignoredFields({ model: 'a', input: 'Hello', client_metadata: {} }) // ['client_metadata']
 */
export function ignoredFields(fields: Fields): readonly string[] {
  refuseBackground(fields)
  refuseOthers(fields)
  const others = Object.entries(fields).filter(([name, value]) => isGiven(value) && !known.has(name))
  return [...others.map(([name]) => name), ...ignoredIncludes(fields['include'])]
}

/** Throws if the response is to be made after the request. */
export function refuseBackground({ background }: Fields): void {
  if (background === true)
    throw requestError(
      'background',
      'background is not supported here: a response is complete when its request ends.',
      'Leave it out, or use a turn of /minutebook/v1, which continues by itself.',
      'unsupported_parameter',
    )
}

function refuseOthers(fields: Fields): void {
  const { prompt, truncation = 'auto', top_logprobs: logprobs, max_output_tokens: most } = fields
  if (isGiven(prompt))
    throw requestError(
      'prompt',
      'prompt is not supported here: this server stores no prompts.',
      'Send instructions and input.',
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
  if (isGiven(most) && !(typeof most === 'number' && Number.isSafeInteger(most) && most > 0))
    throw requestError(
      'max_output_tokens',
      'max_output_tokens is not a whole number above 0.',
      'Send one, or leave it out.',
    )
}

function ignoredIncludes(include: unknown): readonly string[] {
  if (!isGiven(include)) return []
  if (!Array.isArray(include)) throw requestError('include', 'include is not a list.', 'Send a list, or leave it out.')
  return include.flatMap((name, index) => (includable.has(name) ? [] : [`include[${index}]`]))
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

/** The tools of a request: functions in the form of a chat request, and what is left out. */
export interface ChatTools {
  readonly functions: readonly object[]
  /** The same as they came. */
  readonly shown: readonly unknown[]
  readonly ignored: readonly string[]
}

/**
 * Functions are for the model. Tools of other types run on the original host, or need a form of call that chats do not
 * have: no program here could run them, so the model is not told of them.
 *
 * @example
 * chatTools([{ type: 'function', name: 'now', parameters: {} }, { type: 'web_search' }]).ignored // ['tools[1]=web_search']
 */
export function chatTools(tools: unknown): ChatTools {
  if (!isGiven(tools)) return { functions: [], shown: [], ignored: [] }
  if (!Array.isArray(tools)) throw requestError('tools', 'tools is not a list.', 'Send a list of functions.')
  const functions: object[] = []
  const ignored: string[] = []
  for (const [index, tool] of tools.entries()) {
    const fields = asObject(tool)
    if (isFunction(fields)) functions.push(chatTool(fields, `tools[${index}]`))
    else ignored.push(`tools[${index}]=${String(fields['type'])}`)
  }
  return { functions, shown: tools.filter(isFunction), ignored }
}

function isFunction(tool: unknown): boolean {
  return asObject(tool)['type'] === 'function'
}

function chatTool({ type, name, description, parameters, strict }: Fields, param: string): object {
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
        tools: tools
          .filter(isFunction)
          .map((tool) => ({ type: 'function', function: { name: asObject(tool)['name'] } })),
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

/** A tool as the response repeats it. A function has all of its fields. */
function shownTool(tool: unknown): object {
  if (!isFunction(tool)) return asObject(tool)
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
