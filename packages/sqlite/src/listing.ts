import { metadataFrom, recordNames, type Listing, type Page, type Standing } from 'minutebook/store'
import type { DatabaseSync } from 'node:sqlite'
import { bounded, standingOf } from './threads.ts'

/**
 * Lists threads, with their metadata. What a page costs does not depend on the number of threads in the file, unless many
 * threads have a pair of metadata, but none of the newest.
 */
export type ListThreads = (page?: Page) => Listing

/** Threads that have a pair of metadata: if no more do, they are all looked up. */
const few = 1000
/** The newest threads that are searched for pairs of metadata that many have. */
const searched = 10_000

export function createListing(database: DatabaseSync): ListThreads {
  const listed = `select name, head, length, term, erasures, written, time, ${pairsOf('thread.name')} as pairs`
  const newest = database.prepare(`${listed} from thread where written < ? order by written desc limit ?`)
  const unfinished = database.prepare(
    `${listed} from thread where unfinished > 0 and written < ? order by written desc limit ?`,
  )
  const oldest = database.prepare(`${listed} from thread where written > ? order by written limit ?`)
  const onceMore = database.prepare(`select 1 from record where ${isPair('?', '?')} limit 1 offset ${few}`)
  const place = database.prepare(
    `select written from thread where written < ? order by written desc limit 1 offset ${searched}`,
  )
  const having = database.prepare(`
    ${listed} from thread where written < :before and written >= :floor and :count = (
      select count(*) from json_each(:pairs) cross join record
      where record.thread = thread.name and ${isPair('json_each.value ->> 0', 'json_each.value ->> 1')}
    ) order by written desc limit :most
  `)
  // A cross join is done in this order: from the pairs to the threads that have them.
  const lookedUp = database.prepare(`
    with having_all as (
      select record.thread from json_each(:pairs) cross join record
      where ${isPair('json_each.value ->> 0', 'json_each.value ->> 1')}
      group by record.thread having count(*) = :count
    )
    ${listed} from having_all cross join thread on thread.name = having_all.thread
    where written < :before order by written desc limit :most
  `)

  /** Looks through the newest threads first if many have these pairs: then a page is full soon. */
  const havingAll = (asked: readonly (readonly [string, string])[], before: number, most: number): unknown[] => {
    const pairs = { pairs: JSON.stringify(asked), count: asked.length, before, most }
    const isRare = asked.some((pair) => onceMore.get(...pair) === undefined)
    if (isRare) return lookedUp.all(pairs)
    const floor = Number(place.get(before)?.['written'] ?? 0)
    const found = having.all({ ...pairs, floor })
    return found.length === most || floor === 0 ? found : lookedUp.all(pairs)
  }

  return ({ limit = 100, after, metadata = {}, unfinished: isUnfinished = false, unwrittenSince } = {}) => {
    const most = bounded(limit)
    const asked = Object.entries(metadata).map(([key, value]) => [JSON.stringify(key), JSON.stringify(value)] as const)
    const before = after === undefined ? Infinity : Number(after)
    const rows = (unwrittenSince
      ? untilNewer(oldest.all(after === undefined ? 0 : Number(after), most + 1), unwrittenSince)
      : isUnfinished
        ? unfinished.all(before, most + 1)
        : asked.length > 0
          ? havingAll(asked, before, most + 1)
          : newest.all(before, most + 1)) as unknown as ListedRow[]
    const page = rows.slice(0, most)
    const last = page.at(-1)
    return {
      threads: page.map(({ name, pairs, ...row }) => ({
        thread: read(name),
        ...standingOf(row),
        metadata: metadataFrom(
          (JSON.parse(pairs) as [string, string][]).map(([key, value]) => [read(key), read(value)]),
        ),
      })),
      ...(last && rows.length > most && { next: String(last.written) }),
    }
  }
}

interface ListedRow extends Standing {
  readonly name: string
  readonly written: number
  /** Milliseconds since 1970. */
  readonly time: number
  /** Its metadata, as JSON: keys and values are themselves JSON, as they are kept. */
  readonly pairs: string
}

/** Threads were written in this order, so those after a newer one are newer, too. */
function untilNewer(rows: readonly unknown[], since: Date): readonly unknown[] {
  const end = rows.findIndex((row) => (row as ListedRow).time >= since.getTime())
  return end < 0 ? rows : rows.slice(0, end)
}

const recordName = JSON.stringify(recordNames.metadata)

function isPair(key: string, value: string): string {
  return `record.name = '${recordName}' and record.key = ${key} and record.value = ${value}`
}

function pairsOf(thread: string): string {
  const ofThread = `select json_array(key, value) as pair from record where thread = ${thread} and name = '${recordName}'`
  return `(select json_group_array(json(pair)) from (${ofThread}))`
}

function read(text: string): string {
  return JSON.parse(text) as string
}
