import type { Message, Profile, TokenCounter } from 'minutebook'
import { checkedCount, countTools, overheadOf } from 'minutebook/inspect'
import { canonicalJson } from 'minutebook/store'
import { fieldsOf, printedArguments, readMessage, type Fields } from 'minutebook/wire'
import type { PrefixReuse, Protocol } from './protocols.ts'

/** A prompt with its tokens, message by message. */
export interface Measured {
  readonly messages: readonly Message[]
  readonly tools: readonly unknown[]
  /** The system text, if it stands outside of the messages. */
  readonly system?: unknown
  readonly each: readonly number[]
  /** What comes before all messages: the prompt's own overhead, the tools, a system text outside of the messages. */
  readonly head: number
  readonly total: number
  /** The tokens up to the last mark for the prompt cache; 0 without a mark. */
  readonly marked: number
}

export function measure(fields: Fields, wire: Protocol['wire'], counter: TokenCounter, profile: Profile): Measured {
  const { system } = fields
  const messages = (fields['messages'] ?? []) as Message[]
  const tools = (fields['tools'] ?? []) as unknown[]
  const own = overheadOf(counter).prompt + countTools(counter, tools)
  if (wire !== 'anthropic') {
    const each = messages.map((message) => messageTokens(message, counter, profile))
    return { messages, tools, each, head: own, total: own + sum(each), marked: 0 }
  }
  const head = own + (system === undefined ? 0 : blocksTokens(system, counter))
  const each = messages.map(({ content }) => blocksTokens(content, counter))
  const last = messages.findLastIndex(isMarked)
  const headMarked = isMarked(tools) || isMarked(system) ? head : 0
  const marked = last < 0 ? headMarked : head + sum(each.slice(0, last + 1))
  return { messages, tools, system, each, head, total: head + sum(each), marked }
}

function messageTokens(message: Message, counter: TokenCounter, profile: Profile): number {
  const overhead = overheadOf(counter)
  const { text, reasoning, sealed, calls, images, attachments } = readMessage(message)
  const attached = attachments.map((attachment) => attachment.text)
  const called = calls.flatMap((call) => [call.name, printedArguments(call, profile)])
  const texts = [text, ...attached, ...called].filter((part) => part !== '')
  return (
    overhead.message +
    (reasoning === '' ? 0 : checkedCount(counter, reasoning)) +
    Math.ceil(sealed / 4) +
    images.length * overhead.image +
    sum(attachments.map((each) => overhead.call + each.images * overhead.image + Math.ceil(each.sealed / 4))) +
    calls.length * overhead.call +
    sum(texts.map((part) => checkedCount(counter, part)))
  )
}

/** The tokens of a message of Anthropic's protocol, by its content. */
function blocksTokens(content: unknown, counter: TokenCounter): number {
  const blocks = Array.isArray(content) ? (content as unknown[]) : [{ type: 'text', text: content }]
  return overheadOf(counter).message + sum(blocks.map((block) => blockTokens(block, counter)))
}

function blockTokens(block: unknown, counter: TokenCounter): number {
  const { type, text, thinking, data, name, input, content, source, title, context } = fieldsOf(block)
  const { call, image } = overheadOf(counter)
  const texts = (...parts: unknown[]): number =>
    sum(parts.map((part) => (typeof part === 'string' && part !== '' ? checkedCount(counter, part) : 0)))
  const within = (inner: unknown): number =>
    Array.isArray(inner) ? sum(inner.map((each) => blockTokens(each, counter))) : texts(inner)
  switch (type) {
    case 'text':
      return texts(text)
    case 'thinking':
      return texts(thinking)
    case 'redacted_thinking':
      // Base64 of what the model reads: not a text of its own.
      return Math.ceil(String(data).length / 4)
    case 'tool_use':
      return call + texts(name, JSON.stringify(input))
    case 'tool_result':
      return within(content)
    case 'image':
      return image
    case 'search_result':
      return texts(title) + within(content)
    case 'document': {
      const { type: kind, data: written, content: parts } = fieldsOf(source)
      const isText = kind === 'text' || kind === 'content'
      return texts(title, context) + (isText ? texts(written) + within(parts) : image)
    }
    default:
      // No client knows how a server writes a block of another kind: its texts, with as much around them as around a call.
      return call + texts(...readMessage({ role: 'user', content: [block] }).attachments.map((each) => each.text))
  }
}

/** Whether something in here is marked for the prompt cache. */
function isMarked(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isMarked)
  const { cache_control: mark, content } = fieldsOf(value)
  return (mark !== undefined && mark !== null) || (Array.isArray(content) && content.some(isMarked))
}

export function reuseOf(prompt: Measured, before: Measured | undefined): PrefixReuse {
  let messages = 0
  if (before && same(before.tools, prompt.tools) && same(before.system, prompt.system)) {
    while (messages < prompt.messages.length && same(prompt.messages[messages], before.messages[messages])) messages++
  }
  const tokens = messages > 0 ? prompt.head + sum(prompt.each.slice(0, messages)) : 0
  return { messages, tokens, share: prompt.total > 0 ? tokens / prompt.total : 0 }
}

/** The model sees neither the marks for the prompt cache, nor whether a text came alone or as a block. */
function same(one: unknown, other: unknown): boolean {
  return canonicalJson(unmarked(one)) === canonicalJson(unmarked(other))
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked)
  if (typeof value !== 'object' || value === null) return value ?? null
  const { cache_control: _, ...fields } = fieldsOf(value)
  const { content } = fields
  if (typeof content === 'string') return { ...fields, content: [{ type: 'text', text: content }] }
  return Array.isArray(content) ? { ...fields, content: content.map(unmarked) } : fields
}

/** What is left of a prompt for the model. */
export interface Seen {
  readonly messages: readonly Message[]
  readonly tokens: number
}

/** The system text, and the newest messages that fit next to it. */
export function dropped({ messages, each, head }: Measured, window: number): Seen {
  const first = messages[0]?.['role'] === 'system' ? 1 : 0
  const kept = head + (first === 1 ? (each[0] ?? 0) : 0)
  let tokens = kept
  let from = messages.length
  while (from > first && tokens + (each[from - 1] ?? 0) < window) tokens += each[--from] ?? 0
  return { messages: [...messages.slice(0, first), ...messages.slice(from)], tokens }
}

/**
 * About half of the window: of what is not kept at the beginning, half is dropped. The model sees the newest messages
 * that fit. Of a last message that does not fit, it sees a part that no message could show.
 */
export function halved({ messages, each }: Measured, window: number, keep: number): Seen {
  const tokens = window - Math.max(1, Math.floor((window - Math.min(keep, window - 1)) / 2))
  let room = tokens
  let from = messages.length
  while (from > 0 && (each[from - 1] ?? 0) <= room) room -= each[--from] ?? 0
  return { messages: messages.slice(from), tokens }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
