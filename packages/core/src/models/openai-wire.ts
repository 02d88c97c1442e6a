import { sha256 } from '#sha256'
import { argumentsText, partText, type Call, type Content, type Message } from '../log/message.ts'
import type { Finish } from './model.ts'
import { imageAddress, partAddress } from './image-wire.ts'
import {
  callIds,
  chunkFields,
  ended,
  fieldsOf,
  joined,
  mapSame,
  paired,
  secondsOf,
  spoken,
  unsent,
  usageOf,
  withFields,
  type EndEvent,
  type Fields,
  type MessageContent,
  type Reply,
  type ReplyOptions,
} from './wire.ts'

/**
 * Converts messages of any recorded shape to OpenAI's chat protocol. A message that already has that shape is returned
 * as the same object. Calls without an id get one that depends only on their content, and their results repeat it.
 *
 * @example
 * toOpenAi([{ role: 'user', content: 'What is this?', images: ['iVBORw0KGgo='] }])
 * // content becomes a list: { type: 'text', … } and
 * // { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
 */
export function toOpenAi(messages: readonly Message[]): Message[] {
  const pairs = paired(messages)
  const ids = callIds(pairs.flatMap(({ content }) => content.calls))
  return pairs.map((pair) => encoded(pair, ids))
}

/** The same for OpenAI's Responses: a message keeps the items in which it was written there. */
export function toResponses(messages: readonly Message[]): Message[] {
  return toOpenAi(messages).map((message, index) => {
    const { items } = fieldsOf(messages[index])
    return items === undefined ? message : { ...message, items }
  })
}

type Ids = ReadonlyMap<Call, string>

function encoded({ message, content, answers }: MessageContent, ids: Ids): Message {
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

/** What an assistant message may have instead of text and calls. */
const otherAnswers: readonly string[] = ['refusal', 'audio', 'function_call']

function partOf(part: unknown): unknown {
  if (typeof part === 'string') return { type: 'text', text: part }
  const fields = fieldsOf(part)
  if (typeof fields['image_url'] === 'string') return { ...fields, image_url: { url: partAddress(part) } }
  const address = fields['type'] === 'image' ? partAddress(part) : undefined
  if (address !== undefined) return { type: 'image_url', image_url: { url: address } }
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
    tool_calls:
      Array.isArray(calls) && calls.length > 0
        ? mapSame(calls, (raw, index) => callOf(raw, content.calls[index]!, ids))
        : undefined,
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
  return withFields(fields, {
    id,
    type: 'function',
    function: withFields(called, { arguments: argumentsText(call), index }),
    ...unsent,
  })
}

/**
 * The tool's name is left out if the call already says it, because some servers refuse fields that they do not know.
 */
function resultFields(
  { tool_name: name }: Fields,
  { answers, text }: Content,
  call: Call | undefined,
  ids: Ids,
): Fields {
  return {
    tool_call_id: (call ? ids.get(call) : answers?.id) ?? sha256(text).slice(0, 9),
    tool_name: call && call.name === name ? undefined : name,
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/**
 * Reads an answer of OpenAI's `/v1/chat/completions`, streamed or whole. Do not push the closing `[DONE]`: it is not a
 * chunk.
 *
 * @example
 * const reply = openAiReply()
 * for await (const chunk of stream) yield* reply.push(chunk)
 * yield reply.end()
 */
export function openAiReply(options: ReplyOptions = {}): Reply {
  const deltas = callDeltas()
  const message: Record<string, unknown> = {}
  let finish: Finish | undefined
  let usage: EndEvent['usage']

  return {
    push: (chunk) => {
      const fields = chunkFields(chunk, options)
      const choice = firstChoice(fields)
      const { role: _, tool_calls: calls, ...said } = fieldsOf(choice['delta'] ?? choice['message'])
      deltas.push(choice['delta'] === undefined && Array.isArray(calls) ? calls.map(numbered) : calls)
      for (const [name, value] of Object.entries(said)) message[name] = joined(message[name], value)
      usage = usageIn(fields, usage)
      if (typeof choice['finish_reason'] === 'string') finish = finishes.get(choice['finish_reason']) ?? 'unknown'
      return spoken(textIn(said['reasoning_content']) || textIn(said['reasoning']), textIn(said['content']))
    },
    end: () => ended(whole(), refused() ? 'filter' : finish, usage),
    get done() {
      return finish !== undefined
    },
  }

  /** Always the role `assistant`, whatever the server claims: what a model says is never an instruction. */
  function whole(): Message {
    const { content = null, reasoning, ...others } = message
    const calls = deltas.calls()
    // Some servers send the same reasoning under both names.
    const twice = reasoning === others['reasoning_content']
    return {
      role: 'assistant',
      content,
      ...(reasoning !== undefined && !twice && { reasoning }),
      ...others,
      ...(calls.length > 0 && { tool_calls: calls }),
    } as Message
  }

  function refused(): boolean {
    return finish === 'stop' && textIn(message['refusal']) !== ''
  }
}

/** Only the first choice is used: a turn has one answer. */
function firstChoice({ choices }: Fields): Fields {
  const all: readonly unknown[] = Array.isArray(choices) ? choices : []
  return fieldsOf(all.find((choice) => (fieldsOf(choice)['index'] ?? 0) === 0))
}

function numbered(call: unknown, index: number): Fields {
  return { ...fieldsOf(call), index }
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map((part: unknown) => partText(part) ?? '').join('') : ''
}

/** Counts may come in any chunk, and in several; most have none. The last ones count. */
function usageIn({ usage, timings }: Fields, before: EndEvent['usage']): EndEvent['usage'] {
  if (!isGiven(usage) && !isGiven(timings)) return before
  const { prompt_tokens: prompt, completion_tokens: completion, prompt_tokens_details: details } = fieldsOf(usage)
  const { cache_n: reused, prompt_ms: reading } = fieldsOf(timings)
  const told = usageOf({
    prompt,
    completion,
    cached: fieldsOf(details)['cached_tokens'] ?? reused,
    seconds: secondsOf(reading, 1000),
  })
  return told ? { ...before, ...told } : before
}

const finishes: ReadonlyMap<string, Finish> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'calls'],
  ['function_call', 'calls'],
  ['content_filter', 'filter'],
])

/** Joins tool calls from the pieces in which OpenAI's protocol streams them. */
export interface CallDeltas {
  push(deltas: unknown): void
  calls(): unknown[]
}

function callDeltas(): CallDeltas {
  const calls: Fields[] = []
  return {
    push: (deltas) => {
      if (!Array.isArray(deltas)) return
      for (const delta of deltas as unknown[]) {
        const fields = fieldsOf(delta)
        const at = placeOf(fields, calls)
        calls[at] = merged(calls[at] ?? {}, fields)
      }
    },
    // If the server skips an index, there is a gap. All calls that it did send are kept.
    calls: () => calls.filter((call) => call !== undefined).map(finished),
  }
}

/**
 * Finds the call by index. Some servers send none: then a new id begins a new call, and anything else continues the
 * last one.
 */
function placeOf({ index, id }: Fields, calls: readonly Fields[]): number {
  if (typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 && index < most) return index
  if (typeof id !== 'string' || id === '') return Math.max(0, calls.length - 1)
  const known = calls.findIndex((call) => call?.['id'] === id)
  return known < 0 ? calls.length : known
}

const most = 10_000

function merged(call: Fields, { function: called, custom, ...rest }: Fields): Fields {
  const given = Object.fromEntries(
    Object.entries(rest).filter(([name, value]) => name !== 'index' && value !== null && value !== ''),
  )
  return {
    ...call,
    ...given,
    ...(called !== undefined &&
      called !== null && { function: grown(fieldsOf(call['function']), fieldsOf(called), 'arguments') }),
    ...(custom !== undefined &&
      custom !== null && { custom: grown(fieldsOf(call['custom']), fieldsOf(custom), 'input') }),
  }
}

/**
 * The name comes whole, sometimes more than once. The arguments come in pieces, or from some servers as one whole
 * value.
 */
function grown(before: Fields, { name, ...delta }: Fields, growing: 'arguments' | 'input'): Fields {
  const piece = delta[growing]
  const value =
    typeof piece === 'string'
      ? `${typeof before[growing] === 'string' ? before[growing] : ''}${piece}`
      : (piece ?? before[growing])
  return { ...before, ...(typeof name === 'string' && name !== '' && { name }), ...delta, [growing]: value }
}

/** The call in the shape that it has in a whole response. */
function finished(call: Fields): Fields {
  const called = fieldsOf(call['function'])
  if (call['function'] === undefined) return call
  const given = called['arguments'] ?? '{}'
  const text = typeof given === 'string' ? given || '{}' : JSON.stringify(given)
  return { ...call, type: call['type'] ?? 'function', function: { ...called, arguments: text } }
}
