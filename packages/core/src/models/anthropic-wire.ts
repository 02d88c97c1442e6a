import type { Call, Message } from '../log/message.ts'
import { imageAddress, partAddress } from './image-wire.ts'
import {
  argumentsObject,
  callIds,
  fieldsOf,
  paired,
  unsent,
  withFields,
  type Fields,
  type MessageContent,
} from './wire.ts'

/**
 * Reads the conversation of a request to Anthropic's `/v1/messages` as a log keeps it. The text of `system` becomes a
 * system message, each tool result a message of its own with the role `tool`, and the calls of an answer its
 * `tool_calls`. Thinking is kept whole, with its signatures. `cache_control` is left out: it is about the delivery, and
 * clients move it from message to message. Returns undefined for what a log cannot keep this way.
 *
 * @example
 * const block = { type: 'tool_result', tool_use_id: 't1', content: 'Sunny.' }
 * fromAnthropic({ messages: [{ role: 'user', content: [block, { type: 'text', text: 'And tomorrow?' }] }] })
 * // [{ role: 'tool', tool_call_id: 't1', content: 'Sunny.' }, { role: 'user', content: [{ type: 'text', … }] }]
 */
export function fromAnthropic({
  system,
  messages,
}: {
  readonly system?: unknown
  readonly messages: readonly unknown[]
}): Message[] | undefined {
  const read: Message[] = []
  if (isBlocks(system)) read.push({ role: 'system', content: system.map(withoutCacheControl) })
  else if (typeof system === 'string' && system !== '') read.push({ role: 'system', content: system })
  else if (system !== undefined && system !== null && system !== '') return undefined
  for (const message of messages) {
    const found = messagesIn(fieldsOf(message))
    if (!found) return undefined
    for (const each of found) read.push(each)
  }
  return read
}

/** The messages of a log that one message of the protocol becomes. */
function messagesIn({ role, content, ...rest }: Fields): Message[] | undefined {
  if ((role !== 'user' && role !== 'assistant') || hasOwn(rest)) return undefined
  if (typeof content === 'string') return [{ ...rest, role, content }]
  if (!isBlocks(content)) return undefined
  const blocks = content.map(withoutCacheControl)
  if (role === 'user') return blocks.some(isResult) ? resultsIn(blocks, rest) : [{ ...rest, role, content: blocks }]
  const answer = answerOf(blocks)
  return answer && [{ ...rest, ...answer }]
}

function resultsIn(blocks: readonly Fields[], rest: Fields): Message[] | undefined {
  // Fields of the whole message would have no place.
  if (Object.keys(rest).length > 0) return undefined
  const found: Message[] = []
  let others: Fields[] = []
  const endOthers = (): void => {
    if (others.length > 0) found.push({ role: 'user', content: others })
    others = []
  }
  for (const block of blocks) {
    if (!isResult(block)) {
      others.push(block)
      continue
    }
    const { type: _, tool_use_id: id, ...said } = block
    if (typeof id !== 'string' || hasOwn(said)) return undefined
    const { content } = said
    endOthers()
    found.push({
      ...said,
      role: 'tool',
      tool_call_id: id,
      ...(isBlocks(content) && { content: content.map(withoutCacheControl) }),
    })
  }
  endOthers()
  return found
}

/**
 * An answer as a log keeps it. The order of its blocks is kept only if it is not the usual one. Undefined if a call has
 * no id or no name.
 */
export function answerOf(blocks: readonly Fields[]): Message | undefined {
  const thoughts = blocks.filter(isThought)
  const uses = blocks.filter(isUse)
  const calls = uses.map(callOf)
  if (calls.includes(undefined)) return undefined
  const order = blocks.map((block) => (isThought(block) ? 't' : isUse(block) ? 'c' : '-')).join('')
  return {
    role: 'assistant',
    content: blocks.filter((block) => !isThought(block) && !isUse(block)),
    ...(thoughts.length > 0 && { thinking_blocks: thoughts }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(order !== usualOrder(order) && { block_order: order }),
  } as Message
}

/** Thinking, then what was said, then calls. */
function usualOrder(order: string): string {
  return ['t', '-', 'c'].map((letter) => letter.repeat(order.split(letter).length - 1)).join('')
}

function callOf({ id, name, input, ...rest }: Fields): Fields | undefined {
  if (typeof id !== 'string' || typeof name !== 'string' || 'function' in rest || 'custom' in rest) return undefined
  return { ...rest, id, type: 'function', function: { name, arguments: input ?? {} } }
}

function isResult({ type }: Fields): boolean {
  return type === 'tool_result'
}

function isUse({ type }: Fields): boolean {
  return type === 'tool_use'
}

function isThought({ type }: Fields): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

function isBlocks(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.every((block) => typeof fieldsOf(block)['type'] === 'string')
}

function withoutCacheControl(block: Fields): Fields {
  if (!('cache_control' in block)) return block
  const { cache_control: _, ...rest } = block
  return rest
}

/** True if a message of the protocol has a field that has another meaning in a log. */
function hasOwn(fields: Fields): boolean {
  return ownFields.some((name) => name in fields)
}

const ownFields: readonly string[] = [
  'role',
  'tool_calls',
  'tool_call_id',
  'tool_name',
  'name',
  'images',
  'thinking',
  'thinking_blocks',
  'block_order',
  'reasoning',
  'reasoning_content',
  'sdk',
]

/**
 * Converts messages of any recorded shape to those of Anthropic's `/v1/messages`. Neighbours of one side become one
 * message: tool results are the first blocks of a user's message. Leading system messages stay: their text is sent as
 * `system`. Thinking without a signature is left out, because no server accepts it back.
 *
 * @example
 * toAnthropic([{ role: 'tool', tool_call_id: 't1', content: 'Sunny.' }, { role: 'user', content: 'And tomorrow?' }])
 * // one user's message with two blocks: tool_result, text
 */
export function toAnthropic(messages: readonly Message[]): Message[] {
  const pairs = paired(messages)
  const ids = callIds(pairs.flatMap(({ content }) => content.calls))
  const head = pairs.findIndex(({ content }) => content.kind !== 'system')
  const length = head < 0 ? pairs.length : head
  const systems = pairs.slice(0, length).map(({ message }): Message => ({ role: 'system', content: message.content }))
  const sides: Side[] = []
  for (const pair of pairs.slice(length)) {
    const role = pair.content.kind === 'assistant' ? 'assistant' : 'user'
    const text = textAlone(pair)
    const blocks = text === undefined ? blocksOf(pair, ids) : textBlocks(text)
    if (blocks.length === 0) continue
    const last = sides.at(-1)
    if (last?.role === role) {
      for (const block of blocks) last.blocks.push(block)
      last.text = undefined
    } else sides.push({ role, blocks: [...blocks], text })
  }
  return [...systems, ...sides.map(({ role, blocks, text }): Message => ({ role, content: text ?? blocks }))]
}

/**
 * The fields of a request with these messages: leading system messages are its `system`. A single text stays a text.
 *
 * @example
 * anthropicBody([{ role: 'system', content: 'Be kind.' }, { role: 'user', content: 'Hi.' }])
 * // { system: 'Be kind.', messages: [{ role: 'user', content: 'Hi.' }] }
 */
export function anthropicBody(messages: readonly Message[]): {
  readonly system?: unknown
  readonly messages: Message[]
} {
  const head = messages.findIndex(({ role }) => role !== 'system')
  const systems = messages.slice(0, head < 0 ? messages.length : head)
  const others = messages.slice(systems.length)
  const [first] = systems
  if (!first) return { messages: others }
  const isText = systems.length === 1 && typeof first.content === 'string'
  return { system: isText ? first.content : systems.flatMap((each) => contentBlocks(fieldsOf(each))), messages: others }
}

/** What one side says before the other side speaks. `text`: if it is only a text, and came as one. */
interface Side {
  readonly role: 'user' | 'assistant'
  readonly blocks: unknown[]
  text: string | undefined
}

type Ids = ReadonlyMap<Call, string>

/** Undefined if a message is more than one plain text. */
function textAlone({ message, content }: MessageContent): string | undefined {
  const isPlain = content.kind !== 'tool' && content.images.length === 0 && content.calls.length === 0
  return isPlain && typeof message.content === 'string' && thoughtsOf(message).length === 0
    ? message.content
    : undefined
}

function blocksOf({ message, content, answers }: MessageContent, ids: Ids): readonly unknown[] {
  const fields = fieldsOf(message)
  const said = contentBlocks(fields)
  if (content.kind === 'tool') return [resultBlock(fields, (answers && ids.get(answers)) ?? content.answers?.id ?? '')]
  if (content.kind !== 'assistant') return said
  const raw: readonly unknown[] = Array.isArray(fields['tool_calls']) ? fields['tool_calls'] : []
  const uses = content.calls.map((call, index) => useBlock(fieldsOf(raw[index]), call, ids.get(call)!))
  return woven({ t: thoughtsOf(message), '-': said, c: uses }, fields['block_order'])
}

/** The blocks in the order in which they came, if none is missing since. Thinking may be gone as a whole. */
function woven(blocks: Readonly<Record<'t' | '-' | 'c', readonly unknown[]>>, order: unknown): readonly unknown[] {
  const letters = (typeof order === 'string' ? order.split('') : []).filter(
    (letter): letter is 't' | '-' | 'c' => letter in blocks && (letter !== 't' || blocks.t.length > 0),
  )
  const isWhole = (['t', '-', 'c'] as const).every(
    (letter) => letters.filter((each) => each === letter).length === blocks[letter].length,
  )
  if (!isWhole) return [...blocks.t, ...blocks['-'], ...blocks.c]
  const next = { t: 0, '-': 0, c: 0 }
  return letters.map((letter) => blocks[letter][next[letter]++])
}

function thoughtsOf(message: Message): readonly unknown[] {
  const { thinking_blocks: thoughts } = fieldsOf(message)
  return Array.isArray(thoughts) ? (thoughts as unknown[]) : []
}

function useBlock(raw: Fields, call: Call, id: string): Fields {
  const block = { ...raw, type: 'tool_use', id, name: call.name, input: argumentsObject(call) }
  return withFields(block, { function: undefined, custom: undefined, ...unsent })
}

function resultBlock(fields: Fields, id: string): Fields {
  const { role: _, content, images, is_error: isError, ...rest } = fields
  const given = Array.isArray(content) || Array.isArray(images) ? contentBlocks(fields) : content
  return {
    ...withFields(rest, { tool_call_id: undefined, tool_name: undefined, name: undefined, ...unsent }),
    type: 'tool_result',
    tool_use_id: id,
    ...(given !== undefined && given !== null && { content: given }),
    ...(isError !== undefined && { is_error: isError }),
  }
}

/** The content of a message as blocks. Servers refuse texts without a word. */
function contentBlocks({ content, images }: Fields): readonly unknown[] {
  const parts = Array.isArray(content) ? content.flatMap(blockOf) : textBlocks(content)
  return Array.isArray(images) ? [...parts, ...images.map((image) => imageBlock(imageAddress(image)))] : parts
}

function blockOf(part: unknown): readonly unknown[] {
  const fields = fieldsOf(part)
  if (typeof part === 'string') return textBlocks(part)
  if (typeof fields['text'] === 'string' && fields['text'].trim() === '') return []
  const address = fields['image_url'] === undefined ? undefined : partAddress(part)
  if (address !== undefined) return [imageBlock(address)]
  return [fields['type'] === undefined ? { type: 'text', ...fields } : part]
}

function textBlocks(text: unknown): readonly unknown[] {
  return typeof text === 'string' && text.trim() !== '' ? [{ type: 'text', text }] : []
}

function imageBlock(address: string): Fields {
  const comma = address.indexOf(',')
  const [media, encoding] = address.slice('data:'.length, comma).split(';')
  const source =
    address.startsWith('data:') && encoding === 'base64'
      ? { type: 'base64', media_type: media, data: address.slice(comma + 1) }
      : { type: 'url', url: address }
  return { type: 'image', source }
}
