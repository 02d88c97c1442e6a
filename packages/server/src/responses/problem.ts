import { MinutebookError } from 'minutebook'
import { busy } from '../memory/memory.ts'
import { refusalError, type Refusal } from '../refusal.ts'

/** A request that cannot be done: what is wrong with which field. Caught where the request came in. */
export function unusable(param: string, message: string, code = 'invalid_request'): MinutebookError {
  return refusalError(
    { code: 'unusable', message },
    { refusal: { status: 400, code, message, param } satisfies Refusal },
  )
}

/** What is not there, or not for this key to know of. */
export function missing(what: 'response' | 'conversation' | 'item', param?: string): MinutebookError {
  const message = `There is no ${what} with this id for this key. Check the id; what was deleted, or made with store: false, is gone.`
  return refusalError(
    { code: 'unusable', message },
    {
      refusal: { status: 404, code: `${what}_not_found`, message, param } satisfies Refusal,
    },
  )
}

/** Undefined where an error is none of these. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (!MinutebookError.isInstance(error)) return undefined
  if (error.code === 'overloaded') return busy
  return error.code === 'unusable' ? (error.details['refusal'] as Refusal) : undefined
}
