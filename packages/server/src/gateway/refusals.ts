import { MinutebookError } from 'minutebook'
import { busy } from '../http/memory.ts'
import type { Refusal } from '../http/reply.ts'

/**
 * How a chat that cannot be recorded is answered. `pass`: the record cannot hold it, but an upstream may understand it.
 * Rethrows faults of ours that are not the store's.
 */
export function chatRefusal(error: unknown): Refusal | 'pass' {
  const code = MinutebookError.isInstance(error) ? error.code : ''
  if (code === 'malformed_message' || code === 'remote_image' || code === 'unsupported_part') return 'pass'
  const known = codes.get(code)
  if (known && MinutebookError.isInstance(error))
    return { ...known, problem: error.problem, fix: error.fix, overflow: overflowIn(error) }
  if (faults.some((fault) => error instanceof fault)) throw error
  return storeFailure(error)
}

/** What a prompt that cannot be made to fit needs. */
function overflowIn({ code, details: { window, enough } }: MinutebookError): Refusal['overflow'] {
  if (code !== 'context_overflow' || typeof window !== 'number' || typeof enough !== 'number') return undefined
  return { window, needed: enough }
}

const faults = [TypeError, RangeError, ReferenceError, SyntaxError]

const codes: ReadonlyMap<string, Omit<Refusal, 'problem' | 'fix'>> = new Map<string, Omit<Refusal, 'problem' | 'fix'>>([
  ['context_overflow', { status: 400, code: 'context_length_exceeded' }],
  ['invalid_thread', { status: 400, code: 'invalid_thread' }],
  ['erased_before', { status: 400, code: 'erased_before' }],
  ['needs_decision', { status: 409, code: 'needs_decision' }],
  ['thread_too_large', { status: 413, code: 'thread_too_large' }],
  ['overloaded', busy],
  ['no_counter', { status: 500, code: 'no_counter', headers: { 'x-should-retry': 'false' } }],
])

/** The record cannot be written just now. */
const storeAway: Refusal = {
  status: 503,
  code: 'store_unreachable',
  problem: 'The record cannot be written just now, so no model was called.',
  fix: 'Ask again in a moment. To let chats pass unrecorded in such a case, set onStoreFailure: pass.',
  headers: { 'retry-after': '1' },
}

const storeFull: Refusal = {
  ...storeAway,
  code: 'store_full',
  problem: 'The disk of the store is full, so nothing can be recorded and no model was called.',
  fix: 'Free some disk space, and ask again. To let chats pass unrecorded in such a case, set onStoreFailure: pass.',
}

/** How a request is refused whose store failed with this error. */
export function storeFailure(error: unknown): Refusal {
  return MinutebookError.isInstance(error) && error.code === 'store_full' ? storeFull : storeAway
}

/** Whether the store is why a chat is refused: then it may be passed on unrecorded. */
export function isStoreFailure(refusal: Refusal | 'pass'): boolean {
  return refusal === storeAway || refusal === storeFull
}

/** An answer came, but could not be recorded. */
export const notRecorded: Refusal = {
  status: 503,
  code: 'answer_not_recorded',
  problem: 'The answer could not be recorded, so it is not a part of the conversation.',
  fix: 'Ask again in a moment.',
  headers: { 'retry-after': '1' },
}

/** An upstream that sends more than the server keeps of one answer. */
export const answerTooLong: Refusal = {
  status: 502,
  code: 'answer_too_long',
  problem: 'The answer of the upstream is longer than this server can hold in memory.',
  fix: 'Ask for a shorter answer (max_tokens), or give the server a larger heap.',
}

/** An upstream that ends in the middle of an answer as if it were complete. */
export const cutOff: Refusal = {
  status: 502,
  code: 'upstream_broke_off',
  problem: 'The upstream ended its answer without saying that the answer is complete.',
  fix: 'Look into the log of the upstream, and ask again.',
}
