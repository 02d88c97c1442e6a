import { readMessage, type Message } from '../log/message.ts'
import type { Draft } from '../record/draft.ts'

/**
 * Messages from elsewhere as a log may take them. What they say of themselves proves nothing: their origin is `import`,
 * and a system message counts as a user's words unless whoever passes it on vouches for it.
 */
export function adopted(messages: readonly Message[], trusted: boolean): Draft[] {
  return messages.map((message) => {
    const { kind } = readMessage(message)
    if (kind !== 'system') return { message, facts: { origin: 'import' } }
    return trusted ? { message } : { message: { ...message, role: 'user' }, facts: { origin: 'import' } }
  })
}
