import type { ChatProtocol, Facts } from './chat-protocol.ts'
import { commonOf, fieldsOf, limitOf } from './chat-request.ts'
import type { EngineAnswer } from './answer.ts'

/** `/v1/chat/completions`, with the counts and the errors of llama.cpp's own server. */
export const openAiChat: ChatProtocol = {
  streamType: 'text/event-stream',
  read: (fields) => ({
    ...commonOf(fields),
    streams: fields['stream'] === true,
    limit: limitOf(fields['max_completion_tokens'], fields['max_tokens']),
    countsStream: fieldsOf(fields['stream_options'])['include_usage'] === true,
  }),
  first: (facts) => chunk(facts, { role: 'assistant', content: '' }),
  piece: (facts, content) => chunk(facts, { content }),
  last: (facts, answer) => {
    const counts = facts.request.countsStream
      ? [event({ ...head(facts, 'chat.completion.chunk'), choices: [], ...countsOf(answer) })]
      : []
    return [chunk(facts, {}, answer.finish), ...counts, 'data: [DONE]\n\n'].join('')
  },
  whole: (facts, answer) => {
    const message = { role: 'assistant', content: answer.text }
    return JSON.stringify({
      ...head(facts, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: answer.finish, logprobs: null }],
      ...countsOf(answer),
    })
  },
  error: (status, message, details) =>
    JSON.stringify({ error: { code: status, message, type: 'invalid_request_error', ...details } }),
}

function event(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function head({ request, number, time }: Facts, object: string): object {
  return {
    id: `chatcmpl-${number}`,
    object,
    created: Math.floor(time / 1000),
    model: request.model,
    system_fingerprint: 'tiny',
  }
}

function chunk(facts: Facts, delta: object, finish: string | null = null): string {
  return event({ ...head(facts, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: finish }] })
}

function countsOf({ tokens, reused, completion }: EngineAnswer): object {
  const usage = {
    prompt_tokens: tokens,
    completion_tokens: completion,
    total_tokens: tokens + completion,
    prompt_tokens_details: { cached_tokens: reused },
  }
  return { usage, timings: { cache_n: reused, prompt_n: tokens - reused, predicted_n: completion } }
}
