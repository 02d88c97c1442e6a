import { fieldsOf } from '../models/wire.ts'

/**
 * What is wrong with the shape of messages for a server of this protocol, in words; undefined where nothing is.
 * Written from the server's side, and stricter than most: a field that a server would ignore is a loss that nobody sees.
 *
 * @example
 * expect(findMisshapen(toOpenAi(messages), 'openai')).toBeUndefined()
 */
export function findMisshapen(messages: readonly unknown[], wire: 'ollama' | 'openai'): string | undefined {
  const check = wire === 'ollama' ? ollamaFault : openAiFault
  for (const [index, message] of messages.entries()) {
    const fault = typeof message === 'object' && message !== null ? check(message) : 'not an object'
    if (fault) return `message ${index}: ${fault}`
  }
  return undefined
}

function ollamaFault(message: object): string | undefined {
  const { role, content, images, tool_calls: calls, thinking } = fieldsOf(message)
  if (!['system', 'user', 'assistant', 'tool'].includes(String(role))) return 'role is none of system, user, assistant, tool'
  if (isGiven(content) && typeof content !== 'string') return 'content is not a text'
  if (isGiven(thinking) && typeof thinking !== 'string') return 'thinking is not a text'
  if (isGiven(images) && !(Array.isArray(images) && images.every(isBase64))) return 'images is not a list of base64 texts'
  if (isGiven(fieldsOf(message)['reasoning_content'])) return 'reasoning_content is unknown here'
  if (!isGiven(calls)) return undefined
  return Array.isArray(calls) ? calls.map(ollamaCallFault).find((fault) => fault !== undefined) : 'tool_calls is not a list'
}

function ollamaCallFault(call: unknown): string | undefined {
  const { name, arguments: given } = fieldsOf(fieldsOf(call)['function'])
  if (typeof name !== 'string' || name === '') return 'a call has no function name'
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? undefined : 'the arguments of a call are not an object'
}

function openAiFault(message: object): string | undefined {
  const { role, content, images, thinking, tool_calls: calls, tool_call_id: id } = fieldsOf(message)
  if (!['system', 'developer', 'user', 'assistant', 'tool'].includes(String(role))) return 'role is none of system, developer, user, assistant, tool'
  if (isGiven(images)) return 'images is unknown here'
  if (isGiven(thinking)) return 'thinking is unknown here'
  if (role === 'tool' && (typeof id !== 'string' || id === '')) return 'a result has no tool_call_id'
  if (!isGiven(content) && role !== 'assistant') return 'content is missing'
  if (isGiven(content) && typeof content !== 'string' && !isPartList(content)) return 'content is neither a text nor a list of parts'
  if (calls === undefined) return undefined
  return Array.isArray(calls) && calls.length > 0 ? calls.map(openAiCallFault).find((fault) => fault !== undefined) : 'tool_calls is not a list of calls'
}

function openAiCallFault(call: unknown): string | undefined {
  const { id, type, function: called, custom } = fieldsOf(call)
  if (typeof id !== 'string' || id === '') return 'a call has no id'
  if (type === 'custom' && typeof fieldsOf(custom)['name'] === 'string') return undefined
  if (type !== 'function' || typeof fieldsOf(called)['name'] !== 'string') return 'a call has no function name'
  if (fieldsOf(called)['index'] !== undefined) return 'a call has an index'
  return typeof fieldsOf(called)['arguments'] === 'string' ? undefined : 'the arguments of a call are not a text'
}

function isPartList(content: unknown): boolean {
  return Array.isArray(content) && content.length > 0 && content.every(isPart)
}

function isPart(part: unknown): boolean {
  const { type, text, image_url: image } = fieldsOf(part)
  if (type === 'text') return typeof text === 'string'
  if (type === 'image_url') return typeof fieldsOf(image)['url'] === 'string'
  return typeof type === 'string'
}

function isBase64(text: unknown): boolean {
  return typeof text === 'string' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
