import { visible, type Entry } from 'minutebook'
import { outputId, type ResponsePlace } from './ids.ts'

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

/** The items of an answer: its thoughts, its text, its calls. Notes to self are in none of them. */
export function outputOf(answer: Entry, place: ResponsePlace): OutputItem[] {
  const [shown] = visible([answer])
  if (!shown || answer.status === 'erased') return []
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
