import type { Message } from 'minutebook'
import { excessIn } from '../chat/excess.ts'
import { fieldsOf, type Fields } from '../fields.ts'
import { chatContent } from './content.ts'
import { unusable } from './problem.ts'

/**
 * The items of an input as messages of a chat. Calls that stand in a row are one message's, together with the
 * assistant's text before them; thoughts are left out, since no chat takes them back.
 *
 * @example
 * chatMessages('Hello', 'input') // [{ role: 'user', content: 'Hello' }]
 */
export function chatMessages(input: unknown, param: string): Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  if (!Array.isArray(input)) throw unusable(param, `${param} is neither a text nor a list of items. Send one of them.`)
  const messages: Growing[] = []
  for (const [index, item] of input.entries()) take(messages, fieldsOf(item), `${param}[${index}]`)
  const excess = excessIn(messages)
  if (excess !== undefined) throw unusable(param, `${param} holds ${excess}`)
  return messages
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
      throw unusable(
        `${param}.type`,
        `${param}.type is none that is done here. Send messages, function_call, function_call_output, reasoning and, in a response's input, item_reference.`,
        'unsupported_value',
      )
  }
}

function messageOf({ role, content }: Fields, param: string): Growing {
  const known = typeof role === 'string' ? roles.get(role) : undefined
  if (known === undefined)
    throw unusable(`${param}.role`, `${param}.role is none of user, assistant, system and developer. Send one of them.`)
  const said = chatContent(content, `${param}.content`)
  if (known !== 'assistant') return { role: known, content: said }
  return { role: known, content: Array.isArray(said) ? said.map(textIn).join('') : said }
}

function textIn(part: unknown): string {
  const { text } = fieldsOf(part)
  return typeof text === 'string' ? text : ''
}

/** What most chat models know: a developer speaks as the system. */
const roles: ReadonlyMap<string, string> = new Map([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
])

function callOf({ call_id: id, name, arguments: given }: Fields, param: string): object {
  if (typeof given !== 'string')
    throw unusable(`${param}.arguments`, `${param}.arguments is no text. Send the JSON of the arguments as a text.`)
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
  throw unusable(param, `${param} is missing. Send it as a text.`)
}
