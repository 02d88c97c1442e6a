import { sha256 } from '../log/hash.ts'
import { argumentsText, type Call, type Content, type Message } from '../log/message.ts'
import { callIds } from './call-ids.ts'
import { fieldsOf, mapSame, unsent, withFields, type Fields } from './fields.ts'
import { imageAddress, partAddress } from './image.ts'
import { paired, type Paired } from './pairs.ts'

/**
 * Messages of any recorded shape as OpenAI's chat protocol takes them. A message that has that shape is returned as the
 * very same object. Calls without an id get one that depends on nothing but what they say; their results repeat it.
 *
 * @example
 * toOpenAi([{ role: 'user', content: 'What is this?', images: ['iVBORw0KGgo='] }])
 * // [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] }]
 */
export function toOpenAi(messages: readonly Message[]): Message[] {
  const pairs = paired(messages)
  const ids = callIds(pairs.flatMap(({ content }) => content.calls))
  return pairs.map((pair) => encoded(pair, ids))
}

type Ids = ReadonlyMap<Call, string>

function encoded({ message, content, answers }: Paired, ids: Ids): Message {
  const fields = fieldsOf(message)
  const role = message.role.toLowerCase()
  return withFields(message, {
    role: role === 'function' ? 'tool' : role,
    content: contentOf(fields, content),
    images: undefined,
    ...unsent,
    ...(content.kind === 'assistant' && assistantFields(fields, content, ids)),
    ...(content.kind === 'tool' && resultFields(fields, content, answers, ids)),
  })
}

function contentOf(fields: Fields, { kind, calls }: Content): unknown {
  const { content, images } = fields
  const parts = Array.isArray(content) ? mapSame(content, partOf) : undefined
  if (Array.isArray(images) && images.length > 0) return [...(parts ?? textParts(content)), ...images.map(imagePart)]
  if (parts) return parts.length > 0 ? parts : ''
  const wordless = kind === 'assistant' && (calls.length > 0 || otherAnswers.some((name) => isGiven(fields[name])))
  return typeof content === 'string' || wordless ? content : ''
}

/** What an assistant may have instead of text and calls. */
const otherAnswers: readonly string[] = ['refusal', 'audio', 'function_call']

function partOf(part: unknown): unknown {
  if (typeof part === 'string') return { type: 'text', text: part }
  const fields = fieldsOf(part)
  if (typeof fields['image_url'] === 'string') return { ...fields, image_url: { url: partAddress(part) } }
  if (fields['type'] === undefined && typeof fields['text'] === 'string') return { type: 'text', ...fields }
  return part
}

function textParts(content: unknown): unknown[] {
  return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : []
}

function imagePart(image: unknown): unknown {
  return { type: 'image_url', image_url: { url: imageAddress(image) } }
}

function assistantFields(fields: Fields, content: Content, ids: Ids): Fields {
  const { tool_calls: calls, thinking, reasoning } = fields
  return {
    tool_calls: Array.isArray(calls) && calls.length > 0 ? mapSame(calls, (raw, index) => callOf(raw, content.calls[index]!, ids)) : undefined,
    ...(typeof thinking === 'string' && {
      thinking: undefined,
      reasoning: typeof reasoning === 'string' ? undefined : reasoning,
      reasoning_content: content.reasoning || undefined,
    }),
  }
}

function callOf(raw: unknown, call: Call, ids: Ids): unknown {
  const fields = fieldsOf(raw)
  const called = fieldsOf(fields['function'])
  const id = ids.get(call)
  if (!isGiven(fields['function'])) return withFields(fields, { id, type: 'custom', ...unsent })
  const index = typeof called['index'] === 'number' ? undefined : called['index']
  return withFields(fields, { id, type: 'function', function: withFields(called, { arguments: argumentsText(call), index }), ...unsent })
}

/** The name goes where the call says it too: not every server takes a field that it does not know. */
function resultFields({ tool_name: name }: Fields, { answers, text }: Content, call: Call | undefined, ids: Ids): Fields {
  return {
    tool_call_id: (call ? ids.get(call) : answers?.id) ?? sha256(text).slice(0, 9),
    tool_name: call && call.name === name ? undefined : name,
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
