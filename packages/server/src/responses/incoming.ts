import { readObject } from '../chat/request.ts'
import type { Fields } from '../fields.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { Visit } from '../visit.ts'
import { unusable } from './problem.ts'

/** Throws where a body is no JSON object. */
export function fieldsIn(bytes: Buffer): Fields {
  const object = readObject(bytes)
  if (typeof object === 'string') throw unusable('body', object)
  return object.fields
}

/** Turns a request away, as OpenAI's clients read it. */
export function refuseVisit(visit: Visit, refusal: Refusal): void {
  if (visit.response.destroyed) return
  visit.tell({ code: refusal.code })
  refuse(visit.response, refusal, 'openai')
}
