import { visible } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import { asObject, parseObject } from '../http/json.ts'
import { idFrom } from '../stores/setup.ts'
import { inputId, responsePlace, type ResponsePlace } from './ids.ts'
import { inputContent } from './input.ts'
import { outputOf } from './output.ts'
import { requestError } from './problems.ts'
import { isSaid } from './thread-before.ts'

/** What was said, as clients see it, with its entry. */
export interface Item {
  readonly id: string
  readonly entry: string
  readonly shown: object
}

/** The items of a branch, oldest first. The entries that hang off an answer show which response it belongs to. */
export function itemsOf(branch: readonly StoredEntry[]): Item[] {
  const responses = new Map(
    branch.flatMap((entry) => {
      const place = placeIn(entry)
      return place && entry.parent !== null ? [[entry.parent, place] as const] : []
    }),
  )
  return branch.filter(isSaid).flatMap((entry) => itemsIn(entry, responses.get(entry.id)))
}

function itemsIn(entry: StoredEntry, place: ResponsePlace | undefined): Item[] {
  const shown = place && entry.kind === 'assistant' ? outputOf(entry, place) : inputItems(entry)
  return shown.map((item) => ({ id: item.id, entry: entry.id, shown: item }))
}

function inputItems(entry: StoredEntry): { readonly id: string }[] {
  const { id, kind, raw, answers } = entry
  const [seen] = kind === 'system' ? [entry] : visible([entry])
  if (!seen) return []
  const { items } = asObject(raw)
  if (Array.isArray(items)) return items.map((item, index) => ({ id: inputId('msg', id, index), ...asObject(item) }))
  if (kind === 'tool') {
    const { content } = raw
    return [
      {
        type: 'function_call_output',
        id: inputId('fco', id),
        call_id: answers?.id ?? null,
        output: typeof content === 'string' ? content : inputContent(content, false),
        status: 'completed',
      } as { id: string },
    ]
  }
  if (kind !== 'assistant')
    return [
      {
        type: 'message',
        id: inputId('msg', id),
        role: kind,
        status: 'completed',
        content: inputContent(raw.content, false),
      } as { id: string },
    ]
  const { text, calls } = seen
  return [
    ...(text === '' && calls.length > 0
      ? []
      : [
          {
            type: 'message',
            id: inputId('msg', id),
            role: 'assistant',
            status: 'completed',
            content: inputContent(text, true),
          } as { id: string },
        ]),
    ...calls.map(
      ({ id: call = '', name, arguments: given }, index) =>
        ({
          type: 'function_call',
          id: inputId('fc', id, index),
          call_id: call,
          name,
          arguments: typeof given === 'string' ? given : JSON.stringify(given),
          status: 'completed',
        }) as { id: string },
    ),
  ]
}

/** The response that a receipt was kept for. */
function placeIn({ kind, status, text }: StoredEntry): ResponsePlace | undefined {
  const id = kind === 'receipt' && status !== 'erased' ? idFrom('response', parseObject(text)?.['key']) : undefined
  return id === undefined ? undefined : responsePlace(id)
}

/** A page of items for a query. Default: the newest twenty first. */
export function pageOf(items: readonly Item[], query: string): object {
  const asked = new URLSearchParams(query)
  const order = asked.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc')
    throw requestError('order', 'order is neither asc nor desc.', 'Send one of them.')
  const limit = Number(asked.get('limit') ?? 20)
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 100)
    throw requestError('limit', 'limit is not a whole number from 1 to 100.', 'Send such a number.')
  const ordered = order === 'asc' ? items : items.toReversed()
  const after = asked.get('after')
  const at = after === null ? -1 : ordered.findIndex(({ id }) => id === after)
  if (after !== null && at < 0)
    throw requestError(
      'after',
      'after is not the id of an item of this list.',
      'Send the last_id of the previous page.',
    )
  const page = ordered.slice(at + 1, at + 1 + limit)
  return listOf(page, at + 1 + limit < ordered.length)
}

export function listOf(items: readonly Item[], hasMore = false): object {
  return {
    object: 'list',
    data: items.map(({ shown }) => shown),
    first_id: items[0]?.id ?? null,
    last_id: items.at(-1)?.id ?? null,
    has_more: hasMore,
  }
}
