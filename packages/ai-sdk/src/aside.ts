import type { Message } from 'minutebook'
import type { CallOptions, PromptMessage } from './sdk-types.ts'
import { toPrompt } from './to-model.ts'

/**
 * A compiled prompt for a provider. What the compiler put between the messages (an outline, a marker, what was
 * recalled) stands in the user's message beside it: most providers refuse a system message further down. What it put at
 * the head, such as notes, stays a system message after the caller's.
 */
export function promptWithAsides(messages: readonly Message[], incoming: ReadonlySet<Message>): CallOptions['prompt'] {
  const head = messages.findIndex(({ role }) => role !== 'system')
  const isAside = (message: Message, index: number): boolean => message.role === 'system' && index > head && head >= 0 && !incoming.has(message)
  const done: { message: PromptMessage; ours: boolean }[] = []
  let run: Message[] = []
  const flush = (): void => {
    for (const message of toPrompt(run)) add(message, false)
    run = []
  }
  const add = (message: PromptMessage, ours: boolean): void => {
    const last = done.at(-1)
    const joins = last?.message.role === 'user' && message.role === 'user' && (last.ours || ours)
    if (joins) done.splice(-1, 1, { message: joined(last.message as UserMessage, message), ours: last.ours && ours })
    else done.push({ message, ours })
  }
  for (const [index, message] of messages.entries()) {
    if (!isAside(message, index)) {
      run.push(message)
      continue
    }
    flush()
    add({ role: 'user', content: [{ type: 'text', text: String(message.content) }] }, true)
  }
  flush()
  return done.map(({ message }) => message)
}

type UserMessage = Extract<PromptMessage, { role: 'user' }>

function joined(first: UserMessage, second: UserMessage): UserMessage {
  return { ...first, ...second, content: [...first.content, ...second.content] }
}
