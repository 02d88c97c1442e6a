import type { Message, ToolCall } from './conversation.ts'

/** A message as chat clients send it. */
export interface WireMessage {
  readonly role: Message['role']
  readonly content: string | null
  readonly tool_calls?: readonly {
    readonly id: string
    readonly type: 'function'
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

export function toWire(message: Message): WireMessage {
  const { role, text, calls, answers } = message
  if (calls !== undefined) return { role, content: text, tool_calls: calls.map(callToWire) }
  if (answers !== undefined) return { role, content: text, tool_call_id: answers.id }
  return { role, content: text }
}

export function fromWire({ role, content, tool_calls: calls }: WireMessage): Message {
  if (calls === undefined) return { role, text: content ?? '' }
  return {
    role,
    text: content ?? '',
    calls: calls.map(({ id, function: called }) => ({
      id,
      name: called.name,
      input: JSON.parse(called.arguments) as ToolCall['input'],
    })),
  }
}

type WireCall = NonNullable<WireMessage['tool_calls']>[number]

function callToWire({ id, name, input }: ToolCall): WireCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}
