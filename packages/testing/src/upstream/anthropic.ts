import { fieldsOf } from 'minutebook/wire'
import { omittedThinking, signedThinking } from './anthropic-rules.ts'
import {
  piecesOf,
  wholeOf,
  type AnswerFacts,
  type Protocol,
  type UpstreamAnswer,
  type UpstreamCall,
} from './protocols.ts'

/** Anthropic's `/v1/messages`: named events if the request says `stream: true`, else one object. */
export const anthropicProtocol: Protocol = {
  wire: 'anthropic',
  streamType: 'text/event-stream; charset=utf-8',
  streams: ({ stream }) => stream === true,
  chunks: (answer, facts) => {
    const blocks = blocksOf(answer, facts)
    const [opening, ...rest] = blocks.flatMap(blockEvents)
    return [
      event({
        type: 'message_start',
        message: { ...headOf(facts), content: [], ...endOf(null), ...usageOf(facts, 1) },
      }),
      ...(opening === undefined ? [] : [opening]),
      event({ type: 'ping' }),
      ...rest,
      event({ type: 'message_delta', delta: endOf(stopReason(answer)), ...outputOf(facts) }),
      event({ type: 'message_stop' }),
    ]
  },
  whole: (answer, facts) =>
    JSON.stringify({
      ...headOf(facts),
      content: blocksOf(answer, facts).map(({ block }) => block),
      ...endOf(stopReason(answer)),
      ...usageOf(facts, facts.usage?.completion),
    }),
  tooLong: (tokens, window) =>
    tokens > window ? `prompt is too long: ${tokens} tokens > ${window} maximum` : undefined,
  refusal: (status, text) => JSON.stringify(errorOf(status, text)),
  errorChunk: (text) => event(errorOf(500, text)),
}

function event(value: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
}

function headOf({ model, number }: AnswerFacts): object {
  return { id: `msg_${number}`, type: 'message', role: 'assistant', model }
}

function endOf(reason: string | null): object {
  return { stop_reason: reason, stop_sequence: null }
}

function stopReason({ finish, calls = [] }: UpstreamAnswer): string {
  if (finish === 'filter') return 'refusal'
  if (finish === 'length') return 'max_tokens'
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

/** A block of an answer: as it begins, what follows piece by piece, and as it is in the end. */
interface SaidBlock {
  readonly opening: object
  readonly deltas: readonly object[]
  readonly block: object
}

function blocksOf({ reasoning, text, calls = [] }: UpstreamAnswer, facts: AnswerFacts): readonly SaidBlock[] {
  const [thought, said] = [wholeOf(reasoning), wholeOf(text)]
  return [
    ...(thought === '' ? [] : [thoughtBlock(thought, showsThoughts(facts) ? piecesOf(reasoning) : [])]),
    ...(said === '' ? [] : [textBlock(said, piecesOf(text))]),
    ...calls.map((call, index) => callBlock(call, `toolu_${facts.number}_${index}`)),
  ]
}

function showsThoughts({ request }: AnswerFacts): boolean {
  return fieldsOf(request['thinking'])['display'] !== 'omitted'
}

function thoughtBlock(thought: string, pieces: readonly string[]): SaidBlock {
  const block = pieces.length === 0 ? omittedThinking(thought) : signedThinking(thought)
  return {
    opening: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: block.signature },
    ],
    block,
  }
}

function textBlock(text: string, pieces: readonly string[]): SaidBlock {
  return {
    opening: { type: 'text', text: '' },
    deltas: pieces.map((piece) => ({ type: 'text_delta', text: piece })),
    block: { type: 'text', text },
  }
}

/** The input of a call comes in pieces of its JSON, which begin with an empty one. */
function callBlock({ id: given, name, arguments: input = {} }: UpstreamCall, own: string): SaidBlock {
  const id = given ?? own
  const json = JSON.stringify(input)
  const middle = Math.ceil(json.length / 2)
  return {
    opening: { type: 'tool_use', id, name, input: {} },
    deltas: ['', json.slice(0, middle), json.slice(middle)].map((piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    })),
    block: { type: 'tool_use', id, name, input },
  }
}

function blockEvents({ opening, deltas }: SaidBlock, index: number): readonly string[] {
  return [
    event({ type: 'content_block_start', index, content_block: opening }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ]
}

/** The three counts of the prompt are its parts: none has a token of another. */
function usageOf({ usage, written = 0 }: AnswerFacts, output = 0): object {
  if (usage === undefined) return {}
  const { prompt = 0, cached = 0 } = usage
  const added = Math.max(0, Math.min(written, prompt - cached))
  return {
    usage: {
      input_tokens: Math.max(0, prompt - cached - added),
      cache_creation_input_tokens: added,
      cache_read_input_tokens: cached,
      output_tokens: output,
    },
  }
}

function outputOf({ usage }: AnswerFacts): object {
  return usage === undefined ? {} : { usage: { output_tokens: usage.completion ?? 0 } }
}

function errorOf(status: number, message: string): { readonly type: 'error'; readonly error: object } {
  return { type: 'error', error: { type: errorTypes.get(status) ?? 'api_error', message } }
}

const errorTypes: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [529, 'overloaded_error'],
])
