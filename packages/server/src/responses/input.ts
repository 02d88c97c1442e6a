import type { Message, MinutebookError } from 'minutebook'
import { asObject, isGiven, type Fields } from '../http/json.ts'
import { excessIn, excessInItems } from '../protocol/message-limits.ts'
import { requestError } from './problems.ts'

/**
 * The items of an input as messages of a chat. Consecutive calls become one message, together with the assistant's text
 * before them. Reasoning is left out, since no chat API accepts it.
 *
 * @example
 * chatMessages('Hello', 'input') // [{ role: 'user', content: 'Hello' }]
 */
export function chatMessages(input: unknown, param: string): Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  if (!Array.isArray(input))
    throw requestError(param, `${param} is neither a text nor a list of items.`, 'Send one of them.')
  checkItems(param, input)
  const messages: Growing[] = []
  for (const [index, item] of input.entries()) take(messages, asObject(item), `${param}[${index}]`)
  checkSize(param, messages)
  return messages
}

/** Throws if the messages are more than the server takes. `param`: the field with their items. */
export function checkSize(param: string, messages: readonly Message[]): void {
  const excess = excessIn(messages)
  if (excess) throw requestError(param, `${param} contains ${excess.what}.`, excess.fix)
}

/** Throws if there are more items than the server takes. */
export function checkItems(param: string, items: readonly unknown[]): void {
  const excess = excessInItems(items)
  if (excess) throw requestError(param, `${param} contains ${excess.what}.`, excess.fix)
}

/** A message to which calls may come. */
type Growing = Message & { tool_calls?: object[] }

function take(messages: Growing[], item: Fields, param: string): void {
  const { type = 'message' } = item
  switch (type) {
    case 'message':
      return void messages.push(messageOf(item, param))
    case 'function_call':
      return addCall(messages, callOf(item, param))
    case 'function_call_output':
      return void messages.push({
        role: 'tool',
        tool_call_id: named(item['call_id'], `${param}.call_id`),
        content: chatContent(item['output'], `${param}.output`),
      })
    case 'reasoning':
      return
    default:
      throw requestError(
        `${param}.type`,
        `${param}.type is not supported here.`,
        `Send messages, function_call, function_call_output, reasoning and, in a response's input, item_reference.`,
        'unsupported_value',
      )
  }
}

function messageOf({ role, content }: Fields, param: string): Growing {
  const known = typeof role === 'string' ? roles.get(role) : undefined
  if (known === undefined)
    throw requestError(
      `${param}.role`,
      `${param}.role is not user, assistant, system or developer.`,
      'Send one of them.',
    )
  const said = chatContent(content, `${param}.content`)
  if (known !== 'assistant') return { role: known, content: said }
  return { role: known, content: Array.isArray(said) ? said.map(shownText).join('') : said }
}

function shownText(part: unknown): string {
  const { text } = asObject(part)
  return typeof text === 'string' ? text : ''
}

/** The roles that most chat models know: a developer speaks as the system. */
const roles: ReadonlyMap<string, string> = new Map([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
])

function callOf({ call_id: id, name, arguments: given }: Fields, param: string): object {
  if (typeof given !== 'string')
    throw requestError(
      `${param}.arguments`,
      `${param}.arguments is not a text.`,
      'Send the JSON of the arguments as a text.',
    )
  return {
    id: named(id, `${param}.call_id`),
    type: 'function',
    function: { name: named(name, `${param}.name`), arguments: given },
  }
}

function addCall(messages: Growing[], call: object): void {
  const last = messages.at(-1)
  if (last?.role === 'assistant') (last.tool_calls ??= []).push(call)
  else messages.push({ role: 'assistant', content: null, tool_calls: [call] })
}

function named(value: unknown, param: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw requestError(param, `${param} is missing.`, 'Send it as a text.')
}

/**
 * The content of an input item for a chat message: a text if it is one, else parts.
 *
 * @example
 * chatContent([{ type: 'input_text', text: 'Hello' }], 'input[0].content') // 'Hello'
 */
function chatContent(content: unknown, param: string): unknown {
  if (typeof content === 'string') return content
  if (!Array.isArray(content))
    throw requestError(param, `${param} is neither a text nor a list of parts.`, 'Send one of them.')
  const parts = content.map((part, index) => chatPart(asObject(part), `${param}[${index}]`))
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' ? first.text : parts
}

interface ChatPart {
  readonly type: string
  readonly text?: string
  readonly image_url?: object
}

function chatPart(part: Fields, param: string): ChatPart {
  return readPart(part) ?? fail(partError(part, param))
}

/** A part of an input item for a chat message. Undefined if chats have no such part. */
export function readPart({ type, text, refusal, image_url: url, detail, file_id: file }: Fields): ChatPart | undefined {
  const said = type === 'refusal' ? refusal : textTypes.has(type) ? text : undefined
  if (typeof said === 'string') return { type: 'text', text: said }
  if (type !== 'input_image' || isGiven(file) || typeof url !== 'string' || url === '') return undefined
  return { type: 'image_url', image_url: { url, ...(typeof detail === 'string' && { detail }) } }
}

const textTypes: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'text'])

/** Why a part is none that chats have. */
function partError({ type, file_id: file }: Fields, param: string): MinutebookError {
  if (type === 'refusal' || textTypes.has(type))
    return requestError(
      `${param}.${type === 'refusal' ? type : 'text'}`,
      `${param}.${type === 'refusal' ? type : 'text'} is not a text.`,
      'Send a text.',
    )
  if (type !== 'input_image')
    return requestError(
      `${param}.type`,
      `${param}.type cannot be sent to a chat model here.`,
      'Send input_text, input_image, output_text or refusal.',
      'unsupported_value',
    )
  if (isGiven(file))
    return requestError(
      `${param}.file_id`,
      `${param}.file_id names a file, but this server stores no files.`,
      'Send the image as image_url: its address, or a data URL.',
      'unsupported_parameter',
    )
  return requestError(
    `${param}.image_url`,
    `${param}.image_url is missing.`,
    'Send the address of the image, or a data URL.',
  )
}

function fail(error: MinutebookError): never {
  throw error
}

/** The same for a client that reads it back. */
export function inputContent(content: unknown, isOutput: boolean): object[] {
  const kind = isOutput ? 'output_text' : 'input_text'
  const parts: readonly unknown[] = Array.isArray(content)
    ? content
    : typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : []
  return parts.map((part) => {
    const { text, image_url: image } = asObject(part)
    if (typeof part === 'string' || typeof text === 'string')
      return {
        type: kind,
        text: typeof part === 'string' ? part : text,
        ...(isOutput && { annotations: [], logprobs: [] }),
      }
    const { url = image, detail = 'auto' } = asObject(image)
    return { type: 'input_image', image_url: url, detail, file_id: null }
  })
}
