import type { Message, Usage } from 'minutebook'
import { call } from '../builders.ts'

/** A request as an upstream received it. */
export interface UpstreamRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body, byte for byte. In Node a Buffer. */
  readonly bytes: Uint8Array
  readonly text: string
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown
  /** Of a chat; empty of anything else. */
  readonly messages: readonly Message[]
  readonly tools: readonly unknown[]
  /** What was left of the messages for the model to see. */
  readonly seen: readonly Message[]
  /** Tokens of the prompt as it came, and of what was left of it. */
  readonly tokens: number
  readonly seenTokens: number
  readonly reuse: PrefixReuse
  /** The status of the answer; 0 without an answer. */
  readonly status: number
  /** Why it was refused. Undefined if it was not. */
  readonly refusal?: string
  /** Whether the client went away before it had the whole answer. */
  readonly aborted: boolean
  /** Resolves when the answer is over in any way. */
  readonly closed: Promise<void>
}

/** How much of a prompt stood at the beginning of the one before, for the same model: what a prompt cache can use. */
export interface PrefixReuse {
  readonly messages: number
  readonly tokens: number
  /** Of all tokens of the prompt, from 0 to 1. */
  readonly share: number
}

/** How a protocol writes down what a server says. */
export interface Protocol {
  readonly wire: 'ollama' | 'openai' | 'anthropic'
  readonly streamType: string
  /** The request as a chat, or why it is refused. Default: as it is. */
  chatOf?(json: unknown): unknown
  /** Whether the request asks for a stream. */
  streams(request: Readonly<Record<string, unknown>>): boolean
  chunks(answer: UpstreamAnswer, facts: AnswerFacts): string[]
  whole(answer: UpstreamAnswer, facts: AnswerFacts): string
  /** What the server says of a prompt that is too long for its window; undefined if it is not. */
  tooLong(tokens: number, window: number): string | undefined
  /** The body of a refusal. */
  refusal(status: number, text: string, code?: string): string
  /** An error among the chunks of a stream. */
  errorChunk(text: string): string
}

export interface AnswerFacts {
  readonly model: string
  readonly request: Readonly<Record<string, unknown>>
  /** Which answer of the upstream it is, from 0. */
  readonly number: number
  /** Undefined if no usage is to be reported. */
  readonly usage: Usage | undefined
  /** Tokens of the prompt that the server wrote into its cache. Default: 0. */
  readonly written?: number
}

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
    const message = {
      content: wholeOf(text),
      ...(thinking && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
    }
    return line(facts, message, lastFields(answer, facts))
  },
  tooLong: overflow,
  refusal: (_, text) => JSON.stringify({ error: text }),
  errorChunk: (text) => `${JSON.stringify({ error: text })}\n`,
}

/** A prompt that fills the window is too long: there must be a token for the answer. */
function overflow(tokens: number, window: number): string | undefined {
  return tokens < window
    ? undefined
    : `the prompt has ${tokens} tokens, and the input length exceeds the context length of ${window}`
}

/** A fixed time, so that an answer is the same bytes every time. */
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

/** OpenAI's `/v1/chat/completions`: server-sent events if the request says `stream: true`, else one object. */
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
    ...(asksForUsage(facts)
      ? [event({ ...headOf(facts, 'chat.completion.chunk'), choices: [], usage: usageOf(facts) })]
      : []),
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
    return JSON.stringify({
      ...headOf(facts, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: finishOf(answer), logprobs: null }],
      ...usage,
    })
  },
  tooLong: overflow,
  refusal: (status, text, code) =>
    JSON.stringify({ error: { message: text, type: errorType(status), param: null, code: code ?? null } }),
  errorChunk: (text) => event({ error: { message: text, type: 'api_error', param: null, code: null } }),
}

function event(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

/** A fixed time, so that an answer is the same bytes every time. */
function headOf({ model, number }: AnswerFacts, object: string): object {
  return { id: `chatcmpl-${number}`, object, created: 1_767_225_600, model }
}

function delta(facts: AnswerFacts, fields: object, finish: string | null = null): string {
  return event({
    ...headOf(facts, 'chat.completion.chunk'),
    choices: [{ index: 0, delta: fields, finish_reason: finish }],
  })
}

/** The name first, then the arguments in pieces, as the protocol requires. */
function callDeltas(made: UpstreamCall, index: number, facts: AnswerFacts): string[] {
  const { id, type, function: called } = wholeCall(made, index, facts)
  const middle = Math.ceil(called.arguments.length / 2)
  const pieces = [called.arguments.slice(0, middle), called.arguments.slice(middle)].filter((piece) => piece !== '')
  return [
    delta(facts, { tool_calls: [{ index, id, type, function: { name: called.name, arguments: '' } }] }),
    ...pieces.map((piece) => delta(facts, { tool_calls: [{ index, function: { arguments: piece } }] })),
  ]
}

function wholeCall(
  { id, name, arguments: given }: UpstreamCall,
  index: number,
  { number }: AnswerFacts,
): ReturnType<typeof call> {
  return call(id ?? `call_${number}_${index}`, name, given)
}

function finishOf({ finish, calls = [] }: UpstreamAnswer): string {
  if (finish === 'filter') return 'content_filter'
  return finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
}

function asksForUsage({ request, usage }: AnswerFacts): boolean {
  const { stream_options: options } = request as {
    readonly stream_options?: { readonly include_usage?: unknown } | null
  }
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

/** What the model of an upstream says. */
export interface UpstreamAnswer {
  /** A text goes out word by word, a list piece by piece. */
  readonly text?: string | readonly string[]
  readonly reasoning?: string | readonly string[]
  readonly calls?: readonly UpstreamCall[]
  /** Other items before the text, as they are; only of `/v1/responses`. */
  readonly items?: readonly object[]
  readonly finish?: 'stop' | 'length' | 'filter'
  /** Instead of what the upstream counts. */
  readonly usage?: Usage
}

/** A tool call in an answer. Default: no arguments. Without an id it gets one if the protocol requires it. */
export interface UpstreamCall {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly id?: string
}

/** One answer for every request, a list of them to be used in order, or a function of the request. */
export type UpstreamAnswers =
  | string
  | UpstreamAnswer
  | readonly (string | UpstreamAnswer)[]
  | ((request: UpstreamRequest) => string | UpstreamAnswer | Promise<string | UpstreamAnswer>)

/** Returns the answers one after the other; undefined if a list is used up. */
export function answering(answers: UpstreamAnswers): (request: UpstreamRequest) => Promise<UpstreamAnswer | undefined> {
  let used = 0
  return async (request) => {
    const answer =
      typeof answers === 'function'
        ? await answers(request)
        : Array.isArray(answers)
          ? (answers as readonly (string | UpstreamAnswer)[])[used++]
          : (answers as string | UpstreamAnswer)
    return typeof answer === 'string' ? { text: answer } : answer
  }
}

/** A text in the pieces in which it is sent: every word with the blank after it. */
export function piecesOf(text: string | readonly string[] = []): readonly string[] {
  if (typeof text !== 'string') return text
  const pieces: string[] = []
  let start = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] !== ' ') continue
    pieces.push(text.slice(start, index + 1))
    start = index + 1
  }
  return start < text.length ? [...pieces, text.slice(start)] : pieces
}

export function wholeOf(text: string | readonly string[] = ''): string {
  return typeof text === 'string' ? text : text.join('')
}
