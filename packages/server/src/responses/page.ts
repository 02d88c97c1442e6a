import type { Item } from './items.ts'
import { unusable } from './problem.ts'

/** A page of items, as the query asks for it: the newest twenty first unless told. */
export function pageOf(items: readonly Item[], query: string): object {
  const asked = new URLSearchParams(query)
  const order = asked.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw unusable('order', 'order is neither asc nor desc. Send one of them.')
  const limit = Number(asked.get('limit') ?? 20)
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 100)
    throw unusable('limit', 'limit is no whole number from 1 to 100. Send one.')
  const ordered = order === 'asc' ? items : items.toReversed()
  const after = asked.get('after')
  const at = after === null ? -1 : ordered.findIndex(({ id }) => id === after)
  if (after !== null && at < 0)
    throw unusable('after', 'after is the id of no item here. Send the last_id of the page before.')
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
