import { asObject, type Fields } from '../http/json.ts'
import type { Place } from '../matching/directory.ts'
import { findResponse, responseOfItem } from './recorded.ts'
import { outputPlace, responseId, responsePlace } from './ids.ts'
import { outputOf, type OutputItem } from './output.ts'
import { notFoundError } from './problems.ts'

/**
 * The fields of a request with earlier output in place of each `item_reference`. Throws if the output does not exist.
 */
export async function withReferences(fields: Fields, place: Place): Promise<Fields> {
  const { input } = fields
  if (!Array.isArray(input) || !input.some(isReference)) return fields
  const known = new Map<string, Promise<readonly OutputItem[]>>()
  const items = await Promise.all(
    input.map((item: unknown, index) =>
      isReference(item) ? itemNamed(asObject(item)['id'], `input[${index}].id`) : item,
    ),
  )
  return { ...fields, input: items }

  async function itemNamed(id: unknown, param: string): Promise<OutputItem> {
    const at = outputPlace(String(id))
    const response = at ? responseId(at) : await responseOfItem(place, String(id))
    if (response === undefined) throw notFoundError('item', param)
    const output = known.get(response) ?? outputOfResponse(place, response)
    known.set(response, output)
    const found = (await output).find((item) => item.id === id)
    if (!found) throw notFoundError('item', param)
    return found
  }
}

async function outputOfResponse(place: Place, response: string): Promise<readonly OutputItem[]> {
  const answer = (await findResponse(place, response))?.ending?.answer
  const at = responsePlace(response)
  return answer && at ? outputOf(answer, at) : []
}

function isReference(item: unknown): boolean {
  return asObject(item)['type'] === 'item_reference'
}
