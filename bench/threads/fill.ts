import { postgresStore } from '@minutebook/postgres'
import { sqliteStore } from '@minutebook/sqlite'
import type { Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { capacity, makeWordTable, wordTableOf } from '../../packages/sqlite/src/word-table.ts'
import { query } from '../postgres/server.ts'
import { createRandom } from '../random.ts'
import { prose } from '../scale/prose.ts'

/**
 * Makes a store of very many threads in a few minutes: some threads are written through the store, and SQL copies their
 * rows. So every row has the form, the checksums and the words that the store itself gives it. Thread 0 was written
 * first, and each of the others a second later.
 */
const filled = { since: new Date('2020-01-01T00:00:00Z'), patterns: 11 } as const

/** When this many of the copies had been written. */
export function timeAfter(copies: number): Date {
  return new Date(filled.since.getTime() + copies * 1000)
}

/** The word of all threads, that of ten, and metadata likewise. */
export const words = { ofAll: 'everywhere', ofTen: 'seldomly' } as const
export const metadata = { ofAll: { team: 'all' }, ofTen: { owner: 'ann' } } as const

export const tenant = 'scale'

export function nameOf(number: number): string {
  return `copy-${String(number).padStart(7, '0')}`
}

/** The last pattern has the word of ten threads. */
async function writePatterns(store: Store): Promise<void> {
  const random = createRandom(7)
  const time = '2026-11-15T12:00:00.000Z'
  for (let number = 0; number < filled.patterns; number++) {
    const isRare = number === filled.patterns - 1
    const content = `${prose(random, 200)} ${words.ofAll} ${isRare ? words.ofTen : ''}`
    const question = entryOf({ role: 'user', content }, undefined, { time })
    const answer = entryOf({ role: 'assistant', content: prose(random, 400) }, question, { time })
    const pairs = Object.entries({ ...metadata.ofAll, ...(isRare && metadata.ofTen) })
    const records = pairs.map(([key, value]) => ({ name: 'metadata', key, value }))
    await store.append(`pattern-${number}`, [question, answer], { records })
  }
  // The store indexes words before it searches them.
  await store.search(words.ofAll, { limit: 1 })
}

/** Which pattern a copy has, as SQL: ten of the copies are rare. */
function patternOf(copy: string, size: number): string {
  const rare = filled.patterns - 1
  return `case when ${copy} % ${Math.max(1, Math.floor(size / 10))} = 0 then ${rare} else ${copy} % ${rare} end`
}

export async function fillSqlite(file: string, size: number): Promise<void> {
  mkdirSync(dirname(file), { recursive: true })
  const store = sqliteStore(file)
  await writePatterns(store)
  store.close()
  const database = new DatabaseSync(file)
  // Before its first reading, a connection does not know that the file has a write-ahead log, which it is to leave.
  database.exec(`
    select 1 from thread;
    pragma journal_mode = memory;
    pragma synchronous = off;
    pragma foreign_keys = off;
    pragma cache_size = -400000;
    begin;
    create temp table copy as
      with recursive copies (copy) as (select 0 union all select copy + 1 from copies where copy + 1 < ${size})
      select copy, ${patternOf('copy', size)} as pattern from copies;
    create temp table pattern as
      select number, cast(substr(name, 10, length(name) - 10) as integer) as pattern from thread;
    update thread set number = -number;
    update entry set thread = -thread, number = -number;
    insert into thread (number, name, head, length, term, erasures, unfinished, written, time)
      select copy + 1, printf('"copy-%07d"', copy), head, length, term, erasures, unfinished, copy * 2 + 2,
        ${filled.since.getTime()} + copy * 1000
      from copy join pattern using (pattern) join thread on thread.number = -pattern.number order by copy;
    insert into entry (number, thread, seq, id, parent, chained, key, payload, checksum)
      select copy * 2 + seq + 1, copy + 1, seq, id, parent, chained, key, payload, checksum
      from copy join pattern using (pattern) join entry on entry.thread = -pattern.number order by copy, seq;
    insert into record (thread, name, key, value, version, written)
      select printf('"copy-%07d"', copy), name, key, value, version, 1000 + copy * 2 + row_number() over (partition by copy)
      from copy join pattern using (pattern) join record on record.thread = printf('"pattern-%d"', pattern);
    delete from record where thread like '"pattern%';
    delete from entry where number < 0;
    delete from thread where number < 0;
    drop table words_0;
    delete from word_table;
    update indexed set number = (select max(number) from entry);
    commit;
  `)
  for (let table = 0; table <= wordTableOf(size * 2); table++) {
    database.exec('begin')
    makeWordTable(database, table)
    database.exec(`
      insert into words_${table} (rowid, thread, words)
        select number, 't' || thread, json_extract(payload, '$.raw.content') from entry
        where number >= ${table * capacity} and number < ${(table + 1) * capacity};
      insert into word_table (number) values (${table});
      commit;
    `)
  }
  database.exec('analyze')
  database.close()
}

export async function fillPostgres(url: string, superuserUrl: string, size: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  await writePatterns(postgresStore(pool, { tenant }))
  await pool.end()
  const moment = `timestamptz '${filled.since.toISOString()}' + copy * interval '1 second'`
  const name = `'copy-' || lpad(copy::text, 7, '0')`
  const copies = `(select copy, 'pattern-' || (${patternOf('copy', size)}) as pattern from generate_series(0, ${size - 1}) as copy) as copies`
  // An index is made in a fraction of the time that it takes to keep it up to date.
  const indexes = await query<{ readonly name: string; readonly definition: string }>(
    superuserUrl,
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'minutebook' and tablename in ('entry', 'record', 'word')
       and not exists (select from pg_constraint where conname = indexname)`,
  )
  for (const text of [
    ...indexes.map((index) => `drop index minutebook.${index.name}`),
    `insert into minutebook.thread (thread, tenant, name, head, length, term, erasures, written, searched)
     select ${name}, tenant, null, head, length, term, erasures, ${moment}, searched
     from ${copies} join minutebook.thread on thread = pattern order by copy`,
    `insert into minutebook.entry (thread, tenant, seq, id, payload, checksum, written, key)
     select ${name}, tenant, seq, id, payload, checksum, ${moment}, key
     from ${copies} join minutebook.entry on thread = pattern order by copy, seq`,
    `insert into minutebook.record (thread, tenant, thread_name, name, key, key_name, value, version, written)
     select ${name}, tenant, null, record.name, key, key_name, value, version, ${moment}
     from ${copies} join minutebook.record on thread = pattern order by copy`,
    `insert into minutebook.word (thread, tenant, seq, written, words)
     select ${name}, tenant, seq, ${moment}, words
     from ${copies} join minutebook.word on thread = pattern order by copy, seq`,
    ...['entry', 'record', 'word', 'thread'].map(
      (each) => `delete from minutebook.${each} where thread like 'pattern%'`,
    ),
    ...indexes.map(({ definition }) => `set maintenance_work_mem = '1GB'; ${definition}`),
    'vacuum (analyze) minutebook.thread, minutebook.entry, minutebook.record, minutebook.word',
  ])
    await query(superuserUrl, text)
}
