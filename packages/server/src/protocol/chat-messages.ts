import type { Message } from 'minutebook'
import { asObject, isGiven, type Fields } from '../http/json.ts'
import { isDisguised } from './json-members.ts'
import type { ReadMessages } from './protocol.ts'

/**
 * The messages of OpenAI's or Ollama's chats, if the record can hold them as the upstream will read them. Undefined for
 * a role that no server knows, a call without a name, and names of fields in another letter case. `fields`: those that a
 * request also has if other messages are sent.
 */
export function readChatMessages(
  list: readonly Fields[],
  fields: Readonly<Record<string, string>> = {},
): ReadMessages | undefined {
  if (!list.every(isReadable)) return undefined
  return {
    messages: list as readonly (Fields & Message)[],
    rewritten: (others) => ({ messages: JSON.stringify(others), ...fields }),
  }
}

function isReadable(message: Fields): boolean {
  const { role, content, images, tool_calls: calls } = message
  if (typeof role !== 'string' || !roles.has(role.toLowerCase())) return false
  if (Object.keys(message).some((name) => isDisguised(name, messageNames))) return false
  if (isGiven(content) && typeof content !== 'string' && !Array.isArray(content)) return false
  if (isGiven(images) && !(Array.isArray(images) && images.every((image) => typeof image === 'string'))) return false
  return !isGiven(calls) || (Array.isArray(calls) && calls.every(isCall))
}

const roles: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

const messageNames: ReadonlySet<string> = new Set([
  'role',
  'content',
  'images',
  'tool_calls',
  'tool_name',
  'tool_call_id',
  'name',
  'thinking',
  'reasoning',
  'reasoning_content',
  'refusal',
  'function_call',
])

function isCall(call: unknown): boolean {
  const { function: called, custom } = asObject(call)
  return typeof asObject(called ?? custom)['name'] === 'string'
}
