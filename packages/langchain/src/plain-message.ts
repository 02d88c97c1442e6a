// Between LangChain's messages and the plain ones that the compiler reads.
import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
  type MessageContent,
} from '@langchain/core/messages'
import type { Message } from 'minutebook'

/** The message that a plain one was made from. The compiler carries it along when it shortens a message. */
const source: unique symbol = Symbol('source')

/** A message of LangChain as the compiler reads it. */
export interface PlainMessage extends Message {
  readonly [source]?: BaseMessage
}

/** A call as the compiler reads it. It keeps or drops calls, and may change their ids and the form of the arguments. */
interface PlainCall {
  readonly id?: string
  readonly function: { readonly name: string; readonly arguments: unknown }
}

type Block = Exclude<MessageContent, string>[number]

const roles: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['function', 'tool'],
])

/** Providers repeat calls as blocks of the content. They are counted once, as calls. */
const callBlocks: ReadonlySet<string> = new Set(['tool_use', 'tool_call', 'tool_call_chunk', 'input_json_delta'])

/** A message as the compiler reads it. */
export function plainMessageOf(message: BaseMessage): PlainMessage {
  const plain = { role: roleOf(message), content: withoutCalls(message.content), [source]: message }
  if (AIMessage.isInstance(message) && message.tool_calls?.length)
    return {
      ...plain,
      tool_calls: message.tool_calls.map(({ id, name, args }): PlainCall => ({
        ...(id !== undefined && { id }),
        function: { name, arguments: args },
      })),
    }
  if (ToolMessage.isInstance(message)) return { ...plain, tool_call_id: message.tool_call_id }
  return plain
}

/** A message of a model that has roles of its own says which. */
function roleOf(message: BaseMessage): string {
  const { type } = message
  if (type === 'generic' && 'role' in message) return String(message.role)
  return roles.get(type) ?? type
}

function withoutCalls(content: MessageContent): MessageContent {
  return typeof content === 'string' ? content : content.filter(({ type }) => !callBlocks.has(String(type)))
}

/**
 * A message that the compiler changed or made. It has no id and nothing of what the provider said of the answer: with
 * these, a provider would send or look up the whole message, and a state would overwrite it.
 */
export function shortened(plain: PlainMessage): BaseMessage {
  const { role, tool_call_id: answered } = plain
  const original = plain[source]
  const { tool_calls: _, function_call: __, ...kwargs } = original?.additional_kwargs ?? {}
  const fields = {
    content: contentOf(plain, original),
    additional_kwargs: kwargs,
    ...(original?.name !== undefined && { name: original.name }),
  }
  if (role === 'assistant') return new AIMessage({ ...fields, tool_calls: callsOf(plain).map(calledAs) })
  if (role === 'tool')
    return new ToolMessage({
      ...fields,
      tool_call_id: String(answered),
      ...(ToolMessage.isInstance(original) && original.status !== undefined && { status: original.status }),
    })
  return role === 'user' ? new HumanMessage(fields) : new SystemMessage(fields)
}

function callsOf({ tool_calls: calls }: PlainMessage): readonly PlainCall[] {
  return (calls ?? []) as readonly PlainCall[]
}

function calledAs({
  id,
  function: { name, arguments: given },
}: PlainCall): NonNullable<AIMessage['tool_calls']>[number] {
  const args = (typeof given === 'string' ? JSON.parse(given) : given) as Record<string, unknown>
  return { type: 'tool_call', name, args, ...(id !== undefined && { id }) }
}

/** The new text, with the other blocks in their order: reasoning stays before it, calls that are kept stay behind it. */
function contentOf(plain: PlainMessage, original: BaseMessage | undefined): MessageContent {
  const content = (plain.content ?? '') as MessageContent
  const whole = original?.content
  if (whole === undefined || typeof whole === 'string') return content
  const kept = new Set(callsOf(plain).map(({ id }) => id))
  const calls = whole.filter(({ type, id }) => callBlocks.has(String(type)) && kept.has(id as string))
  const blocks: readonly Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const first = whole.findIndex(({ type }) => type === 'text')
  const leading = new Set(whole.slice(0, Math.max(first, 0)))
  const before = blocks.filter((block) => leading.has(block))
  const after = blocks.filter((block) => !leading.has(block))
  return before.length + calls.length === 0 ? content : [...before, ...after, ...calls]
}
