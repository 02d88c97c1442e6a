import { parseJson } from '../log/json.ts'
import type { Message } from '../log/message.ts'
import { answerOf } from './anthropic-wire.ts'
import type { Finish, ModelEvent } from './model.ts'
import {
  chunkFields,
  ended,
  fieldsOf,
  spoken,
  usageOf,
  type EndEvent,
  type Fields,
  type Reply,
  type ReplyOptions,
} from './wire.ts'

/**
 * Reads an answer of Anthropic's `/v1/messages`, streamed or whole.
 *
 * @example
 * const reply = anthropicReply()
 * for await (const event of stream) yield* reply.push(event)
 * yield reply.end()
 */
export function anthropicReply(options: ReplyOptions = {}): Reply {
  const blocks: Fields[] = []
  /** The arguments of calls, which come as pieces of a JSON text. */
  const inputs = new Map<number, string>()
  let finish: Finish | undefined
  let usage: EndEvent['usage']
  let done = false

  const hear = ({ stop_reason: reason, usage: counts }: Fields): void => {
    if (typeof reason === 'string') finish = finishes.get(reason) ?? 'unknown'
    usage = usageIn(fieldsOf(counts), usage)
  }
  return {
    push: (chunk) => {
      const fields = chunkFields(chunk, options)
      const { type, index, delta, content } = fields
      if (type === 'message') {
        const whole = (Array.isArray(content) ? (content as unknown[]) : []).map(fieldsOf)
        blocks.push(...whole)
        hear(fields)
        done = finish !== undefined
        return whole.flatMap(spokenIn)
      }
      if (type === 'message_start') hear(fieldsOf(fields['message']))
      if (type === 'message_delta') hear({ ...fieldsOf(delta), usage: fields['usage'] })
      if (type === 'message_stop') done = true
      if (type === 'content_block_start') {
        const block = fieldsOf(fields['content_block'])
        blocks[placeOf(index, blocks.length)] = block
        return spokenIn(block)
      }
      if (type !== 'content_block_delta') return []
      const at = placeOf(index, blocks.length - 1)
      const piece = fieldsOf(delta)
      if (typeof piece['partial_json'] === 'string') inputs.set(at, (inputs.get(at) ?? '') + piece['partial_json'])
      blocks[at] = grown(blocks[at] ?? {}, piece)
      return spokenIn(piece)
    },
    end: () => ended(whole(), finish, usage),
    get done() {
      return done
    },
  }

  /** Always the role `assistant`, whatever the server claims: what a model says is never an instruction. */
  function whole(): Message {
    const said = blocks.map((block, index) => {
      const text = inputs.get(index)
      return text === undefined || text === '' ? block : { ...block, input: parseJson(text) ?? text }
    })
    // If the server skips an index, there is a gap. All blocks that it did send are kept.
    const kept = said.filter((block) => typeof fieldsOf(block)['type'] === 'string')
    return answerOf(kept) ?? { role: 'assistant', content: null, tool_calls: kept }
  }
}

function placeOf(index: unknown, otherwise: number): number {
  const isPlace = typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 && index < most
  return isPlace ? index : Math.max(0, otherwise)
}

const most = 10_000

/** A block with a piece more: its texts grow, and lists get an item. If the block never began, the piece says what it is. */
function grown(block: Fields, { text, thinking, signature, citation }: Fields): Fields {
  const { citations } = block
  const type = typeof text === 'string' ? 'text' : typeof thinking === 'string' ? 'thinking' : undefined
  return {
    ...(type !== undefined && { type }),
    ...block,
    ...(typeof text === 'string' && { text: textIn(block['text']) + text }),
    ...(typeof thinking === 'string' && { thinking: textIn(block['thinking']) + thinking }),
    ...(typeof signature === 'string' && { signature: textIn(block['signature']) + signature }),
    ...(citation !== undefined && { citations: [...(Array.isArray(citations) ? citations : []), citation] }),
  }
}

function spokenIn({ thinking, text }: Fields): ModelEvent[] {
  return spoken(textIn(thinking), textIn(text))
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A prompt has three parts here: what was read from the cache, what was written to it, and the rest. */
function usageIn(counts: Fields, before: EndEvent['usage']): EndEvent['usage'] {
  const { input_tokens: input, cache_creation_input_tokens: written, cache_read_input_tokens: cached } = counts
  const prompt = [input, written, cached].reduce<number>(
    (sum, count) => sum + (typeof count === 'number' ? count : 0),
    0,
  )
  const told = usageOf({
    prompt: prompt > 0 ? prompt : undefined,
    completion: counts['output_tokens'],
    cached,
    written,
  })
  return told ? { ...before, ...told } : before
}

const finishes: ReadonlyMap<string, Finish> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'calls'],
  ['refusal', 'filter'],
])
