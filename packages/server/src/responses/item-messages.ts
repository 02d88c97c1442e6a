import type { Message } from 'minutebook'
import { toOpenAi } from 'minutebook/wire'
import { isDeepStrictEqual } from 'node:util'
import { asObject, isGiven, type Fields } from '../http/json.ts'
import { readPart } from './input.ts'

/**
 * Items of Responses as messages, and back, without loss: for an upstream that serves Responses itself. All that the
 * model said in a row is one message, so that reasoning, calls and text stay together. A message that cannot be written
 * as the same items again has them as `items`.
 *
 * @example
 * itemMessages([{ role: 'user', content: 'Hello' }]) // [{ role: 'user', content: 'Hello' }]
 */
export function itemMessages(input: unknown): Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  const messages: Message[] = []
  let said: Fields[] = []
  const flush = (): void => {
    if (said.length > 0) messages.push(saidMessage(said))
    said = []
  }
  for (const item of listOf(input)) {
    if (isSaid(item)) {
      said.push(item)
      continue
    }
    flush()
    messages.push(keeping(sentMessage(item), [item]))
  }
  flush()
  return messages
}

/** Everything that a model said in one answer, as one message. */
export function saidMessage(items: readonly Fields[]): Message {
  return keeping(spokenMessage(items), items)
}

/** Whether the host of the model ran a tool, so that its counts are of more than what was sent. */
export function ranTools(items: readonly Fields[]): boolean {
  return items.some((item) => String(item['type']).endsWith('_call') && callIdOf(item) === undefined)
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(asObject) : []
}

/** Whether an item is the model's. What is unknown is taken for the model's, unless it looks like a result. */
function isSaid({ type = 'message', role }: Fields): boolean {
  if (type === 'message' || role !== undefined) return role === 'assistant'
  return !isResult(type) && type !== 'compaction'
}

function isResult(type: unknown): boolean {
  return String(type).endsWith('_output') || type === 'mcp_approval_response'
}

function keeping(message: Message, items: readonly Fields[]): Message {
  return isDeepStrictEqual(plainItems(message), items) ? message : ({ ...message, items } as Message)
}

function spokenMessage(items: readonly Fields[]): Message {
  const answered = new Set(items.filter(({ type }) => isResult(type)).map(({ call_id: id }) => id))
  const texts = items.filter(({ type = 'message' }) => type === 'message').map(({ content }) => textIn(content))
  const calls = items.flatMap((item) => (answered.has(callIdOf(item)) ? [] : callIn(item)))
  const reasoning = items.filter(({ type }) => type === 'reasoning').map(thoughtsIn)
  const [text, thoughts] = [texts, reasoning].map((all) => all.filter((one) => one !== '').join('\n\n'))
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(thoughts !== '' && { reasoning_content: thoughts }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function sentMessage(item: Fields): Message {
  const { type = 'message', role, content } = item
  const id = item['call_id'] ?? item['approval_request_id']
  if (isResult(type) && typeof id === 'string') {
    const { approve, reason, output = JSON.stringify({ approve, reason }) } = item
    return { role: 'tool', tool_call_id: id, content: contentOf(output) }
  }
  if (type === 'message' && roles.has(role)) return { role: String(role), content: contentOf(content) }
  // It replaces earlier items, so it must not be dropped: system messages never are.
  return { role: type === 'compaction' ? 'developer' : 'user', content: [item] }
}

const roles: ReadonlySet<unknown> = new Set(['user', 'system', 'developer'])

function contentOf(content: unknown): unknown {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map(partOf) : isGiven(content) ? [content] : ''
}

/** A part that chats have, or the part as it is. */
function partOf(part: unknown): unknown {
  return readPart(asObject(part)) ?? part
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map(({ text, refusal }) => text ?? refusal)
    .filter((text) => typeof text === 'string')
    .join('')
}

function thoughtsIn({ content, summary }: Fields): string {
  return (
    textIn(content) ||
    listOf(summary)
      .map(({ text }) => String(text))
      .join('\n\n')
  )
}

/** By which the result of a call names it. Undefined for anything else, and for what the model's host runs. */
function callIdOf({ type, call_id: called, id }: Fields): string | undefined {
  const named = type === 'mcp_approval_request' ? id : called
  return typeof named === 'string' && !isResult(type) ? named : undefined
}

function callIn(item: Fields): object[] {
  const id = callIdOf(item)
  const { type, name, arguments: given, input, action } = item
  if (id === undefined) return []
  if (type === 'custom_tool_call') return [{ id, type: 'custom', custom: { name: String(name), input } }]
  const written = given ?? input ?? action ?? {}
  const text = typeof written === 'string' ? written : JSON.stringify(written)
  return [{ id, type: 'function', function: { name: typeof name === 'string' ? name : String(type), arguments: text } }]
}

/**
 * The items of a prompt. If a message still says what its items say, these are sent. If not, items are made of it, without its
 * reasoning, and without ids that would need that.
 */
export function messageItems(messages: readonly Message[]): Fields[] {
  const types = new Map<unknown, string>()
  return messages.flatMap((message) => {
    const items = listOf(asObject(message)['items'])
    const written = items.length > 0 && isSame(message, items) ? sendable(items) : plainItems(message, items, types)
    for (const item of written) if (callIdOf(item) !== undefined) types.set(callIdOf(item), String(item['type']))
    return written
  })
}

function isSame(message: Message, items: readonly Fields[]): boolean {
  const [first] = items
  const said = message.role === 'assistant' || !first ? spokenMessage(items) : sentMessage(first)
  // In the shape of a prompt, without items.
  return isDeepStrictEqual(toOpenAi([message]), toOpenAi([said]))
}

function plainItems(
  message: Message,
  items: readonly Fields[] = [],
  types: ReadonlyMap<unknown, string> = new Map(),
): Fields[] {
  const { role, content, tool_calls: calls, tool_call_id: id } = message
  if (role === 'tool') {
    const type = `${types.get(id) ?? 'function_call'}_output`
    return [{ type, call_id: id, ...items[0], output: writtenContent(content) }]
  }
  if (role !== 'assistant') {
    const written = writtenContent(content)
    return [typeof written === 'string' ? { role, content: written } : { type: 'message', role, content: written }]
  }
  const text = textIn(content)
  return [
    ...(text === '' && Array.isArray(calls) ? [] : [{ role, content: text }]),
    ...plainCalls(listOf(calls), items),
  ]
}

function plainCalls(calls: readonly Fields[], items: readonly Fields[]): Fields[] {
  // Of several items with one id, the first counts.
  const known = new Map(items.map((item): [unknown, Fields] => [callIdOf(item), item]).toReversed())
  return calls.map((call) => plainCall(call, known.get(call['id'])))
}

function plainCall({ id, function: called, custom }: Fields, known: Fields | undefined): Fields {
  if (known) return withoutId(known)
  const { name, arguments: given, input } = asObject(called ?? custom)
  return custom
    ? { type: 'custom_tool_call', call_id: id, name, input }
    : { type: 'function_call', call_id: id, name, arguments: given }
}

function writtenContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? ''
  return content.map((part: unknown) => {
    const { type: kind, text, image_url: image } = asObject(part)
    if (kind === 'text') return { type: 'input_text', text }
    return kind === 'image_url' ? imageItem(asObject(image)) : part
  })
}

function imageItem({ url, detail }: Fields): Fields {
  return { type: 'input_image', image_url: url, ...(detail !== undefined && { detail }) }
}

/**
 * The items that a server which stores nothing accepts: reasoning without content is only the name of what another
 * server stored, and reasoning that nothing follows is refused. What followed it then goes without its id.
 */
export function sendable(items: readonly Fields[]): Fields[] {
  let isLost = false
  return items.flatMap((item, index) => {
    const next = items[index + 1]
    if (item['type'] === 'reasoning') {
      isLost = isHollow(item) || !next || !isSaid(next)
      return isLost ? [] : [item]
    }
    if (!isSaid(item)) isLost = false
    return [isLost ? withoutId(item) : item]
  })
}

/** Whether reasoning has no content of its own. */
export function isHollow(item: unknown): boolean {
  const { type, encrypted_content: sealed, content } = asObject(item)
  return type === 'reasoning' && typeof sealed !== 'string' && listOf(content).length === 0
}

function withoutId({ id, ...item }: Fields): Fields {
  return item['type'] === 'mcp_approval_request' ? { id, ...item } : item
}
