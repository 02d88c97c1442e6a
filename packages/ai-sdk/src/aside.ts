import type { Message } from 'minutebook'
import type { CallOptions } from './sdk-types.ts'
import { toPrompt } from './to-model.ts'

/**
 * A compiled prompt for a provider. What the compiler put between the messages stands in user messages of its own: the
 * outline and what was recalled do anyway, and so do the marker and notes here, for most providers refuse a system
 * message further down. What it put at the head, such as notes, stays a system message after the caller's.
 */
export function promptWithAsides(messages: readonly Message[], incoming: ReadonlySet<Message>): CallOptions['prompt'] {
  const head = messages.findIndex(({ role }) => role !== 'system')
  const isAside = (message: Message, index: number): boolean =>
    message.role === 'system' && index > head && head >= 0 && !incoming.has(message)
  return toPrompt(
    messages.map((message, index) => (isAside(message, index) ? { role: 'user', content: message.content } : message)),
  )
}
