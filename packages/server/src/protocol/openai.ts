import type { Finish } from 'minutebook'
import { openAiReply, toOpenAi } from 'minutebook/wire'
import { asObject, type Fields } from '../http/json.ts'
import { readChatMessages } from './chat-messages.ts'
import { countIn, type Protocol, type Recorded } from './protocol.ts'

/** OpenAI's `/v1/chat/completions`: it streams if the request asks for it. */
export const openAi: Protocol = {
  name: 'openai',
  path: '/v1/chat/completions',
  framing: 'events',
  endsWithDone: true,
  streamType: 'text/event-stream',
  takesNoMessages: false,
  keepsShape: true,
  counts: 'whole',
  takesNotes: true,
  read: (_, list) => readChatMessages(list),
  ask: ({ stream, stream_options: options, max_completion_tokens: most, max_tokens: output }) => ({
    streams: stream === true,
    output: countIn(most) ?? countIn(output),
    withUsage: asObject(options)['include_usage'] === true,
  }),
  reply: () => openAiReply(),
  isEnding: ({ choices }) =>
    Array.isArray(choices) && choices.some((choice) => typeof asObject(choice)['finish_reason'] === 'string'),
  reworded: (chunk, word) => {
    const { choices } = chunk
    if (!Array.isArray(choices)) return undefined
    const at = choices.findIndex((choice) => (asObject(choice)['index'] ?? 0) === 0)
    const choice = asObject(choices[at])
    const name = choice['delta'] === undefined ? 'message' : 'delta'
    const said = asObject(choice[name])
    const content = said['content'] ?? ''
    if (at < 0 || typeof content !== 'string') return undefined
    const text = word(content)
    if (text === content && choices.length === 1) return chunk
    return { ...chunk, choices: [{ ...choice, [name]: { ...said, content: text }, logprobs: null }] }
  },
  whole: (answer) => ({
    ...head(answer, 'chat.completion'),
    choices: [{ index: 0, message: messageOf(answer), logprobs: null, finish_reason: finishOf(answer.finish) }],
    ...(answer.usage && { usage: usageOf(answer) }),
  }),
  chunks: (answer) => [
    event({
      ...head(answer, chunk),
      choices: [{ index: 0, delta: deltaOf(messageOf(answer)), logprobs: null, finish_reason: null }],
    }),
    event({
      ...head(answer, chunk),
      choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: finishOf(answer.finish) }],
    }),
    ...(answer.withUsage && answer.usage
      ? [event({ ...head(answer, chunk), choices: [], usage: usageOf(answer) })]
      : []),
    'data: [DONE]\n\n',
  ],
}

const chunk = 'chat.completion.chunk'

function event(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function head({ id, time, model }: Recorded, object: string): object {
  return { id: `chatcmpl-${id.slice(0, 24)}`, object, created: Math.floor(time.getTime() / 1000), model }
}

function messageOf({ message }: Recorded): Fields {
  return { refusal: null, ...asObject(toOpenAi([message])[0] ?? message) }
}

function deltaOf({ tool_calls: calls, ...message }: Fields): Fields {
  return Array.isArray(calls)
    ? { ...message, tool_calls: calls.map((call, index) => ({ index, ...asObject(call) })) }
    : message
}

function usageOf({ usage: { prompt = 0, completion = 0, cached } = {} }: Recorded): object {
  const details = cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...details }
}

function finishOf(finish: Finish): string {
  return finishes[finish] ?? 'stop'
}

const finishes: Readonly<Partial<Record<Finish, string>>> = {
  length: 'length',
  calls: 'tool_calls',
  filter: 'content_filter',
}
