import type { BaseMessage } from '@langchain/core/messages'
import { compile, type CompileOptions } from 'minutebook'
import { plainMessageOf, shortened, type PlainMessage } from './plain-message.ts'

/**
 * Fits a conversation of LangChain's messages into a context window. A message that is sent whole is the same object
 * that was passed. One that is shortened, and what the compiler adds, is a new message without an id. Takes the options
 * of `compile`, and throws its errors: `window_overflow` if the required messages do not fit.
 *
 * @example
 * const answer = await model.invoke(fitMessages(messages, { window: 8192 }))
 */
export function fitMessages(messages: readonly BaseMessage[], options: CompileOptions): BaseMessage[] {
  const originals = new Map<PlainMessage, BaseMessage>(messages.map((message) => [plainMessageOf(message), message]))
  const fitted = compile([...originals.keys()], options).messages
  const head = fitted.findIndex(({ role }) => role !== 'system')
  return fitted.map((message, index) => originals.get(message) ?? shortened(asAside(message, index > head)))
}

/**
 * What the compiler puts between messages, such as the marker, becomes a user message: many providers refuse a system
 * message further down.
 */
function asAside(message: PlainMessage, isAfterHead: boolean): PlainMessage {
  return message.role === 'system' && isAfterHead ? { ...message, role: 'user' } : message
}
