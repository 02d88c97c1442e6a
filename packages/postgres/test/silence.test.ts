import { migrate, postgresStore, postgresTurns } from '@minutebook/postgres'
import { user } from '@minutebook/testing'
import { entryOf } from 'minutebook/store'
import { Pool, type PoolConfig } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../tests/support/postgres/database.ts'
import { open, readAll } from '../../../tests/support/postgres/failing.ts'
import { within } from '../../../tests/support/patience.ts'
import { lineProxy } from './support/line-proxy.ts'
import { waiting } from './support/waiting.ts'

const database = testDatabase({ prepare: (pool) => migrate(pool) })

/** The connection is given up after this and 2.5 s more. */
const timeout = within(300)
/** Far above that, and far below the quarter of an hour after which the system itself gives up. */
const soon = within(20_000)

test.each<PoolConfig>([{ pipeline: false }, { pipeline: true }])(
  'connections that fall silent fail what was asked on one of them, and no other is waited for, pipeline: $pipeline',
  async (config) => {
    const { url, silence } = await lineProxy(database.url, 0)
    const pool = open({ connectionString: url, max: 3, idleTimeoutMillis: 0, ...config })
    const store = postgresStore(pool, { timeout })
    const threads = ['a', 'b', 'c']
    await Promise.all(threads.map((thread) => store.append(thread, [entryOf(user('first'))])))
    expect(pool.totalCount).toBe(3)
    silence()
    const began = performance.now()
    await expect(store.read('a')).rejects.toMatchObject({ code: 'store_unreachable' })
    // Two more silent connections are in the pool.
    for (const thread of threads) expect(await readAll(store, thread)).toEqual(['first'])
    expect(performance.now() - began).toBeLessThan(soon)
    expect(pool.totalCount - pool.idleCount).toBe(0)
  },
)

test('a transaction whose client fell silent gives up its locks', async () => {
  const { url, silence } = await lineProxy(database.url, 0)
  const [gone, here] = [open({ connectionString: url }), open({ connectionString: database.url })]
  const store = postgresStore(here, { timeout })
  await store.append('held', [entryOf(user('first'))])
  const blocker = await database.pool.connect()
  await blocker.query(`begin; select set_config('minutebook.tenant', 'default', true)`)
  await blocker.query(`select from minutebook.thread where thread = 'held' for update`)
  // It waits for the lock, gets it after the silence has begun, and would keep it: nobody tells Postgres that its client is gone.
  const erasing = postgresStore(gone, { timeout }).append('held', [entryOf(user('second'), undefined, { key: 'k' })], {
    records: [{ name: 'lamp', key: 'k', value: 1, expected: 0 }],
  })
  erasing.catch(() => undefined)
  await waiting(database.pool, 1)
  silence()
  await blocker.query('rollback')
  blocker.release()
  await expect(erasing).rejects.toMatchObject({ code: 'store_unreachable' })
  expect((await store.append('held', [entryOf(user('third'))])).ok).toBe(true)
})

test('all loops of the turns go on by themselves after every connection fell silent', async () => {
  const { url, silence } = await lineProxy(database.url, 0)
  const errors: unknown[] = []
  const pool = new Pool({ connectionString: url, max: 8 })
  const turns = await postgresTurns(pool, { timeout, onError: (error) => errors.push(error) })
  onTestFinished(() => turns.close().then(() => pool.end()))
  const { queue, feed } = turns.tenant()
  const runs: string[] = []
  let cancelled = false
  await queue.onWake(async (thread, signal) => {
    runs.push(thread)
    if (thread !== 'long') return
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    cancelled = true
  })
  await queue.wake('before', [entryOf(user('hello'))])
  await expect.poll(() => runs).toContain('before')
  silence()
  const other = open({ connectionString: database.url })
  const elsewhere = await postgresTurns(other, { timeout })
  onTestFinished(() => elsewhere.close())
  const began = performance.now()
  // Sent by an instance that works for nobody: only the loops of the first one can take it up, at a time and at once.
  await elsewhere.tenant().queue.wake('after', [entryOf(user('hello'))])
  await elsewhere.tenant().queue.wakeAt('alarm', Date.now())
  await expect.poll(() => runs, { timeout: soon }).toEqual(expect.arrayContaining(['after', 'alarm']))
  // The connection that listens works again, too: a cancellation and live text reach the first instance.
  await elsewhere.tenant().queue.wake('long', [entryOf(user('hello'))])
  await expect.poll(() => runs, { timeout: soon }).toContain('long')
  await expect
    .poll(
      async () => {
        await elsewhere.tenant().queue.cancel('long', 'turn')
        return cancelled
      },
      { timeout: soon },
    )
    .toBe(true)
  const heard: unknown[] = []
  await feed.listen('after', (news) => heard.push(news))
  await expect
    .poll(
      () => {
        elsewhere.tenant().feed.publish('after', { type: 'grown' })
        return heard.length
      },
      { timeout: soon },
    )
    .toBeGreaterThan(0)
  expect(performance.now() - began).toBeLessThan(within(30_000))
  expect(errors.map((error) => (error as { code?: string }).code)).toContain('store_unreachable')
})
