import { deepest, isTooDeep } from '../log/canonical.ts'
import { MinutebookError } from '../log/error.ts'
import type { Message } from '../log/message.ts'

/**
 * The message as a log can keep it: plain JSON, so that what is read later is what is used now.
 * Throws `malformed_message` for what JSON cannot hold.
 */
export function recordable(message: Message): Message {
  if (isTooDeep(message)) throw malformed(`it nests more than ${deepest} levels deep`, 'pass deep values as JSON text')
  if (holdsBytes(message)) throw malformed('it holds bytes', 'pass images as base64 texts')
  try {
    return JSON.parse(JSON.stringify(message)) as Message
  } catch {
    throw malformed('JSON cannot hold it', 'pass texts, numbers, lists and plain objects')
  }
}

function holdsBytes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || Object.values(value).some(holdsBytes)
}

function malformed(what: string, fix: string): MinutebookError {
  return new MinutebookError('malformed_message', `The message cannot be recorded: ${what}; ${fix}.`, { what, fix })
}
