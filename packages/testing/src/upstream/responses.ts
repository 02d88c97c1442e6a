import { fieldsOf, type Fields } from 'minutebook/wire'
import { call } from '../builders.ts'
import type { Refusal } from './chat.ts'
import { piecesOf, wholeOf, openAiProtocol, type AnswerFacts, type Protocol, type UpstreamAnswer } from './protocols.ts'

/**
 * OpenAI's `/v1/responses` by a server that stores nothing: a request must have `store: false` and all of its input.
 * Reasoning must come back sealed, as it was, and in front of what followed it.
 */
export const responsesProtocol: Protocol = {
  ...openAiProtocol,
  chatOf: (json) => chatOf(fieldsOf(json)),
  chunks: (answer, facts) => {
    const output = outputOf(answer, facts)
    const events: StreamEvent[] = [
      { type: 'response.created', response: responseOf(facts, 'in_progress', []) },
      { type: 'response.in_progress', response: responseOf(facts, 'in_progress', []) },
      ...output.flatMap((item, index) => itemEvents(item, index, answer)),
      {
        type: `response.${statusOf(answer)}`,
        response: responseOf(facts, statusOf(answer), output, answer),
      },
    ]
    return events.map((event, number) => eventText({ ...event, sequence_number: number }))
  },
  whole: (answer, facts) => JSON.stringify(responseOf(facts, statusOf(answer), outputOf(answer, facts), answer)),
  errorChunk: (text) =>
    eventText({
      type: 'response.failed',
      sequence_number: 99,
      response: {
        id: 'resp_failed',
        object: 'response',
        status: 'failed',
        error: { code: 'server_error', message: text },
      },
    }),
}

/** An event of a stream. */
type StreamEvent = Fields & { readonly type: string }

function eventText(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

/** The same request as a chat, or why it is refused. */
function chatOf(fields: Fields): Fields | Refusal {
  const { model, input, instructions, tools, store, text } = fields
  const kept = ['previous_response_id', 'conversation'].find((name) => name in fields)
  if (kept !== undefined) return bad(`${kept} is not supported: this server stores nothing`)
  if (typeof model !== 'string') return bad('model is required')
  if (store !== false) return bad('store must be false: this server stores nothing')
  if (typeof input !== 'string' && (!Array.isArray(input) || input.length === 0)) return bad('input is required')
  const items: readonly unknown[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  const messages: Fields[] = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []
  for (const [index, item] of items.map(fieldsOf).entries()) {
    const fault = sealFault(item, index, items) ?? take(messages, item, index)
    if (fault !== undefined) return bad(fault)
  }
  const functions = (Array.isArray(tools) ? tools : []).map(fieldsOf).filter(({ type }) => type === 'function')
  return {
    model,
    messages,
    ...(functions.length > 0 && { tools: functions.map(({ type, ...called }) => ({ type, function: called })) }),
    ...(fieldsOf(text)['format'] !== undefined && functions.length === 0 && { response_format: {} }),
    stream: fields['stream'],
    include: fields['include'],
  }
}

function bad(text: string): Refusal {
  return { status: 400, text }
}

/** What is wrong with the reasoning in front of an item, or with the item if that is reasoning. */
function sealFault(item: Fields, index: number, items: readonly unknown[]): string | undefined {
  const id = String(item['id'])
  if (item['type'] === 'reasoning') {
    const next = fieldsOf(items[index + 1])
    if (typeof item['encrypted_content'] !== 'string')
      return `Item with id '${id}' not found. Items are not persisted when store is set to false.`
    if (item['encrypted_content'] !== sealOf(id)) return `The encrypted content for item ${id} could not be verified.`
    return isSaid(next)
      ? undefined
      : `Item '${id}' of type 'reasoning' was provided without its required following item.`
  }
  const [, number] = /^[a-z]+_(\d+)r_\d+$/.exec(id) ?? []
  if (number === undefined) return undefined
  const needed = `rs_${number}r_0`
  return items.slice(0, index).some((other) => fieldsOf(other)['id'] === needed)
    ? undefined
    : `Item '${id}' was provided without its required 'reasoning' item: '${needed}'.`
}

function sealOf(id: string): string {
  return `sealed ${id}`
}

/** Whether an item is the model's. */
function isSaid({ type = 'message', role }: Fields): boolean {
  return type === 'message' ? role === 'assistant' : String(type).endsWith('_call')
}

/** Adds an item to the messages. Returns what is wrong with it. */
function take(messages: Fields[], item: Fields, index: number): string | undefined {
  const { type = 'message', role, content } = item
  const last = messages.at(-1)
  switch (type) {
    case 'message':
      messages.push({ role, content: typeof content === 'string' ? content : partsOf(content) })
      return undefined
    case 'function_call':
    case 'custom_tool_call': {
      const made = call(String(item['call_id']), String(item['name']), {})
      const { arguments: given = JSON.stringify(item['input']) } = item
      const calls = [{ ...made, function: { ...made.function, arguments: given } }]
      if (last?.['role'] !== 'assistant') messages.push({ role: 'assistant', content: null, tool_calls: calls })
      else messages.splice(-1, 1, { ...last, tool_calls: [...((last['tool_calls'] as object[]) ?? []), ...calls] })
      return undefined
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const { output } = item
      const text = typeof output === 'string' ? output : partsOf(output)
      messages.push({ role: 'tool', tool_call_id: item['call_id'], content: text })
      return undefined
    }
    case 'reasoning':
    case 'web_search_call':
      return undefined
    default:
      return `input[${index}].type ${String(type)} is not known`
  }
}

function partsOf(content: unknown): unknown {
  const parts = (Array.isArray(content) ? content : []).map(fieldsOf)
  if (parts.every(({ text }) => typeof text === 'string')) return parts.map(({ text }) => text).join('')
  return parts.map(({ text, image_url: url }) =>
    typeof text === 'string' ? { type: 'text', text } : { type: 'image_url', image_url: { url } },
  )
}

/** The items of an answer. Ids of what follows reasoning show it. */
function outputOf(answer: UpstreamAnswer, { number, request }: AnswerFacts): readonly Fields[] {
  const [text, thoughts] = [wholeOf(answer.text), wholeOf(answer.reasoning)]
  const mark = `${number}${thoughts === '' ? '' : 'r'}`
  const { include } = request
  const isSealed = Array.isArray(include) && include.includes('reasoning.encrypted_content')
  const reasoning = {
    id: `rs_${mark}_0`,
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: thoughts }],
    ...(isSealed && { encrypted_content: sealOf(`rs_${mark}_0`) }),
  }
  const message = {
    id: `msg_${mark}_0`,
    type: 'message',
    status: statusOf(answer),
    role: 'assistant',
    content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
  }
  return [
    ...(thoughts === '' ? [] : [reasoning]),
    ...(answer.items ?? []).map(fieldsOf),
    ...(text === '' ? [] : [message]),
    ...(answer.calls ?? []).map(({ id, name, arguments: given = {} }, index) => ({
      id: `fc_${mark}_${index}`,
      type: 'function_call',
      status: 'completed',
      arguments: JSON.stringify(given),
      call_id: id ?? `call_${number}_${index}`,
      name,
    })),
  ]
}

function statusOf({ finish = 'stop' }: UpstreamAnswer): 'completed' | 'incomplete' {
  return finish === 'stop' ? 'completed' : 'incomplete'
}

function responseOf(
  { model, number, usage }: AnswerFacts,
  status: string,
  output: readonly Fields[],
  { finish }: UpstreamAnswer = {},
): Fields {
  const { prompt = 0, completion = 0, cached = 0 } = usage ?? {}
  const counts = {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: prompt + completion,
  }
  return {
    id: `resp_${number}`,
    object: 'response',
    created_at: 1_767_225_600,
    status,
    error: null,
    incomplete_details:
      status === 'incomplete' ? { reason: finish === 'filter' ? 'content_filter' : 'max_output_tokens' } : null,
    instructions: null,
    model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    store: false,
    usage: status === 'in_progress' || !usage ? null : counts,
    metadata: {},
  }
}

/** The events in which an item comes. */
function itemEvents(item: Fields, index: number, answer: UpstreamAnswer): StreamEvent[] {
  const at = { item_id: item['id'], output_index: index }
  const added = (begun: Fields): StreamEvent => ({
    type: 'response.output_item.added',
    output_index: index,
    item: begun,
  })
  const done = { type: 'response.output_item.done', output_index: index, item }
  if (item['type'] === 'function_call')
    return [
      added({ ...item, arguments: '', status: 'in_progress' }),
      { type: 'response.function_call_arguments.delta', ...at, delta: item['arguments'] },
      { type: 'response.function_call_arguments.done', ...at, arguments: item['arguments'] },
      done,
    ]
  if (item['type'] !== 'message') return [added(item), done]
  const part = { type: 'output_text', annotations: [], logprobs: [], text: '' }
  const text = wholeOf(answer.text)
  const within = { ...at, content_index: 0 }
  const deltas = piecesOf(answer.text).map((delta) => ({ type: 'response.output_text.delta', ...within, delta }))
  return [
    added({ ...item, content: [], status: 'in_progress' }),
    { type: 'response.content_part.added', ...within, part },
    ...deltas,
    { type: 'response.output_text.done', ...within, text },
    { type: 'response.content_part.done', ...within, part: { ...part, text } },
    done,
  ]
}
