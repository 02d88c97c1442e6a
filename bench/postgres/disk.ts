import { randomUUID } from 'node:crypto'
import type { Entry } from 'minutebook'
import { entryOf, payloadOf } from 'minutebook/store'
import { postgresStore } from '@minutebook/postgres'
import { Pool } from 'pg'
import { table } from '../markdown.ts'
import { generate, styles } from '../synthetic.ts'
import { toWire } from '../wire-message.ts'
import { query, type Database } from './server.ts'

interface Sizes {
  readonly heap: string
  readonly toast: string
  readonly key: string
  readonly ids: string
  readonly rows: string
}

/**
 * What an entry takes on disk: of generated conversations with a receipt after each answer, in threads named by UUIDs,
 * as they come.
 */
export async function diskTable(
  { url, superuserUrl }: Database,
  threadsEach: number,
  exchanges: number,
): Promise<string> {
  const pool = new Pool({ connectionString: url, pipeline: true })
  const rows: string[][] = []
  try {
    for (const style of styles) {
      const store = postgresStore(pool, { tenant: style })
      const logs = Array.from({ length: threadsEach }, (_, seed) => ({
        thread: randomUUID(),
        log: logOf(style, seed, exchanges),
      }))
      await query(superuserUrl, 'truncate minutebook.entry, minutebook.thread')
      const longest = Math.max(...logs.map(({ log }) => log.length))
      for (let place = 0; place < longest; place++)
        await Promise.all(logs.map(({ thread, log }) => store.append(thread, log.slice(place, place + 1))))
      const payload = logs
        .flatMap(({ log }) => log)
        .reduce((sum, entry) => sum + Buffer.byteLength(payloadOf(entry)), 0)
      const [sizes] = await query<Sizes>(superuserUrl, sizesOf)
      const each = (bytes: string | number): string =>
        Math.round(Number(bytes) / Number(sizes!.rows)).toLocaleString('en')
      const { heap, toast, key, ids } = sizes!
      rows.push([
        style,
        Number(sizes!.rows).toLocaleString('en'),
        each(payload),
        each(heap),
        each(toast),
        each(key),
        each(ids),
        each(Number(heap) + Number(toast) + Number(key) + Number(ids)),
      ])
    }
  } finally {
    await pool.end()
  }
  return table(
    ['conversations', 'entries', 'payload', 'heap', 'toast', 'index by place', 'index by id', 'bytes an entry'],
    rows,
  )
}

/** As a thread would keep it. */
function logOf(style: (typeof styles)[number], seed: number, exchanges: number): Entry[] {
  const log: Entry[] = []
  for (const message of generate(style, seed, exchanges).messages) {
    const entry = entryOf(toWire(message), log.at(-1), { time: '2026-11-15T12:00:00.000Z' })
    log.push(entry)
    if (entry.kind === 'assistant' && entry.calls.length === 0)
      log.push(
        entryOf({ role: 'system', content: receiptLike(entry) }, entry, {
          kind: 'receipt',
          time: '2026-11-15T12:00:00.000Z',
        }),
      )
  }
  return log
}

/** As long as a real one. */
function receiptLike({ id, parent, seq }: Entry): string {
  return JSON.stringify({
    epoch: 3,
    hash: id,
    head: parent,
    length: seq,
    outcome: 'stop',
    settings: id,
    tokens: { predicted: 6000 + seq, reported: { input: 6000 + seq, output: 200 }, reused: 5000 },
    upto: parent,
    verdicts: { digested: 20, outlined: seq, verbatim: 20 },
    version: 1,
  })
}

const sizesOf = `
select pg_table_size('minutebook.entry') - coalesce(pg_total_relation_size(reltoastrelid), 0) as heap, coalesce(pg_total_relation_size(reltoastrelid), 0) as toast,
  pg_relation_size('minutebook.entry_pkey') as key, pg_relation_size('minutebook.entry_id') as ids, (select count(*) from minutebook.entry) as rows
from pg_class where oid = 'minutebook.entry'::regclass`
