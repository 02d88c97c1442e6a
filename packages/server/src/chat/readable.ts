import type { Message } from 'minutebook'
import type { Fields } from '../fields.ts'
import { fieldsOf } from '../fields.ts'
import { folded } from './json-span.ts'

/** Whether a record can hold these messages as the upstream will understand them. */
export function areReadable(messages: readonly Fields[]): messages is readonly (Fields & Message)[] {
  return messages.every(isReadable)
}

function isReadable(message: Fields): boolean {
  const { role, content, images, tool_calls: calls } = message
  if (typeof role !== 'string' || !roles.has(role.toLowerCase())) return false
  if (Object.keys(message).some(isDisguised)) return false
  if (isGiven(content) && typeof content !== 'string' && !Array.isArray(content)) return false
  if (isGiven(images) && !(Array.isArray(images) && images.every((image) => typeof image === 'string'))) return false
  return !isGiven(calls) || (Array.isArray(calls) && calls.every(isCall))
}

const roles: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** A field of another letter case: some servers take it for the one that it looks like, others for none. */
function isDisguised(name: string): boolean {
  const plain = folded(name)
  return plain !== name && names.has(plain)
}

const names: ReadonlySet<string> = new Set([
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
  const { function: called, custom } = fieldsOf(call)
  return typeof fieldsOf(called ?? custom)['name'] === 'string'
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
