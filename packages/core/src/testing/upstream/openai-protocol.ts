import { call } from '../builders.ts'
import { piecesOf, wholeOf, type UpstreamAnswer, type UpstreamCall } from './answer.ts'
import type { AnswerFacts, Protocol } from './protocol.ts'

/** OpenAI's `/v1/chat/completions`: server-sent events where the request says `stream: true`, else one object. */
export const openAiProtocol: Protocol = {
  wire: 'openai',
  streamType: 'text/event-stream',
  streams: ({ stream }) => stream === true,
  chunks: (answer, facts) => [
    delta(facts, { role: 'assistant', content: '' }),
    ...piecesOf(answer.reasoning).map((reasoning) => delta(facts, { reasoning_content: reasoning })),
    ...piecesOf(answer.text).map((content) => delta(facts, { content })),
    ...(answer.calls ?? []).flatMap((made, index) => callDeltas(made, index, facts)),
    delta(facts, {}, finishOf(answer)),
    ...(asksForUsage(facts) ? [event({ ...headOf(facts, 'chat.completion.chunk'), choices: [], usage: usageOf(facts) })] : []),
    'data: [DONE]\n\n',
  ],
  whole: (answer, facts) => {
    const { reasoning, text, calls = [] } = answer
    const thoughts = wholeOf(reasoning)
    const content = wholeOf(text)
    const message = {
      role: 'assistant',
      content: content === '' && calls.length > 0 ? null : content,
      ...(thoughts && { reasoning_content: thoughts }),
      ...(calls.length > 0 && { tool_calls: calls.map((made, index) => wholeCall(made, index, facts)) }),
    }
    const usage = facts.usage ? { usage: usageOf(facts) } : {}
    return JSON.stringify({ ...headOf(facts, 'chat.completion'), choices: [{ index: 0, message, finish_reason: finishOf(answer), logprobs: null }], ...usage })
  },
  refusal: (status, text, code) => JSON.stringify({ error: { message: text, type: errorType(status), param: null, code: code ?? null } }),
  errorChunk: (text) => event({ error: { message: text, type: 'api_error', param: null, code: null } }),
}

function event(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

/** Time stands still here, so that an answer is the same bytes every time. */
function headOf({ model, number }: AnswerFacts, object: string): object {
  return { id: `chatcmpl-${number}`, object, created: 1_767_225_600, model }
}

function delta(facts: AnswerFacts, fields: object, finish: string | null = null): string {
  return event({ ...headOf(facts, 'chat.completion.chunk'), choices: [{ index: 0, delta: fields, finish_reason: finish }] })
}

/** The name first, then the arguments in pieces, as the protocol has it. */
function callDeltas(made: UpstreamCall, index: number, facts: AnswerFacts): string[] {
  const { id, type, function: called } = wholeCall(made, index, facts)
  const middle = Math.ceil(called.arguments.length / 2)
  const pieces = [called.arguments.slice(0, middle), called.arguments.slice(middle)].filter((piece) => piece !== '')
  return [
    delta(facts, { tool_calls: [{ index, id, type, function: { name: called.name, arguments: '' } }] }),
    ...pieces.map((piece) => delta(facts, { tool_calls: [{ index, function: { arguments: piece } }] })),
  ]
}

function wholeCall({ id, name, arguments: given }: UpstreamCall, index: number, { number }: AnswerFacts): ReturnType<typeof call> {
  return call(id ?? `call_${number}_${index}`, name, given)
}

function finishOf({ finish, calls = [] }: UpstreamAnswer): string {
  if (finish === 'filter') return 'content_filter'
  return finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
}

function asksForUsage({ request, usage }: AnswerFacts): boolean {
  const { stream_options: options } = request as { readonly stream_options?: { readonly include_usage?: unknown } | null }
  return usage !== undefined && options?.include_usage === true
}

function usageOf({ usage: { prompt = 0, completion = 0, cached } = {} }: AnswerFacts): object {
  const details = cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...details }
}

function errorType(status: number): string {
  if (status >= 500) return 'api_error'
  return status === 404 ? 'not_found_error' : 'invalid_request_error'
}
