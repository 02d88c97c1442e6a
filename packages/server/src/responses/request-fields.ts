import { nearestName } from 'minutebook/inspect'
import { fieldsOf, type Fields } from '../fields.ts'
import { unusable } from './problem.ts'

/** Fields that chats have under the same name: they go on as they came. */
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

/** Fields of what only its host can do, and what to do in their place. */
const hosted: ReadonlyMap<string, string> = new Map([
  ['prompt', 'Prompts are not kept here. Send instructions and input.'],
  ['context_management', 'Long conversations are fitted into the window by themselves. Leave it out.'],
  ['moderation', 'Nothing is moderated here. Leave it out.'],
  ['access_programs', 'There are none here. Leave it out.'],
  ['image', 'No images are made here. Leave it out.'],
  ['prompt_cache_options', 'The upstream keeps its cache by itself. Leave it out.'],
])

/** Adds nothing to an answer, or is in it anyway. */
const includable: ReadonlySet<unknown> = new Set(['reasoning.encrypted_content', 'message.input_image.image_url'])

/** Throws for the first field that asks for what is not done here. */
export function refuseOthers(fields: Fields): void {
  for (const [name, value] of Object.entries(fields)) {
    const instead = hosted.get(name)
    if (instead !== undefined && value !== undefined && value !== null)
      throw unusable(name, `${name} is not done here. ${instead}`, 'unsupported_parameter')
    if (instead === undefined && !known.includes(name))
      throw unusable(name.slice(0, longestName), unknownText(name), 'unknown_parameter')
  }
  const { background, truncation = 'auto', include, top_logprobs: logprobs, max_output_tokens: most } = fields
  if (background === true)
    throw unusable(
      'background',
      'background is not done here: a response is there when its request ends. Leave it out, or use a turn of /minutebook/v1, which goes on by itself.',
      'unsupported_parameter',
    )
  if (truncation !== null && truncation !== 'auto' && truncation !== 'disabled')
    throw unusable(
      'truncation',
      'truncation is neither auto nor disabled. Send one of them, or leave it out.',
      'unsupported_value',
    )
  if (typeof logprobs === 'number' && logprobs > 0)
    throw unusable('top_logprobs', 'top_logprobs is not done here. Leave it out.', 'unsupported_parameter')
  if (most !== undefined && most !== null && !(typeof most === 'number' && Number.isSafeInteger(most) && most > 0))
    throw unusable('max_output_tokens', 'max_output_tokens is no whole number above 0. Send one, or leave it out.')
  refuseIncluded(include)
}

const known: readonly string[] = [...read, ...passed]
const longestName = 64

function refuseIncluded(include: unknown): void {
  if (include === undefined || include === null) return
  if (!Array.isArray(include)) throw unusable('include', 'include is no list. Send a list, or leave it out.')
  const other = include.findIndex((name) => !includable.has(name))
  if (other >= 0)
    throw unusable(
      `include[${other}]`,
      `include[${other}] is of what only its host can do. Leave it out.`,
      'unsupported_value',
    )
}

function unknownText(name: string): string {
  const near = nearestName(name, known)
  return near === undefined
    ? 'A field of this name is not known here. Leave it out.'
    : `A field of this name is not known here. Did you mean ${near}?`
}

/** What a field says where it says anything. */
export function given(value: unknown): unknown {
  return value === undefined ? null : value
}

/** The fields of `reasoning` that are told back. */
export function shownReasoning(value: unknown): object {
  const { effort = null, summary = null } = fieldsOf(value)
  return { effort, summary }
}
