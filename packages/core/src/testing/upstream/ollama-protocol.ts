import { piecesOf, wholeOf, type UpstreamAnswer, type UpstreamCall } from './answer.ts'
import type { AnswerFacts, Protocol } from './protocol.ts'

/** Ollama's `/api/chat`: lines of JSON, streamed unless the request says `stream: false`. */
export const ollamaProtocol: Protocol = {
  wire: 'ollama',
  streamType: 'application/x-ndjson',
  streams: ({ stream }) => stream !== false,
  chunks: (answer, facts) => [
    ...piecesOf(answer.reasoning).map((thinking) => line(facts, { content: '', thinking })),
    ...piecesOf(answer.text).map((content) => line(facts, { content })),
    ...(answer.calls ?? []).map((call) => line(facts, { content: '', tool_calls: [callOf(call)] })),
    line(facts, { content: '' }, lastFields(answer, facts)),
  ],
  whole: ({ reasoning, text, calls = [], ...answer }, facts) => {
    const thinking = wholeOf(reasoning)
    const message = { content: wholeOf(text), ...(thinking && { thinking }), ...(calls.length > 0 && { tool_calls: calls.map(callOf) }) }
    return line(facts, message, lastFields(answer, facts))
  },
  refusal: (_, text) => JSON.stringify({ error: text }),
  errorChunk: (text) => `${JSON.stringify({ error: text })}\n`,
}

/** Time stands still here, so that an answer is the same bytes every time. */
const time = '2026-01-01T00:00:00Z'

function line({ model }: AnswerFacts, message: object, fields: object = { done: false }): string {
  return `${JSON.stringify({ model, created_at: time, message: { role: 'assistant', ...message }, ...fields })}\n`
}

function lastFields({ finish = 'stop' }: UpstreamAnswer, { usage, request }: AnswerFacts): object {
  const isLoading = Array.isArray(request['messages']) && request['messages'].length === 0
  return {
    done: true,
    done_reason: isLoading ? 'load' : finish === 'filter' ? 'stop' : finish,
    total_duration: 3_000_000,
    load_duration: 1_000_000,
    ...(usage?.prompt !== undefined && { prompt_eval_count: usage.prompt }),
    prompt_eval_duration: 1_000_000,
    ...(usage?.completion !== undefined && { eval_count: usage.completion }),
    eval_duration: 1_000_000,
  }
}

function callOf({ id, name, arguments: given = {} }: UpstreamCall): object {
  return { ...(id !== undefined && { id }), function: { name, arguments: given } }
}
