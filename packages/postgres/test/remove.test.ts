import { entryOf } from 'minutebook/store'
import type { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import { user } from '@minutebook/testing'
import { migrate, postgresStore, type RemovedThreads } from '@minutebook/postgres'
import { statement } from '../src/connection/statement.ts'
import { servers, testDatabase } from '../../../tests/support/postgres/database.ts'
import { open } from '../../../tests/support/postgres/failing.ts'
import { gathered } from '../../../tests/support/postgres/gathered.ts'
import { waiting } from './support/waiting.ts'

describe.each(servers)('removing threads, on Postgres %s', (server) => {
  const database = testDatabase({ server, prepare: (pool) => migrate(pool) })

  test('takes all of a tenant, a hundred at a time, and tells what went', async () => {
    const store = postgresStore(database.pool, { tenant: 'all' })
    const names = [
      '',
      '\0',
      '\ud800',
      '"\\\\',
      'é'.repeat(500),
      'x'.repeat(200),
      'x'.repeat(201),
      ...Array.from({ length: 243 }, (_, index) => `thread ${index}`),
    ]
    for (const name of names) await store.append(name, [entryOf(user('lamp')), entryOf(user('chair'))])
    await store.search('lamp')
    await store.snapshots.save('', 'state', { id: 'x', seq: 0, value: 1 })
    const index = { name: 'index', pieces: [new Uint8Array([1]), new Uint8Array([2])] }
    for (const name of ['', 'thread 7']) await store.segments.change(name, { stored: [index], removed: [] }, 0)
    const removed = await gathered(store.removeThreads({ all: true }))
    expect(removed.map(({ threads, entries, snapshots }) => [threads.length, entries, snapshots])).toEqual([
      [100, 200, 1],
      [100, 200, 0],
      [50, 100, 0],
    ])
    expect(removed.flatMap(({ threads }) => threads)).toEqual(names)
    expect(await rowsOf(database.pool, 'all')).toEqual({
      thread: 0,
      entry: 0,
      snapshot: 0,
      segment: 0,
      piece: 0,
      word: 0,
    })
    expect(await gathered(store.removeThreads({ all: true }))).toEqual([])
    // What begins after that begins anew.
    expect(await store.append('', [entryOf(user('lamp'))], { head: null })).toMatchObject({
      ok: true,
      standing: { length: 1, term: 0 },
    })
  })

  test('keeps nothing that was made of a thread before it went', async () => {
    const store = postgresStore(database.pool, { tenant: 'late' })
    const lamp = entryOf(user('lamp'))
    await store.append('t', [lamp])
    const { erasures } = await store.standing('t')
    await gathered(store.removeThreads({ all: true }))
    await store.snapshots.save('t', 'state', { id: lamp.id, seq: 0, value: 'lamp' }, { erasures })
    const stored = [{ name: 'index', pieces: [new Uint8Array([1])] }]
    await store.segments.change('t', { stored, removed: [] }, erasures)
    expect(await store.snapshots.load('t', 'state')).toBe(undefined)
    expect(await store.segments.list('t')).toEqual([])
    expect(await rowsOf(database.pool, 'late')).toMatchObject({ snapshot: 0, segment: 0, piece: 0 })
  })

  test('leaves the records of a thread that begins while the rest is removed', async () => {
    const store = postgresStore(database.pool, { tenant: 'begun' })
    for (let round = 0; round < 2; round++) {
      // What `removeThreads` does last, after it has found no more threads.
      await store.append('t', [entryOf(user('lamp'))], { records: [{ name: 'setup', value: 'kept' }] })
      await store.records.put('gone', [{ name: 'setup', value: 'gone' }])
      const client = await database.pool.connect()
      await client.query(`begin; select set_config('minutebook.tenant', 'begun', true)`)
      await client.query(statement('remove-rest').text, ['begun'])
      await client.query('commit')
      client.release()
      expect((await store.records.find({ name: 'setup' })).map(({ value }) => value)).toEqual(['kept'])
    }
  })

  test('of prune waits for no session: a thread that another one holds stays, and the others go', async () => {
    const tenant = 'pruned'
    const store = postgresStore(database.pool, { tenant })
    for (const thread of ['held', 'free']) await store.append(thread, [entryOf(user('lamp'))])
    const { threads: listed } = await store.list()
    const other = await database.pool.connect()
    await other.query('begin')
    await other.query(`select set_config('minutebook.tenant', $1, true)`, [tenant])
    await other.query(`select from minutebook.thread where thread = 'held' for update`)
    expect((await store.prune(listed)).threads).toEqual(['free'])
    await other.query('rollback')
    other.release()
    expect((await store.prune(listed)).threads).toEqual(['held'])
  })

  test('of several prunes at once takes each thread once', async () => {
    const store = postgresStore(database.pool, { tenant: 'at once' })
    for (let count = 0; count < 30; count++) await store.append(`thread ${count}`, [entryOf(user('lamp'))])
    const { threads: listed } = await store.list()
    const pruned = await Promise.all(Array.from({ length: 4 }, () => store.prune(listed)))
    expect(pruned.reduce((sum, { entries }) => sum + entries, 0)).toBe(30)
    expect(pruned.flatMap(({ threads }) => threads).toSorted()).toEqual(listed.map(({ thread }) => thread).toSorted())
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no option', {}],
    ['a date', { unwrittenSince: new Date() }],
    ['both', { all: true, unwrittenSince: new Date() }],
    ['no', { all: false }],
  ])('takes nothing where it is told %s', async (_, options) => {
    const store = postgresStore(database.pool, { tenant: 'untold' })
    await store.append('t', [entryOf(user('lamp'))])
    await expect(gathered(store.removeThreads(options as never))).rejects.toMatchObject({ code: 'invalid_removal' })
    expect(await store.read('t')).toHaveLength(1)
    expect(database.pool.totalCount - database.pool.idleCount).toBe(0)
  })

  test('goes no further than it is asked to', async () => {
    const store = postgresStore(database.pool, { tenant: 'some' })
    for (let count = 0; count < 150; count++) await store.append(`thread ${count}`, [entryOf(user('lamp'))])
    expect((await rowsOf(database.pool, 'some')).thread).toBe(150)
    const seen: RemovedThreads[] = []
    for await (const removal of store.removeThreads({ all: true })) {
      seen.push(removal)
      break
    }
    expect((await rowsOf(database.pool, 'some')).thread).toBe(50)
  })

  test('waits for whoever is writing, and takes that too', async () => {
    const tenant = 'waits'
    const store = postgresStore(database.pool, { tenant })
    await store.append('t', [entryOf(user('first'))])
    const writer = await database.pool.connect()
    await writer.query('begin')
    await writer.query(`select set_config('minutebook.tenant', $1, true)`, [tenant])
    await writer.query(`update minutebook.thread set length = 2 where thread = 't'`)
    await writer.query(
      `insert into minutebook.entry (thread, tenant, seq, id, payload, checksum, written) values ('t', $1, 1, '', '', '', now())`,
      [tenant],
    )
    const removing = gathered(store.removeThreads({ all: true }))
    await waiting(database.pool, 1)
    await writer.query('commit')
    writer.release()
    expect(await removing).toMatchObject([{ threads: ['t'], entries: 2 }])
    expect(await rowsOf(database.pool, tenant)).toEqual({
      thread: 0,
      entry: 0,
      snapshot: 0,
      segment: 0,
      piece: 0,
      word: 0,
    })
  })

  test('leaves nothing of what is written meanwhile without its thread', async () => {
    const pool = open({ connectionString: database.url, pipeline: true })
    const store = postgresStore(pool, { tenant: 'meanwhile' })
    let going = true
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let count = 0; going; count++) {
        await store.append(`t${count % 3}`, [entryOf(user(`message ${writer} ${count}`))])
        if (count % 5 === 0) await store.search('message', { limit: 1 })
      }
    })
    for (let count = 0; count < 25; count++)
      for await (const { threads } of store.removeThreads({ all: true })) if (threads.length > 0) break
    going = false
    await Promise.all(writers)
    for (const { thread, length } of (await store.list()).threads)
      expect((await store.read(thread)).map(({ seq }) => seq)).toEqual(Array.from({ length }, (_, index) => index))
    await gathered(store.removeThreads({ all: true }))
    expect(await rowsOf(pool, 'meanwhile')).toEqual({ thread: 0, entry: 0, snapshot: 0, segment: 0, piece: 0, word: 0 })
  })
})

/** How many rows a tenant has in each table. */
async function rowsOf(pool: Pool, tenant: string): Promise<Record<string, number>> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('minutebook.tenant', $1, true)`, [tenant])
    const counts: Record<string, number> = {}
    for (const table of ['thread', 'entry', 'snapshot', 'segment', 'piece', 'word'])
      counts[table] = (
        await client.query<{ count: number }>(`select count(*)::integer from minutebook.${table}`)
      ).rows[0]!.count
    await client.query('commit')
    return counts
  } finally {
    client.release()
  }
}
