import { MinutebookError, type Finish, type ModelEvent } from 'minutebook'
import { cutOffError, usageOf, type EndEvent, type Reply } from 'minutebook/wire'
import { asObject, isGiven, type Fields } from '../http/json.ts'
import { openAi } from '../protocol/openai.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { ranTools, saidMessage } from './item-messages.ts'

/** Gathers a response that an upstream gives, streamed or whole. */
export interface ResponseReply extends Reply {
  /** Whether a part of the output has come. */
  readonly hasBegun: boolean
  /** The number of the last event. */
  readonly last: number
}

/** OpenAI's `/v1/responses`, as an upstream serves it. `reply`: called for each answer. */
export function directProtocol(reply: () => ResponseReply): Protocol {
  return {
    ...openAi,
    path: '/v1/responses',
    endsWithDone: false,
    reply,
    isEnding: ({ type, object }) => (type === undefined ? object === 'response' : endings.has(type)),
  }
}

const endings: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
  'error',
])

/** Events that come before the first part of the output. */
const openings: ReadonlySet<unknown> = new Set(['response.created', 'response.queued', 'response.in_progress'])

/**
 * @example
 * const reply = responseReply()
 * for await (const event of stream) yield* reply.push(event)
 * const { message } = reply.end()
 */
export function responseReply(): ResponseReply {
  const items: Fields[] = []
  let response: Fields | undefined
  let [isDone, hasBegun, last] = [false, false, -1]
  return {
    push: (chunk) => {
      const fields = asObject(chunk)
      const { type, sequence_number: number, item } = fields
      if (typeof number === 'number') last = number
      const isWhole = type === undefined && fields['object'] === 'response'
      isDone ||= isWhole || endings.has(type)
      const ended = isWhole ? fields : endings.has(type) ? asObject(fields['response']) : undefined
      if (type === 'error' || isGiven(fields['error']) || (ended && hasFailed(ended))) throw failedError()
      if (type === 'response.output_item.done') items.push(asObject(item))
      hasBegun ||= !openings.has(type)
      response = ended ?? response
      return eventsOf(fields)
    },
    end: () => {
      if (!response) throw cutOffError()
      const { output } = response
      // Some servers leave the output out of the last event.
      return endOf(response, Array.isArray(output) && output.length > 0 ? output.map(asObject) : items)
    },
    get done() {
      return isDone
    },
    get hasBegun() {
      return hasBegun
    },
    get last() {
      return last
    },
  }
}

function hasFailed({ status, error }: Fields): boolean {
  return status === 'failed' || status === 'cancelled' || isGiven(error)
}

function failedError(): MinutebookError {
  return new MinutebookError('model_error', 'The upstream says that the response failed.', 'Ask again.')
}

function eventsOf({ type, delta }: Fields): ModelEvent[] {
  if (typeof delta !== 'string' || delta === '') return []
  if (type === 'response.output_text.delta') return [{ type: 'text', text: delta }]
  return thoughts.has(type) ? [{ type: 'reasoning', text: delta }] : []
}

const thoughts: ReadonlySet<unknown> = new Set([
  'response.reasoning_text.delta',
  'response.reasoning_summary_text.delta',
])

function endOf({ status, incomplete_details: details, usage }: Fields, items: readonly Fields[]): EndEvent {
  const message = saidMessage(items)
  const cut: Finish = asObject(details)['reason'] === 'content_filter' ? 'filter' : 'length'
  const { input_tokens: input, output_tokens: output, input_tokens_details: read } = asObject(usage)
  // What tools of the host found is counted, but was not sent.
  const prompt = ranTools(items) ? undefined : input
  const told = usageOf({ prompt, completion: output, cached: asObject(read)['cached_tokens'] })
  return {
    type: 'end',
    message,
    finish: status === 'incomplete' ? cut : Array.isArray(message.tool_calls) ? 'calls' : 'stop',
    ...(told && { usage: told }),
  }
}
