/** What Anthropic's Messages API refuses in a request, in its own words as far as they are known. */
import { fieldsOf, type Fields } from 'minutebook/wire'
import { createHmac } from 'node:crypto'

/** Returns what is wrong with a request; undefined if nothing is. `counts`: it only asks for the count of its tokens. */
export function findRefused(fields: Fields, counts: boolean): string | undefined {
  const { messages, system, tools } = fields
  if (!Array.isArray(messages)) return 'messages: Field required'
  if (messages.length === 0) return 'messages: at least one message is required'
  return (
    limitFault(fields, counts) ??
    systemFault(system) ??
    toolsFault(tools) ??
    first(messages, (message, index) => messageFault(message, index, messages)) ??
    first(messages, (_, index) => pairingFault(messages, index)) ??
    thinkingFault(messages, fields) ??
    markFault(fields)
  )
}

function limitFault({ max_tokens: most, thinking }: Fields, counts: boolean): string | undefined {
  const { type, budget_tokens: budget } = fieldsOf(thinking)
  if (type === 'enabled' && (typeof budget !== 'number' || budget < 1024))
    return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024'
  if (counts) return undefined
  if (most === undefined) return 'max_tokens: Field required'
  if (typeof most !== 'number' || !Number.isInteger(most)) return 'max_tokens: Input should be a valid integer'
  if (most < 0) return 'max_tokens: Input should be greater than or equal to 0'
  return type === 'enabled' && most <= (budget as number)
    ? '`max_tokens` must be greater than `thinking.budget_tokens`'
    : undefined
}

function systemFault(system: unknown): string | undefined {
  if (system === undefined || typeof system === 'string') return undefined
  if (!Array.isArray(system)) return 'system: Input should be a valid list'
  return first(system, (block, index) => {
    const { type, text } = fieldsOf(block)
    if (type !== 'text' || typeof text !== 'string') return `system.${index}: Input should be a text block`
    return text === '' ? 'system: text content blocks must be non-empty' : undefined
  })
}

function toolsFault(tools: unknown): string | undefined {
  if (tools === undefined) return undefined
  if (!Array.isArray(tools)) return 'tools: Input should be a valid list'
  return first(tools, (tool, index) => {
    const { type = 'custom', name, input_schema: schema } = fieldsOf(tool)
    if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
      return `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
    return type === 'custom' && fieldsOf(schema)['type'] !== 'object'
      ? `tools.${index}.custom.input_schema: Field required`
      : undefined
  })
}

function messageFault(message: unknown, index: number, messages: readonly unknown[]): string | undefined {
  const { role, content, ...others } = fieldsOf(message)
  const isLast = index === messages.length - 1
  if (role === 'system')
    return 'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.'
  if (role !== 'user' && role !== 'assistant')
    return `messages: Unexpected role "${String(role)}". Allowed roles are "user" or "assistant"`
  if (index === 0 && role !== 'user') return 'messages: first message must use the "user" role'
  const other = Object.keys(others)[0]
  if (other !== undefined) return `messages.${index}.${other}: Extra inputs are not permitted`
  if (typeof content !== 'string' && !Array.isArray(content))
    return `messages.${index}.content: Input should be a valid list`
  if (content.length === 0 && !(isLast && role === 'assistant'))
    return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`
  const blocks = blocksOf(message)
  const last = blocks.at(-1)
  if (isLast && role === 'assistant' && last?.['type'] === 'text' && /\s$/.test(String(last['text']).slice(-1)))
    return 'messages: final assistant content cannot end with trailing whitespace'
  if (role === 'assistant' && (last?.['type'] === 'thinking' || last?.['type'] === 'redacted_thinking'))
    return `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`
  return first(blocks, (block, place) => blockFault(block, role, `messages.${index}.content.${place}`))
}

/** The fields that a block may have. What is not in here is an unknown block, and passes. */
const known: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['text', ['text', 'citations', 'cache_control']],
  ['tool_use', ['id', 'name', 'input', 'caller', 'toolset_name', 'cache_control']],
  ['tool_result', ['tool_use_id', 'content', 'is_error', 'toolset_name', 'cache_control']],
  ['thinking', ['thinking', 'signature']],
  ['redacted_thinking', ['data']],
  ['image', ['source', 'transformations', 'cache_control']],
  ['document', ['source', 'title', 'context', 'citations', 'cache_control']],
])

function blockFault(block: Fields, role: string, place: string): string | undefined {
  const { type, text, id, name, input, content, source } = block
  if (typeof type !== 'string') return `${place}.type: Field required`
  const other = Object.keys(block).find((field) => field !== 'type' && known.get(type)?.includes(field) === false)
  if (other !== undefined) return `${place}.${type}.${other}: Extra inputs are not permitted`
  const speaker = speakers.get(type)
  if (speaker !== undefined && speaker !== role)
    return `${place}: \`${type}\` blocks can only be in \`${speaker}\` messages`
  if (type === 'text') {
    if (typeof text !== 'string') return `${place}.text.text: Field required`
    if (text === '') return 'messages: text content blocks must be non-empty'
    return text.trim() === '' ? 'messages: text content blocks must contain non-whitespace text' : undefined
  }
  if (type === 'tool_use') {
    if (typeof id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(id))
      return `${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`
    if (typeof name !== 'string' || name === '') return `${place}.tool_use.name: Field required`
    return typeof input === 'object' && input !== null && !Array.isArray(input)
      ? undefined
      : `${place}.tool_use.input: Input should be a valid dictionary`
  }
  if (type === 'tool_result' && content !== undefined && typeof content !== 'string' && !Array.isArray(content))
    return `${place}.tool_result.content: Input should be a valid list`
  if ((type === 'image' || type === 'document') && typeof fieldsOf(source)['type'] !== 'string')
    return `${place}.${type}.source: Field required`
  return sealFault(block, place)
}

/** Who alone may say such a block. */
const speakers: ReadonlyMap<unknown, 'user' | 'assistant'> = new Map([
  ['tool_use', 'assistant'],
  ['thinking', 'assistant'],
  ['redacted_thinking', 'assistant'],
  ['tool_result', 'user'],
])

/** Every call has its result at the beginning of the next message; every result has its call in the message before. */
function pairingFault(messages: readonly unknown[], index: number): string | undefined {
  const calls = idsOf(messages[index - 1], 'tool_use', 'id')
  const results = idsOf(messages[index], 'tool_result', 'tool_use_id')
  const stranger = results.find((id) => !calls.includes(id))
  if (stranger !== undefined)
    return `messages.${index}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stranger}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
  const twice = results.find((id, place) => results.indexOf(id) !== place)
  if (twice !== undefined)
    return `messages.${index}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`
  const made = idsOf(messages[index], 'tool_use', 'id')
  if (made.some((id, place) => made.indexOf(id) !== place))
    return `messages.${index}.content: \`tool_use\` ids must be unique`
  const next = blocksOf(messages[index + 1])
  const end = next.findIndex(({ type }) => type !== 'tool_result')
  const answered = next.slice(0, end < 0 ? next.length : end).map(({ tool_use_id: id }) => id)
  const open = made.filter((id) => !answered.includes(id))
  return open.length === 0
    ? undefined
    : `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
}

function idsOf(message: unknown, type: string, field: string): string[] {
  return blocksOf(message)
    .filter((block) => block['type'] === type)
    .map((block) => String(block[field]))
}

/** While tools are at work, the model must find its thoughts again. A user that says more begins a new turn. */
function thinkingFault(messages: readonly unknown[], { thinking }: Fields): string | undefined {
  if (fieldsOf(thinking)['type'] !== 'enabled') return undefined
  const index = messages.findLastIndex((message) => fieldsOf(message)['role'] === 'assistant')
  const newer = messages.slice(index + 1).flatMap(blocksOf)
  const found = blocksOf(messages[index])[0]?.['type']
  if (newer.length === 0 || newer.some(({ type }) => type !== 'tool_result')) return undefined
  if (found === 'thinking' || found === 'redacted_thinking') return undefined
  return `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(found)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`
}

function markFault({ system, tools, messages, cache_control: mark }: Fields): string | undefined {
  const found = marksIn(system) + marksIn(tools) + marksIn(messages) + marksIn({ cache_control: mark })
  return found > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${found}.` : undefined
}

function marksIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((total, each) => total + marksIn(each), 0)
  const { cache_control: mark, content } = fieldsOf(value)
  return (mark === undefined || mark === null ? 0 : 1) + (Array.isArray(content) ? marksIn(content) : 0)
}

function sealFault({ type, thinking, signature, data }: Fields, place: string): string | undefined {
  if (type === 'thinking') {
    if (typeof thinking !== 'string') return `${place}.thinking.thinking: Field required`
    if (typeof signature !== 'string') return `${place}.thinking.signature: Field required`
    if (signature !== sealOf(thinking) && !(thinking === '' && isSealed(signature)))
      return `${place}: Invalid \`signature\` in \`thinking\` block`
  }
  if (type === 'redacted_thinking' && !isSealed(String(data)))
    return `${place}: Invalid \`data\` in \`redacted_thinking\` block`
  return undefined
}

/** A thought with the signature that a strict upstream accepts. */
export interface SignedThinking {
  readonly type: 'thinking'
  readonly thinking: string
  readonly signature: string
}

/**
 * Returns a thought as a strict upstream would have said it: signed, so that it is refused if a client changes it.
 *
 * @example
 * const message = { role: 'assistant', content: [signedThinking('Hm.'), { type: 'text', text: 'Yes.' }] }
 */
export function signedThinking(thinking: string): SignedThinking {
  return { type: 'thinking', thinking, signature: sealOf(thinking) }
}

/** The same for a request that asks for no text of thoughts: its signature alone has the thought. */
export function omittedThinking(thinking: string): SignedThinking {
  return { type: 'thinking', thinking: '', signature: sealed(thinking) }
}

/** The same for a thought that only the upstream can read. */
export function redactedThinking(thinking: string): { readonly type: 'redacted_thinking'; readonly data: string } {
  return { type: 'redacted_thinking', data: sealed(thinking) }
}

function sealed(thinking: string): string {
  const hidden = Buffer.from(thinking).toString('base64')
  return `${hidden}.${sealOf(hidden)}`
}

function isSealed(text: string): boolean {
  const [hidden = '', seal, ...others] = text.split('.')
  return others.length === 0 && seal === sealOf(hidden)
}

function sealOf(text: string): string {
  return createHmac('sha256', 'the key of a strict upstream').update(text).digest('base64')
}

/** The content of a message as blocks. */
function blocksOf(message: unknown): readonly Fields[] {
  const { content } = fieldsOf(message)
  if (Array.isArray(content)) return content.map(fieldsOf)
  return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : []
}

function first<T>(list: readonly T[], find: (each: T, index: number) => string | undefined): string | undefined {
  for (const [index, each] of list.entries()) {
    const found = find(each, index)
    if (found !== undefined) return found
  }
  return undefined
}
