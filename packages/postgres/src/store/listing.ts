import type { Listing, Page } from 'minutebook/store'
import { together, type Database } from '../connection/connection.ts'
import { failureOf } from '../connection/failure.ts'
import { keyOf } from '../connection/key.ts'
import { requestOf, statement, type Request } from '../connection/statement.ts'
import { bounded, pagePlace, threadOf, type ListedRow } from './threads.ts'

const list = statement('list')
const listOldest = statement('list-oldest')
const listHaving = statement('list-having')
const listNewestHaving = statement('list-newest-having')
const countPairs = statement('count-pairs')

/** Threads that have a pair of metadata: if fewer do, they are all looked up. */
const few = 1000
/** The newest threads that are searched for pairs of metadata that many have. */
const searched = 10_000

/**
 * Lists threads, with their metadata. What a page costs does not depend on the number of threads of the tenant, unless
 * many threads have a pair of metadata, but none of the newest.
 */
export async function listThreads(
  database: Database,
  tenant: string,
  { limit = 100, after, metadata = {}, unwrittenSince }: Page = {},
): Promise<Listing> {
  const most = bounded(limit)
  const first = unwrittenSince ? '-infinity' : 'infinity'
  const [written, thread] = after === undefined ? [first, ''] : pagePlace(after, 1)
  const place = { tenant, written, thread, most: most + 1 }
  const ask = async <Row>(request: Request): Promise<Row[]> => {
    const [rows] = await together(database, tenant, [request]).catch((error: unknown) => {
      throw failureOf(error)
    })
    return rows as Row[]
  }
  /** Looks through the newest threads first if many have these pairs: then a page is full soon. */
  const havingAll = async (): Promise<ListedRow[]> => {
    const keys = Object.keys(metadata).map(keyOf)
    const pairs = { keys, values: Object.values(metadata).map((value) => JSON.stringify(value)) }
    const [rarest] = await ask<{ count: number }>(requestOf(countPairs, { tenant, ...pairs, most: few }))
    const found =
      (rarest?.count ?? 0) < few
        ? []
        : await ask<ListedRow>(requestOf(listNewestHaving, { ...place, ...pairs, searched }))
    return found.length > most ? found : ask(requestOf(listHaving, { ...place, ...pairs }))
  }
  const rows = unwrittenSince
    ? await ask<ListedRow>(requestOf(listOldest, { ...place, since: unwrittenSince }))
    : Object.keys(metadata).length > 0
      ? await havingAll()
      : await ask<ListedRow>(requestOf(list, place))
  const page = rows.slice(0, most)
  const last = page.at(-1)
  return {
    threads: page.map(threadOf),
    ...(last && rows.length > most && { next: JSON.stringify([last.written, last.thread]) }),
  }
}
