import type { WireMessage } from '../wire-message.ts'

interface Part {
  readonly type: string
  readonly text?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly output?: { readonly type: 'text'; readonly value: string }
}
export interface ModelMessage {
  readonly role: WireMessage['role']
  readonly content: string | readonly Part[]
}
interface AiSdk {
  pruneMessages(options: {
    readonly messages: ModelMessage[]
    readonly reasoning: 'before-last-message'
    readonly toolCalls: 'before-last-2-messages'
    readonly emptyMessages: 'remove'
  }): ModelMessage[]
}

export interface AiSdkPruner {
  prune(messages: readonly WireMessage[]): WireMessage[]
}

/** The options are those of the example in its documentation. */
export async function loadAiSdk(): Promise<AiSdkPruner> {
  const sdk = (await import(String('ai'))) as AiSdk
  return {
    prune: (messages) =>
      sdk
        .pruneMessages({
          messages: toModelMessages(messages),
          reasoning: 'before-last-message',
          toolCalls: 'before-last-2-messages',
          emptyMessages: 'remove',
        })
        .flatMap(fromModel),
  }
}

/** As the SDK has them: all results of one message are parts of one message. */
function toModelMessages(messages: readonly WireMessage[]): ModelMessage[] {
  const converted: ModelMessage[] = []
  for (const message of messages) {
    const last = converted.at(-1)
    if (message.role !== 'tool') converted.push(toModel(message))
    else if (last?.role === 'tool' && typeof last.content !== 'string')
      converted.splice(-1, 1, { role: 'tool', content: [...last.content, toResult(message)] })
    else converted.push({ role: 'tool', content: [toResult(message)] })
  }
  return converted
}

function toResult({ content, tool_call_id: id = '' }: WireMessage): Part {
  return {
    type: 'tool-result',
    toolCallId: id,
    toolName: 'look_up',
    output: { type: 'text', value: content ?? '' },
  }
}

function toModel({ role, content, tool_calls: calls }: WireMessage): ModelMessage {
  if (calls === undefined) return { role, content: content ?? '' }
  return {
    role,
    content: [
      ...(content === null ? [] : [{ type: 'text', text: content }]),
      ...calls.map((call) => ({
        type: 'tool-call',
        toolCallId: call.id,
        toolName: call.function.name,
        input: JSON.parse(call.function.arguments) as unknown,
      })),
    ],
  }
}

function fromModel({ role, content }: ModelMessage): WireMessage[] {
  if (typeof content === 'string') return [{ role, content }]
  if (role === 'tool')
    return content.map(({ toolCallId = '', output }) => ({
      role,
      content: output?.value ?? '',
      tool_call_id: toolCallId,
    }))
  const calls = content.filter(({ type }) => type === 'tool-call')
  const text = content.find(({ type }) => type === 'text')?.text ?? null
  if (calls.length === 0) return [{ role, content: text }]
  return [
    {
      role,
      content: text,
      tool_calls: calls.map(({ toolCallId = '', toolName = '', input }) => ({
        id: toolCallId,
        type: 'function',
        function: { name: toolName, arguments: JSON.stringify(input) },
      })),
    },
  ]
}
