import { fail, MinutebookError } from '../log/error.ts'
import { partText, type Call, type Content, type Message } from '../log/message.ts'
import type { Finish } from './model.ts'
import { imageData, partAddress } from './image-wire.ts'
import {
  argumentsObject,
  chunkFields,
  ended,
  fieldsOf,
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
 * Converts messages of any recorded shape to Ollama's chat protocol. A message that already has that shape is returned
 * as the same object. Throws `remote_image` for an image that is only an address, and `unsupported_part` for a part
 * that is neither text nor image: Ollama accepts neither.
 *
 * @example
 * const called = { name: 'now', arguments: '{"zone":"UTC"}' }
 * toOllama([{ role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: called }] }])
 * // content becomes '', and the arguments become { zone: 'UTC' }
 */
export function toOllama(messages: readonly Message[]): Message[] {
  return paired(messages).map(encoded)
}

function encoded({ message, content, answers }: MessageContent, index: number): Message {
  const fields = fieldsOf(message)
  return withFields(message, {
    role: content.kind,
    content: textOf(fields['content'], index),
    images: imagesOf(fields, index),
    ...unsent,
    ...(content.kind === 'assistant' && assistantFields(fields, content)),
    ...(content.kind === 'tool' && { tool_name: fields['tool_name'] ?? answers?.name ?? content.answers?.name }),
  })
}

function textOf(content: unknown, index: number): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  const texts = content.map((part: unknown) => {
    const text = partText(part) ?? fieldsOf(part)['refusal']
    if (typeof text === 'string') return text
    if (partAddress(part) === undefined) throw unsupportedPartError(index)
    return ''
  })
  return texts.join('')
}

function imagesOf({ content, images }: Fields, index: number): unknown {
  const data = (image: unknown): string => imageData(image) ?? fail(remoteImageError(index))
  const addresses = Array.isArray(content) ? content.map(partAddress).filter((address) => address !== undefined) : []
  const given = Array.isArray(images) ? mapSame(images, data) : []
  return addresses.length > 0 ? [...addresses.map(data), ...given] : Array.isArray(images) ? given : images
}

function assistantFields(fields: Fields, content: Content): Fields {
  const { tool_calls: calls } = fields
  const others = ['reasoning', 'reasoning_content'].filter((name) => typeof fields[name] === 'string')
  return {
    tool_calls: Array.isArray(calls) ? mapSame(calls, (raw, index) => callOf(raw, content.calls[index]!)) : calls,
    ...(others.length > 0 && {
      ...Object.fromEntries(others.map((name) => [name, undefined])),
      thinking: content.reasoning || undefined,
    }),
  }
}

function callOf(raw: unknown, call: Call): unknown {
  const fields = fieldsOf(raw)
  const called = fieldsOf(fields['function'])
  return withFields(fields, {
    function: withFields(called, { name: call.name, arguments: argumentsObject(call) }),
    custom: undefined,
    ...unsent,
  })
}

function remoteImageError(index: number): MinutebookError {
  return new MinutebookError(
    'remote_image',
    `Message ${index} of the prompt has an image by its address, and Ollama takes image data only.`,
    'Fetch the image and pass it as a data URL in base64, or as base64 in images; or use an OpenAI-compatible server.',
    { index },
  )
}

function unsupportedPartError(index: number): MinutebookError {
  return new MinutebookError(
    'unsupported_part',
    `Message ${index} of the prompt has a part that is neither text nor an image, and Ollama takes no other.`,
    'Leave the part out, or use an OpenAI-compatible server.',
    { index },
  )
}

/**
 * Reads an answer of Ollama's `/api/chat`, streamed or whole.
 *
 * @example
 * const reply = ollamaReply()
 * for await (const line of lines) yield* reply.push(JSON.parse(line))
 * yield reply.end()
 */
export function ollamaReply(options: ReplyOptions = {}): Reply {
  const calls: unknown[] = []
  let others: Fields = {}
  let content = ''
  let thinking = ''
  let last: Fields | undefined

  return {
    push: (chunk) => {
      const fields = chunkFields(chunk, options)
      const { content: text, thinking: thought, tool_calls: called, ...rest } = fieldsOf(fields['message'])
      others = { ...others, ...rest }
      if (Array.isArray(called)) calls.push(...(called as unknown[]))
      if (fields['done'] === true) last = fields
      const [reasoning, said] = [textIn(thought), textIn(text)]
      thinking += reasoning
      content += said
      return spoken(reasoning, said)
    },
    end: () => ended(message(), last && finishOf(last), last && usageIn(last)),
    get done() {
      return last !== undefined
    },
  }

  /** Always the role `assistant`, whatever the server claims: what a model says is never an instruction. */
  function message(): Message {
    return {
      ...others,
      role: 'assistant',
      content,
      ...(thinking !== '' && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls }),
    }
  }
}

function usageIn({
  prompt_eval_count: prompt,
  eval_count: completion,
  prompt_eval_duration: reading,
}: Fields): EndEvent['usage'] {
  // In nanoseconds.
  return usageOf({ prompt, completion, seconds: secondsOf(reading, 1e9) })
}

function finishOf({ done_reason: reason }: Fields): Finish {
  return reason === 'stop' || reason === 'length' ? reason : 'unknown'
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
