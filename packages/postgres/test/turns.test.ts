import { setTimeout as pause } from 'node:timers/promises'
import { migrate, postgresStore, postgresTurns, type Turns } from '@minutebook/postgres'
import { openBook, type Model } from 'minutebook'
import { entryOf, type FeedEvent } from 'minutebook/store'
import { systemClock } from 'minutebook/clock'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../tests/support/postgres/database.ts'
import { deferred } from '../../../tests/support/deferred.ts'

const database = testDatabase({ prepare: (pool) => migrate(pool) })

async function instance(slots = 10, group?: string): Promise<{ pool: Pool; turns: Turns }> {
  const pool = new Pool({ connectionString: database.url, pipeline: true, max: 20 })
  const turns = await postgresTurns(pool, { slots, group })
  onTestFinished(async () => {
    await turns.close()
    await pool.end()
  })
  return { pool, turns }
}

const said = (text: string): ReturnType<typeof entryOf> => entryOf({ role: 'user', content: text })

test('a thread that is woken is run, with its entries on record', async () => {
  const [one, other] = [await instance(), await instance()]
  const ran = deferred<readonly [string, number]>()
  await other.turns
    .tenant('a')
    .queue.onWake(async (thread) =>
      ran.resolve([thread, (await postgresStore(other.pool, { tenant: 'a' }).read(thread)).length]),
    )
  expect(await one.turns.tenant('a').queue.wake('odd \u0000 name', [said('hello')])).toMatchObject({ ok: true })
  expect(await ran.promise).toEqual(['odd \u0000 name', 1])
})

test('an append that is refused wakes nobody', async () => {
  const { pool, turns } = await instance()
  const queue = turns.tenant('b').queue
  const ran: string[] = []
  await queue.onWake(async (thread) => void ran.push(thread))
  await postgresStore(pool, { tenant: 'b' }).append('thread', [said('hello')])
  expect(await queue.wake('thread', [said('late')], { head: null })).toMatchObject({ ok: false, reason: 'conflict' })
  expect(await queue.wake('thread', [said('hello')])).toMatchObject({ ok: true })
  await queue.wake('last', [])
  while (ran.length < 2) await pause(10)
  await pause(200)
  expect(ran.toSorted()).toEqual(['last', 'thread'])
})

test('one run at a time for each thread, over all instances', async () => {
  const instances = [await instance(4), await instance(4)]
  const running = new Map<string, number>()
  let most = 0
  let runs = 0
  for (const { turns } of instances) {
    await turns.tenant('c').queue.onWake(async (thread) => {
      running.set(thread, (running.get(thread) ?? 0) + 1)
      most = Math.max(most, running.get(thread)!)
      await pause(5)
      running.set(thread, running.get(thread)! - 1)
      runs++
    })
  }
  const queue = instances[0]!.turns.tenant('c').queue
  for (let count = 0; count < 60; count++) await queue.wake(`thread ${count % 3}`, [said(`${count}`)])
  while (runs < 60) await pause(10)
  expect(most).toBe(1)
})

test('a run is cancelled from another instance', async () => {
  const [one, other] = [await instance(), await instance()]
  const begun = deferred<void>()
  const aborted = deferred<unknown>()
  await one.turns.tenant('d').queue.onWake(async (_, signal) => {
    signal.addEventListener('abort', () => aborted.resolve(signal.reason))
    begun.resolve()
    await aborted.promise
  })
  await one.turns.tenant('d').queue.wake('thread', [said('hello')])
  await begun.promise
  await other.turns.tenant('e').queue.cancel('thread', 'of another tenant')
  await other.turns.tenant('d').queue.cancel('another thread', 'of another thread')
  await other.turns.tenant('d').queue.cancel('thread', 'this turn')
  expect(await aborted.promise).toBe('this turn')
})

test('a run that fails is tried again', async () => {
  const { turns } = await instance()
  const tries: number[] = []
  const done = deferred<void>()
  await turns.tenant('f').queue.onWake(async () => {
    if (tries.push(performance.now()) < 3) throw new Error('not yet')
    done.resolve()
  })
  await turns.tenant('f').queue.wake('thread', [said('hello')])
  await done.promise
  expect(tries.length).toBe(3)
})

test('a long text is heard whole and in order on another instance, and nobody else hears it', async () => {
  const [one, other] = [await instance(), await instance()]
  const heard: FeedEvent[] = []
  const astray: FeedEvent[] = []
  const text = `${'\u0000\ud83d é"\\'.repeat(2000)}end`
  await other.turns.tenant('g').feed.listen('thread', (news) => void heard.push(news))
  await other.turns.tenant('g').feed.listen('another', (news) => void astray.push(news))
  await other.turns.tenant('h').feed.listen('thread', (news) => void astray.push(news))
  const feed = one.turns.tenant('g').feed
  // Until the one instance knows that the other listens.
  await expect.poll(() => (feed.publish('thread', { type: 'grown' }), heard.length)).toBeGreaterThan(0)
  for (let offset = 0; offset < text.length; offset += 7)
    feed.publish('thread', { type: 'text', turn: 't', term: 1, start: 0, offset, text: text.slice(offset, offset + 7) })
  await expect.poll(() => heard.some((news) => news.type === 'text' && news.text.endsWith('end'))).toBe(true)
  let offset = 0
  for (const news of heard) {
    if (news.type !== 'text') continue
    expect(news.offset).toBe(offset)
    offset += news.text.length
  }
  expect(heard.map((news) => (news.type === 'text' ? news.text : '')).join('')).toBe(text)
  expect(astray).toEqual([])
})

test('the listening connection is replaced when it breaks', async () => {
  const [one, other] = [await instance(), await instance()]
  const heard = deferred<void>()
  await other.turns.tenant('i').feed.listen('thread', () => heard.resolve())
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%listen%' and pid <> pg_backend_pid()",
  )
  const telling = setInterval(() => one.turns.tenant('i').feed.publish('thread', { type: 'grown' }), 100)
  await heard.promise.finally(() => clearInterval(telling))
})

test('a pool that has no connection to spare is refused', async () => {
  const pool = new Pool({ connectionString: database.url, max: 2 })
  await expect(postgresTurns(pool)).rejects.toMatchObject({ code: 'small_pool' })
  await pool.end()
})

test('messages that wait have one run each', async () => {
  const [one, other] = [await instance(4), await instance(4)]
  const options = { window: 1000, clock: systemClock }
  const model: Model = async function* () {
    await pause(20)
    yield { type: 'end', finish: 'stop', message: { role: 'assistant', content: 'Yes.' } }
  }
  for (const { turns } of [one, other]) await openBook({ ...turns.tenant('queue'), model, ...options }).work()
  const { store, ...rest } = other.turns.tenant('queue')
  const thread = openBook({ store, ...rest, ...options }).thread('t')
  const sent = Array.from({ length: 20 }, (_, number) => thread.send(`${number}`, { ifBusy: 'queue' }))
  for (const { done } of sent) expect(await done).toMatchObject({ status: 'complete' })
  await pause(500)
  // Each run takes a term. Whoever was answered by the run before finds nothing to do: that may be one.
  expect((await store.standing('t')).term).toBeLessThanOrEqual(21)
})

test('a thread that is removed while it waits for a worker, and while a turn runs, leaves the queue', async () => {
  const [one, other] = [await instance(), await instance()]
  const errors: unknown[] = []
  const rests: string[] = []
  const options = { window: 4096, clock: systemClock }
  const model: Model = async function* ({ messages, signal }) {
    yield { type: 'text', text: 'Half' }
    if (messages.at(-1)?.content === 'Hang')
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped'))))
    yield { type: 'end', finish: 'stop', message: { role: 'assistant', content: 'Half of it.' } }
  }
  const sender = openBook({ ...one.turns.tenant('removed'), ...options })
  await one.turns.tenant('removed').queue.wake('early', [said('Hello')])
  await sender.remove('early')
  const worker = openBook({ ...other.turns.tenant('removed'), ...options, model })
  await worker.work({
    onError: (_, error) => errors.push(error),
    onIdle: (thread, result) => void rests.push(`${thread} ${result?.status ?? 'nothing to do'}`),
  })
  const turn = sender.thread('late').send('Hang')
  for await (const event of turn) if (event.type === 'text') await sender.remove('late')
  expect(await turn.done).toMatchObject({ status: 'fenced' })
  expect(await sender.thread('late').send('Hello').done).toMatchObject({ status: 'complete', text: 'Half of it.' })
  await expect.poll(() => rests).toEqual(expect.arrayContaining(['early nothing to do', 'late complete']))
  const left = async (): Promise<unknown[]> =>
    (await one.pool.query(`select 1 from minutebook_turns.job where state < 'completed'`)).rows
  await expect.poll(left).toEqual([])
  expect(errors).toEqual([])
})

test('instances of another group are left alone', async () => {
  const [one, other] = [await instance(), await instance(10, 'others')]
  const ran: string[] = []
  await one.turns.tenant('j').queue.onWake(async () => void ran.push('one'))
  await other.turns.tenant('k').queue.onWake(async () => void ran.push('other'))
  await one.turns.tenant('j').queue.wake('thread', [said('hello')])
  await other.turns.tenant('k').queue.wake('thread', [said('hello')])
  while (ran.length < 2) await pause(10)
  expect(ran.toSorted()).toEqual(['one', 'other'])
})

test('whoever stops waits for its own runs, and leaves those of another tenant', async () => {
  const { turns } = await instance()
  const held = deferred<void>()
  const begun = deferred<void>()
  let ended = false
  const stop = await turns.tenant('l').queue.onWake(async () => {
    begun.resolve()
    await held.promise
    ended = true
  })
  const others = deferred<void>()
  await turns.tenant('m').queue.onWake(async () => others.resolve())
  await turns.tenant('l').queue.wake('thread', [])
  await begun.promise
  const stopping = stop()
  await turns.tenant('m').queue.wake('thread', [])
  await others.promise
  expect(ended).toBe(false)
  held.resolve()
  await stopping
  expect(ended).toBe(true)
})

test('after closing, nobody can work', async () => {
  const pool = new Pool({ connectionString: database.url })
  const turns = await postgresTurns(pool)
  await turns.close()
  await expect(turns.tenant().queue.onWake(async () => undefined)).rejects.toMatchObject({ code: 'turns_closed' })
  await pool.end()
})

test('a follower that is left when turns are closed keeps no connection', async () => {
  const pool = new Pool({ connectionString: database.url, pipeline: true, max: 20 })
  const turns = await postgresTurns(pool)
  const turn = openBook({ ...turns.tenant('left'), clock: systemClock })
    .thread('t')
    .send('Is anybody there?')
  await turns.close()
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
  await pool.end()
  expect((await turn.done).status).toBe('failed')
})

test('turns that cannot be had say so, and leave nothing behind that goes on', async () => {
  const failures: unknown[] = []
  const pool = new Pool({ connectionString: database.url, options: '-c default_transaction_read_only=on' })
  await expect(postgresTurns(pool, { onError: (error) => failures.push(error) })).rejects.toMatchObject({
    code: 'store_readonly',
  })
  const told = failures.length
  await pool.end()
  await pause(2500)
  expect(failures).toHaveLength(told)
})
