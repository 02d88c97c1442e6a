import { visible, type Entry } from 'minutebook'
import { asObject } from '../http/json.ts'
import { outputId, responsePlace, type ResponsePlace } from './ids.ts'
import type { Begun, ResponseOutcome } from './recorded.ts'
import type { Terms } from './request-fields.ts'

/** A response as clients get it. */
export interface ResponseObject extends Terms {
  readonly id: string
  readonly object: 'response'
  readonly status: 'completed' | 'incomplete' | 'failed' | 'cancelled' | 'in_progress'
  readonly error: { readonly code: string; readonly message: string } | null
  readonly output: readonly OutputItem[]
}

/** What it is made of. */
export interface ResponseParts {
  readonly begun: Begun
  readonly terms: Terms
  /** Undefined while the model is at work. */
  readonly ending?: ResponseOutcome | undefined
  readonly stores: boolean
}

/** The same, from the record at the time of the answer. */
export function responseOf({ begun, terms, ending, stores }: ResponseParts): ResponseObject {
  const { id, created, model, metadata, previous, conversation } = begun
  const outcome = ending?.receipt.outcome
  const status = outcome === undefined ? 'in_progress' : (statuses.get(outcome) ?? 'completed')
  return {
    id,
    object: 'response',
    created_at: created,
    completed_at: status === 'completed' ? (secondsOf(ending?.answer?.time) ?? created) : null,
    status,
    background: false,
    error:
      status === 'failed'
        ? { code: 'server_error', message: ending?.reason ?? 'The model returned no complete answer. Ask again.' }
        : null,
    incomplete_details:
      status === 'incomplete' ? { reason: outcome === 'filter' ? 'content_filter' : 'max_output_tokens' } : null,
    model,
    output: ending?.answer ? outputOf(ending.answer, responsePlace(id) ?? { part: '', name: '' }) : [],
    usage: ending ? usageOf(ending) : null,
    previous_response_id: previous,
    ...(conversation !== null && { conversation: { id: conversation } }),
    metadata,
    store: stores,
    ...terms,
  }
}

const statuses: ReadonlyMap<string, ResponseObject['status']> = new Map([
  ['length', 'incomplete'],
  ['filter', 'incomplete'],
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
])

function usageOf({
  receipt: {
    tokens: {
      reported: { prompt, completion, cached },
    },
  },
}: ResponseOutcome): object | null {
  if (prompt === undefined && completion === undefined) return null
  const [input, output] = [prompt ?? 0, completion ?? 0]
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
}

function secondsOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Math.floor(Date.parse(time) / 1000)
}

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export interface TextPart {
  readonly type: 'output_text'
  readonly text: string
  readonly annotations: readonly never[]
  readonly logprobs: readonly never[]
}

/** What a model said, as items. */
export type OutputItem =
  | {
      readonly type: 'reasoning'
      readonly id: string
      readonly summary: readonly never[]
      readonly content: readonly { readonly type: 'reasoning_text'; readonly text: string }[]
      readonly status: ItemStatus
    }
  | {
      readonly type: 'message'
      readonly id: string
      readonly role: 'assistant'
      readonly status: ItemStatus
      readonly content: readonly TextPart[]
    }
  | {
      readonly type: 'function_call'
      readonly id: string
      readonly call_id: string
      readonly name: string
      readonly arguments: string
      readonly status: ItemStatus
    }

/** The items of an answer: its reasoning, its text, its calls. None of them contains notes to self. */
export function outputOf(answer: Entry, place: ResponsePlace): OutputItem[] {
  const [shown] = visible([answer])
  if (!shown || answer.status === 'erased') return []
  // As the upstream wrote them.
  const { items } = asObject(answer.raw)
  if (Array.isArray(items)) return items as OutputItem[]
  const status = answer.status === 'complete' ? 'completed' : 'incomplete'
  const { text, calls } = shown
  return [
    // Thoughts that something follows are whole.
    ...(answer.reasoning === ''
      ? []
      : [reasoningItem(place, text !== '' || calls.length > 0 ? 'completed' : status, answer.reasoning)]),
    ...(text === '' && calls.length > 0 ? [] : [messageItem(place, status, text)]),
    ...calls.map(({ id = '', name, arguments: given }, index) =>
      callItem(
        place,
        index,
        { call_id: id, name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
        status,
      ),
    ),
  ]
}

export function reasoningItem(place: ResponsePlace, status: ItemStatus, text?: string): OutputItem {
  return {
    type: 'reasoning',
    id: outputId(place, 'rs'),
    summary: [],
    content: text === undefined ? [] : [{ type: 'reasoning_text', text }],
    status,
  }
}

export function messageItem(place: ResponsePlace, status: ItemStatus, text?: string): OutputItem {
  return {
    type: 'message',
    id: outputId(place, 'msg'),
    role: 'assistant',
    status,
    content: text === undefined ? [] : [textPart(text)],
  }
}

export function textPart(text: string): TextPart {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function callItem(
  place: ResponsePlace,
  index: number,
  call: { readonly call_id: string; readonly name: string; readonly arguments: string },
  status: ItemStatus,
): OutputItem {
  return { type: 'function_call', id: outputId(place, 'fc', index), ...call, status }
}
