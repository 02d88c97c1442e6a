import type { Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import type { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import { user } from '@minutebook/testing'
import { migrate, postgresStore } from '@minutebook/postgres'
import { servers, testDatabase } from '../../../tests/support/postgres/database.ts'
import { open, readAll } from '../../../tests/support/postgres/failing.ts'
import { lineProxy } from './support/line-proxy.ts'
import { watchedPool } from './support/rewriting-pool.ts'

describe.each(servers)('what is asked about a thread in one breath, on Postgres %s', (server) => {
  const database = testDatabase({ server, prepare: (pool) => migrate(pool) })

  test('goes out in one transaction on one connection', async () => {
    const { pool, sent } = watched(open({ connectionString: database.url, pipeline: true }))
    const store = postgresStore(pool, { tenant: 'transaction' })
    await store.append('t', [entryOf(user('first'))])
    sent.length = 0
    await Promise.all([
      store.claim('t'),
      store.read('t'),
      store.append('t', [entryOf(user('second'))]),
      store.standing('t'),
      store.snapshots.load('t', 'state'),
    ])
    expect(sent).toEqual(['tenant claim read append standing load-snapshot'])
    expect(pool.totalCount).toBe(1)
  })

  test.each([true, false])('waits for the server once, pipeline: %s', async (pipeline) => {
    const line = await lineProxy(database.url)
    const store = postgresStore(open({ connectionString: line.url, pipeline }), { tenant: `trips ${pipeline}` })
    const turn = (last: Entry): Promise<unknown> =>
      Promise.all([store.claim('t'), store.read('t', { last: 50 }), store.append('t', [entryOf(user('next'), last)])])
    const first = entryOf(user('first'))
    await store.append('t', [first])
    await turn(first)
    line.count()
    await turn(entryOf(user('next'), first))
    expect(line.count()).toEqual({ connections: 0, trips: 1 })
  })

  test('is done in the order it was asked in', async () => {
    const store = postgresStore(open({ connectionString: database.url, pipeline: true }), { tenant: 'order' })
    const [one, two, three] = chain(3)
    await store.append('t', [one!])
    const [before, claimed, added, between, fenced, again, after] = await Promise.all([
      store.read('t'),
      store.claim('t'),
      store.append('t', [two!], { head: one!.id, term: 1 }),
      store.read('t'),
      store.append('t', [entryOf(user('late'), two)], { term: 7 }),
      store.append('t', [three!], { head: two!.id, term: 1 }),
      store.read('t'),
    ])
    expect([before.length, claimed.term, added.ok, between.length]).toEqual([1, 1, true, 2])
    expect(fenced).toMatchObject({ ok: false, reason: 'fenced' })
    expect([again.ok, after.length]).toEqual([true, 3])
  })

  test.each([{ pipeline: true }, { pipeline: false }])(
    'does not fail with one of it, pipeline: $pipeline',
    async ({ pipeline }) => {
      const pool = open({ connectionString: database.url, pipeline })
      const store = postgresStore(pool, { tenant: `taken ${pipeline}` })
      const [one, two] = chain(2)
      await store.append('t', [one!])
      // The first entry is taken, which undoes the transaction.
      const [claimed, retried, read] = await Promise.all([
        store.claim('t'),
        store.append('t', [one!, two!]),
        store.read('t'),
      ])
      expect([claimed.term, retried.ok, read.length > 0]).toEqual([1, true, true])
      expect((await store.standing('t')).term).toBe(1)
      expect(await readAll(store, 't')).toEqual(['message 0', 'message 1'])

      const [nowhere, standing] = await Promise.allSettled([store.read('t', { head: 'x' }), store.standing('t')])
      expect([nowhere.status, standing.status]).toEqual(['rejected', 'fulfilled'])
      expect(held(pool)).toBe(0)
    },
  )

  test.each([{ pipeline: true }, { pipeline: false }])(
    'does not fail with one that Postgres refuses, and keeps its order, pipeline: $pipeline',
    async ({ pipeline }) => {
      const { url, pool: owner } = await database.fresh()
      const { pool, sent } = watched(open({ connectionString: url, pipeline }))
      const store = postgresStore(pool)
      const [one, two] = chain(2)
      await store.append('t', [one!])
      await owner.query('revoke all on minutebook.snapshot from current_user')
      sent.length = 0
      const [claimed, saved, added, read] = await Promise.allSettled([
        store.claim('t'),
        store.snapshots.save('t', 'state', { id: 'a', seq: 0, value: 1 }),
        store.append('t', [two!], { term: 1 }),
        store.read('t'),
      ])
      expect(claimed).toMatchObject({ status: 'fulfilled', value: { term: 1 } })
      expect(saved).toMatchObject({ status: 'rejected', reason: { code: 'store_forbidden' } })
      expect(added).toMatchObject({ status: 'fulfilled', value: { ok: true } })
      expect(read).toMatchObject({ status: 'fulfilled', value: { length: 2 } })
      expect(sent).toEqual([
        'tenant claim save-snapshot append-after read',
        'tenant claim',
        'tenant save-snapshot',
        'tenant append-after',
        'tenant read',
      ])
      expect(held(owner)).toBe(0)
    },
  )

  test('of many threads at once is all done with two connections, whatever fails among it', async () => {
    const pool = open({ connectionString: database.url, pipeline: true, max: 2 })
    const store = postgresStore(pool, { tenant: 'many' })
    const names = Array.from({ length: 200 }, (_, index) => `thread ${index}`)
    const [one, two] = chain(2)
    const answers = await Promise.allSettled(
      names.flatMap((name, index) => [
        store.append(name, [one!]),
        store.claim(name),
        store.read(name, index % 3 === 0 ? { head: 'x' } : {}),
        store.append(name, [two!], index % 2 === 0 ? { head: 'x' } : {}).then(({ ok }) => ok),
      ]),
    )
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(67)
    for (const name of names) expect((await store.standing(name)).term).toBe(1)
    expect(pool.totalCount).toBeLessThanOrEqual(2)
    expect(held(pool)).toBe(0)
  })

  test('is gathered anew in the next breath', async () => {
    const { pool, sent } = watched(open({ connectionString: database.url, pipeline: true }))
    const store = postgresStore(pool, { tenant: 'breath' })
    await Promise.all([
      store.standing('t'),
      Promise.resolve()
        .then(() => undefined)
        .then(() => undefined)
        .then(() => store.standing('t')),
      store.standing('other'),
    ])
    expect(sent).toEqual(['tenant standing', 'tenant standing', 'tenant standing'])
  })
})

/** What is sent, by the names of its statements. */
function watched(pool: Pool): { readonly pool: Pool; readonly sent: string[] } {
  const sent: string[] = []
  const watching = watchedPool(pool, (requests) => {
    sent.push(requests.map(({ statement }) => statement.name.replace('minutebook ', '')).join(' '))
    return requests
  })
  return { pool: watching, sent }
}

function chain(count: number): Entry[] {
  const entries: Entry[] = []
  for (let index = 0; index < count; index++) entries.push(entryOf(user(`message ${index}`), entries.at(-1)))
  return entries
}

function held(pool: Pool): number {
  return pool.totalCount - pool.idleCount
}
