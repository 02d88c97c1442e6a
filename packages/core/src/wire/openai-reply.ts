import { partText, type Message } from '../log/message.ts'
import { callDeltas } from './call-deltas.ts'
import { fieldsOf, type Fields } from './fields.ts'
import type { Finish } from './model.ts'
import { chunkFields, ended, spoken, usageOf, type EndEvent, type Reply, type ReplyOptions } from './reply.ts'

/**
 * Reads an answer of OpenAI's `/v1/chat/completions`, streamed or whole. The closing `[DONE]` is no chunk.
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

  /** Whatever role the server claims: what a model says is never an instruction. */
  function whole(): Message {
    const { content = null, reasoning, ...others } = message
    const calls = deltas.calls()
    // Some servers send the same thoughts under both names.
    const twice = reasoning === others['reasoning_content']
    return { role: 'assistant', content, ...(reasoning !== undefined && !twice && { reasoning }), ...others, ...(calls.length > 0 && { tool_calls: calls }) } as Message
  }

  function refused(): boolean {
    return finish === 'stop' && textIn(message['refusal']) !== ''
  }
}

/** One answer is all that a turn has a place for. */
function firstChoice({ choices }: Fields): Fields {
  const all: readonly unknown[] = Array.isArray(choices) ? choices : []
  return fieldsOf(all.find((choice) => (fieldsOf(choice)['index'] ?? 0) === 0))
}

function numbered(call: unknown, index: number): Fields {
  return { ...fieldsOf(call), index }
}

/** What a delta adds: text goes on, a list grows, null says nothing, anything else takes its place. */
function joined(before: unknown, value: unknown): unknown {
  if (value === null || value === undefined) return before
  if (typeof value === 'string' && typeof before === 'string') return before + value
  if (Array.isArray(value) || Array.isArray(before)) return [...parts(before), ...parts(value)]
  return value
}

function parts(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'string' ? (value === '' ? [] : [{ type: 'text', text: value }]) : value === undefined ? [] : [value]
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map((part: unknown) => partText(part) ?? '').join('') : ''
}

/** Counts may come in any chunk, and in more than one; the last ones hold. */
function usageIn({ usage, timings }: Fields, before: EndEvent['usage']): EndEvent['usage'] {
  const { prompt_tokens: prompt, completion_tokens: completion, prompt_tokens_details: details } = fieldsOf(usage)
  const told = usageOf({ prompt, completion, cached: fieldsOf(details)['cached_tokens'] ?? fieldsOf(timings)['cache_n'] })
  return told ? { ...before, ...told } : before
}

const finishes: ReadonlyMap<string, Finish> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'calls'],
  ['function_call', 'calls'],
  ['content_filter', 'filter'],
])
