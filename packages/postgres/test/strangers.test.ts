import { setTimeout as pause } from 'node:timers/promises'
import { migrate, postgresTurns, type Turns } from '@minutebook/postgres'
import { openBook, type Book, type Model } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { systemClock } from 'minutebook/clock'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../tests/support/postgres/database.ts'
import { deferred } from '../../../tests/support/deferred.ts'
import { aroundQueries } from './support/around-queries.ts'

const database = testDatabase({ prepare: (pool) => migrate(pool) })

async function instance(
  group: string,
  onError: (error: unknown) => void = () => undefined,
  change: (pool: Pool) => void = () => undefined,
): Promise<Turns> {
  const pool = new Pool({ connectionString: database.url, pipeline: true, max: 12 })
  change(pool)
  const turns = await postgresTurns(pool, { group, onError })
  onTestFinished(async () => {
    await turns.close()
    await pool.end()
  })
  return turns
}

const says = (text: string): Model =>
  async function* () {
    yield { type: 'end', finish: 'stop', message: { role: 'assistant', content: text } }
  }

const bookOf = (turns: Turns, tenant: string): Book =>
  openBook({ ...turns.tenant(tenant), model: says(`of ${tenant}`), window: 1000, clock: systemClock })
const front = (turns: Turns, tenant: string): Book => openBook({ ...turns.tenant(tenant), clock: systemClock })

test('a tenant that comes later is opened when a thread of it is woken, once', async () => {
  const [worker, client] = [await instance('later'), await instance('later')]
  const opened: string[] = []
  await worker.work(async (tenant) => {
    opened.push(tenant)
    await pause(50)
    return bookOf(worker, tenant)
  })
  const names = ['one', 'odd \u0000 "name"', 'long '.repeat(100)]
  for (const name of names) {
    const results = await Promise.all(
      [1, 2, 3].map((number) => front(client, name).thread(`t${number}`).send('Who?').done),
    )
    expect(results.map(({ text }) => text)).toEqual([1, 2, 3].map(() => `of ${name}`))
  }
  expect(opened).toEqual(names)
})

test('what was woken before anybody worked is run', async () => {
  const [worker, client] = [await instance('before'), await instance('before')]
  const turn = front(client, 'early').thread('t').send('Who?')
  await turn.recorded
  await worker.work((tenant) => bookOf(worker, tenant))
  expect(await turn.done).toMatchObject({ status: 'complete', text: 'of early' })
})

test('its book works as the options of the tenant say, which may be asked for', async () => {
  const [worker, client] = [await instance('options'), await instance('options')]
  const errors: string[] = []
  await worker.work(
    (tenant) => front(worker, tenant),
    (tenant) => ({
      options: async (thread) => {
        await pause(5)
        if (thread === 'broken') throw new Error('no such model')
        return { model: says(`${thread} of ${tenant}`), window: 1000 }
      },
      onError: (thread) => errors.push(thread),
    }),
  )
  expect(await front(client, 'a').thread('t').send('Who?').done).toMatchObject({ text: 't of a' })
  const waiting = front(client, 'a').thread('broken').send('Who?')
  // It is tried again as long as nobody cancels it.
  await expect.poll(() => new Set(errors)).toEqual(new Set(['broken']))
  waiting.cancel()
  expect(await waiting.done).toMatchObject({ status: 'cancelled' })
})

test('a book that cannot be opened is opened again, and others are not kept waiting', async () => {
  const told: unknown[] = []
  const worker = await instance('failing', (error) => told.push(error))
  const client = await instance('failing')
  let tries = 0
  await worker.work((tenant) => {
    if (tenant === 'bad' && ++tries < 3) throw new Error('not yet')
    return bookOf(worker, tenant)
  })
  const bad = front(client, 'bad').thread('t').send('Who?')
  expect(await front(client, 'good').thread('t').send('Who?').done).toMatchObject({ text: 'of good' })
  expect(await bad.done).toMatchObject({ text: 'of bad' })
  expect(told).toHaveLength(2)
})

test('whoever stops waits for the turns under way, and takes up nothing more', async () => {
  const [worker, client] = [await instance('stop'), await instance('stop')]
  const [begun, held] = [deferred<void>(), deferred<void>()]
  const slow: Model = async function* () {
    begun.resolve()
    await held.promise
    yield { type: 'end', finish: 'stop', message: { role: 'assistant', content: 'At last.' } }
  }
  const stop = await worker.work((tenant) =>
    openBook({ ...worker.tenant(tenant), model: slow, window: 1000, clock: systemClock }),
  )
  const turn = front(client, 'a').thread('t').send('Who?')
  await begun.promise
  let isStopped = false
  const stopping = stop().then(() => (isStopped = true))
  const late = front(client, 'b').thread('t').send('Who?')
  await late.recorded
  await pause(300)
  expect(isStopped).toBe(false)
  held.resolve()
  await stopping
  expect(await turn.done).toMatchObject({ text: 'At last.' })
  await pause(300)
  expect((await client.tenant('b').store.read('t')).map(({ kind }) => kind)).toEqual(['user'])
  await worker.work((tenant) => bookOf(worker, tenant))
  expect(await late.done).toMatchObject({ text: 'of b' })
})

/** A query object, as the driver takes it. */
interface Fetching {
  readonly text?: string
  callback?: (error: Error | null, results: readonly { readonly rows: readonly object[] }[]) => unknown
}

test('a thread that is fetched while the work ends goes back to the queue', async () => {
  const client = await instance('fetched')
  const [fetched, held] = [deferred<void>(), deferred<void>()]
  const worker = await instance('fetched', undefined, (pool) => {
    aroundQueries(pool, (asked, query) => {
      const fetching = Object(asked) as Fetching
      const { text = '', callback } = fetching
      if (callback && /skip locked/i.test(text))
        fetching.callback = async (error, results) => {
          if (error || results.every(({ rows }) => rows.every((row) => !('id' in row)))) return callback(error, results)
          fetched.resolve()
          await held.promise
          return callback(error, results)
        }
      return query()
    })
  })
  const stop = await worker.work((tenant) => bookOf(worker, tenant))
  const turn = front(client, 'fetched').thread('t').send('Who?')
  await fetched.promise
  const stopping = stop()
  held.resolve()
  await stopping
  expect((await client.tenant('fetched').store.read('t')).map(({ kind }) => kind)).toEqual(['user'])
  await worker.work((tenant) => bookOf(worker, tenant))
  expect(await turn.done).toMatchObject({ text: 'of fetched' })
})

test('beside a tenant that has a book of its own here', async () => {
  const [worker, client] = [await instance('beside'), await instance('beside')]
  const stopOwn = await bookOf(worker, 'own').work()
  const stop = await worker.work((tenant) => bookOf(worker, tenant))
  expect(await front(client, 'guest').thread('t').send('Who?').done).toMatchObject({ text: 'of guest' })
  await stop()
  expect(await front(client, 'own').thread('t').send('Who?').done).toMatchObject({ text: 'of own' })
  await stopOwn()
})

test('a thread has one ring at a time that only says that there is more to do', async () => {
  const turns = await instance('rings')
  const { queue } = turns.tenant('a')
  await queue.wake('t', [entryOf({ role: 'user', content: 'first' })])
  for (let count = 0; count < 5; count++) await queue.wake('t', [])
  await queue.wake('t', [entryOf({ role: 'user', content: 'second' })])
  await queue.wake('other', [])
  const runs: string[] = []
  await queue.onWake(async (thread) => void runs.push(thread))
  await expect.poll(() => runs.length).toBe(3)
  await pause(300)
  expect(runs.toSorted()).toEqual(['other', 't', 't'])
})
