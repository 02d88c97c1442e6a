import type { Begun } from './kept-response.ts'
import type { Ending } from './ending.ts'
import { responsePlace } from './ids.ts'
import { outputOf, type OutputItem } from './output.ts'
import type { Terms } from './terms.ts'

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
  readonly ending?: Ending | undefined
  readonly stores: boolean
}

/** The same from the record as it was when it was given. */
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
        ? { code: 'server_error', message: ending?.reason ?? 'The model gave no whole answer. Ask again.' }
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
}: Ending): object | null {
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
