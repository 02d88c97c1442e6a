import type { components } from '@minutebook/client'

type Schemas = components['schemas']

/** A model call as the server tells it. */
export type Inspection = Schemas['Inspection']
export type InspectedEntry = Inspection['entries'][number]
export type InspectedMessage = Inspection['messages'][number]
export type InspectedPiece = InspectedMessage['pieces'][number]
export type Share = Inspection['shares'][number]
export type Verdict = InspectedEntry['verdict']
/** A model call in a list. */
export type CallBrief = Schemas['Calls']['calls'][number]
export type Receipt = Schemas['Receipt']

/** What a receipt says beside what every receipt says. */
export function receiptFacts(receipt: Receipt): {
  readonly mode?: string
  readonly truncated?: string
  readonly low?: number
  readonly high?: number
} {
  const { mode, truncated } = receipt as { readonly mode?: unknown; readonly truncated?: unknown }
  const { low, high } = receipt.tokens as { readonly low?: unknown; readonly high?: unknown }
  return {
    ...(typeof mode === 'string' && { mode }),
    ...(typeof truncated === 'string' && { truncated }),
    ...(typeof low === 'number' && typeof high === 'number' && { low, high }),
  }
}
