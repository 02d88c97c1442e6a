import { MinutebookError } from 'minutebook'
import { checkMetadata, type Metadata } from 'minutebook/store'
import { readObject } from '../gateway/request.ts'
import type { Fields } from '../http/json.ts'
import type { ObjectSpans } from '../protocol/json-members.ts'
import { busy } from '../http/memory.ts'
import { refusalError, refuse, type Refusal } from '../http/reply.ts'
import type { Visit } from '../http/http.ts'

/** A request that cannot be done: which field is wrong, and why. Caught where the request came in. */
export function requestError(param: string, problem: string, fix: string, code = 'invalid_request'): MinutebookError {
  return refusedRequestError({ status: 400, code, problem, fix, param })
}

/** The same with another status. */
export function refusedRequestError(refusal: Refusal): MinutebookError {
  return refusalError({ ...refusal, code: 'unusable' }, { refusal })
}

/** What does not exist, or what this key may not know of. */
export function notFoundError(what: 'response' | 'conversation' | 'item', param?: string): MinutebookError {
  return refusedRequestError({ status: 404, code: `${what}_not_found`, ...missing(what), param })
}

function missing(what: string): Pick<Refusal, 'problem' | 'fix'> {
  return {
    problem: `There is no ${what} with this id for this key.`,
    fix: 'Check the id. What was deleted, or made with store: false, is no longer there.',
  }
}

/** A response that a request names to go on from. As OpenAI answers: the fault is in the request. */
export function previousNotFoundError(): MinutebookError {
  const { problem, fix } = missing('response')
  return requestError('previous_response_id', problem, fix, 'previous_response_not_found')
}

/** Undefined if the error is of another kind. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (!MinutebookError.isInstance(error)) return undefined
  if (error.code === 'overloaded') return busy
  const { code, problem, fix } = error
  if (code === 'needs_decision') return { status: 409, code, problem, fix }
  return error.code === 'unusable' ? (error.details['refusal'] as Refusal) : undefined
}

/** A body as an object, with the places of its members. Throws if it is not a JSON object. */
export function objectIn(bytes: Buffer): { readonly fields: Fields; readonly spans: ObjectSpans } {
  const object = readObject(bytes)
  if ('fix' in object) throw requestError('body', object.problem, object.fix)
  return object
}

export function fieldsIn(bytes: Buffer): Fields {
  return objectIn(bytes).fields
}

/** Refuses a request, in the form that OpenAI's clients read. */
export function refuseVisit(visit: Visit, refusal: Refusal): void {
  if (visit.response.destroyed) return
  visit.tell({ code: refusal.code })
  refuse(visit.response, refusal, 'openai')
}

/** The metadata of a response or a conversation, with the limits of a thread's. Null if the value is missing. */
export function metadataIn(value: unknown): Metadata | null {
  if (value === undefined || value === null) return null
  try {
    return checkMetadata(value)
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    throw requestError('metadata', error.problem, error.fix)
  }
}
