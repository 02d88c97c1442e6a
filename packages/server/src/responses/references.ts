import { setImmediate as pause } from 'node:timers/promises'
import { asObject, type Fields } from '../http/json.ts'
import type { Place } from '../matching/directory.ts'
import { namedThread } from '../matching/thread-name.ts'
import { findResponse, responseOfItem } from './recorded.ts'
import { outputPlace, responseId, responsePlace } from './ids.ts'
import { outputOf, type OutputItem } from './output.ts'
import { notFoundError, requestError } from './problems.ts'
import { conversationIn } from './request.ts'

/**
 * The fields of a request with earlier output in place of each `item_reference`. Throws if the output does not exist,
 * or if there are too many references. An item with the id of an upstream is found in the response, the
 * conversation or the thread (`named`) that the request names, or by an id that cannot be guessed.
 */
export async function withReferences(fields: Fields, place: Place, named?: string): Promise<Fields> {
  const { input } = fields
  const references = Array.isArray(input) ? input.filter(isReference).length : 0
  if (!Array.isArray(input) || references === 0) return fields
  if (references > mostReferences)
    throw requestError(
      'input',
      `input contains ${references} items of the type item_reference. There may be ${mostReferences}.`,
      'Name fewer items, or continue with previous_response_id or conversation.',
    )
  const known = new Map<string, readonly OutputItem[]>()
  const items: unknown[] = []
  // One after the other: each is read from the store, and nothing is read after one that does not exist.
  for (const [index, item] of input.entries())
    items.push(isReference(item) ? await itemNamed(asObject(item)['id'], `input[${index}].id`) : item)
  return { ...fields, input: items }

  async function itemNamed(id: unknown, param: string): Promise<OutputItem> {
    // Others work in between: a store on disk answers at once.
    await pause()
    const at = outputPlace(String(id))
    const response = at ? responseId(at) : await responseWith(String(id))
    if (response === undefined) throw notFoundError('item', param)
    const output = known.get(response) ?? (await outputOfResponse(place, response))
    known.set(response, output)
    const found = output.find((item) => item.id === id)
    if (!found) throw notFoundError('item', param)
    return found
  }

  async function responseWith(item: string): Promise<string | undefined> {
    const { previous_response_id: previous } = fields
    if (typeof previous === 'string') return previous
    const conversation = conversationIn(fields['conversation'])
    const name = conversation ?? named
    return responseOfItem(place, item, name === undefined ? undefined : namedThread(place.owner, name))
  }
}

/** More than a client that sends a whole conversation as references needs. */
const mostReferences = 1000

async function outputOfResponse(place: Place, response: string): Promise<readonly OutputItem[]> {
  const answer = (await findResponse(place, response))?.ending?.answer
  const at = responsePlace(response)
  return answer && at ? outputOf(answer, at) : []
}

function isReference(item: unknown): boolean {
  return asObject(item)['type'] === 'item_reference'
}
