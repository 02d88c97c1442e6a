import { setTimeout as pause } from 'node:timers/promises'
import { migrate, postgresStore, postgresTurns, type Turns } from '@minutebook/postgres'
import { entryOf, type News } from 'minutebook'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from './support/database.ts'
import { deferred } from './support/deferred.ts'

const database = testDatabase({ prepare: (pool) => migrate(pool) })

async function instance(slots = 10): Promise<{ pool: Pool; turns: Turns }> {
  const pool = new Pool({ connectionString: database.url, pipeline: true, max: 20 })
  const turns = await postgresTurns(pool, { slots })
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
  await other.turns.engine('a').onWake(async (thread) => ran.resolve([thread, (await postgresStore(other.pool, { tenant: 'a' }).read(thread)).length]))
  expect(await one.turns.engine('a').wake('odd \u0000 name', [said('hello')])).toMatchObject({ ok: true })
  expect(await ran.promise).toEqual(['odd \u0000 name', 1])
})

test('an append that is refused wakes nobody', async () => {
  const { pool, turns } = await instance()
  const engine = turns.engine('b')
  const ran: string[] = []
  await engine.onWake(async (thread) => void ran.push(thread))
  await postgresStore(pool, { tenant: 'b' }).append('thread', [said('hello')])
  expect(await engine.wake('thread', [said('late')], { head: null })).toMatchObject({ ok: false, reason: 'conflict' })
  expect(await engine.wake('thread', [said('hello')])).toMatchObject({ ok: true })
  await engine.wake('last', [])
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
    await turns.engine('c').onWake(async (thread) => {
      running.set(thread, (running.get(thread) ?? 0) + 1)
      most = Math.max(most, running.get(thread)!)
      await pause(5)
      running.set(thread, running.get(thread)! - 1)
      runs++
    })
  }
  const engine = instances[0]!.turns.engine('c')
  for (let count = 0; count < 60; count++) await engine.wake(`thread ${count % 3}`, [said(`${count}`)])
  while (runs < 60) await pause(10)
  expect(most).toBe(1)
})

test('a run is cancelled from another instance', async () => {
  const [one, other] = [await instance(), await instance()]
  const begun = deferred<void>()
  const aborted = deferred<unknown>()
  await one.turns.engine('d').onWake(async (_, signal) => {
    signal.addEventListener('abort', () => aborted.resolve(signal.reason))
    begun.resolve()
    await aborted.promise
  })
  await one.turns.engine('d').wake('thread', [said('hello')])
  await begun.promise
  await other.turns.engine('e').cancel('thread', 'of another tenant')
  await other.turns.engine('d').cancel('another thread', 'of another thread')
  await other.turns.engine('d').cancel('thread', 'this turn')
  expect(await aborted.promise).toBe('this turn')
})

test('a run that fails is tried again', async () => {
  const { turns } = await instance()
  const tries: number[] = []
  const done = deferred<void>()
  await turns.engine('f').onWake(async () => {
    if (tries.push(performance.now()) < 3) throw new Error('not yet')
    done.resolve()
  })
  await turns.engine('f').wake('thread', [said('hello')])
  await done.promise
  expect(tries.length).toBe(3)
})

test('a long text is heard whole and in order on another instance, and nobody else hears it', async () => {
  const [one, other] = [await instance(), await instance()]
  const heard: News[] = []
  const astray: News[] = []
  const whole = deferred<void>()
  const text = `${'\u0000\ud83d é"\\'.repeat(2000)}end`
  await other.turns.feed('g').listen('thread', (news) => {
    heard.push(news)
    if (news.type === 'grown') whole.resolve()
  })
  await other.turns.feed('g').listen('another', (news) => void astray.push(news))
  await other.turns.feed('h').listen('thread', (news) => void astray.push(news))
  const feed = one.turns.feed('g')
  for (let offset = 0; offset < text.length; offset += 7) feed.publish('thread', { type: 'text', turn: 't', term: 1, start: 0, offset, text: text.slice(offset, offset + 7) })
  feed.publish('thread', { type: 'grown' })
  await whole.promise
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
  await other.turns.feed('i').listen('thread', () => heard.resolve())
  await database.pool.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%listen%' and pid <> pg_backend_pid()")
  const telling = setInterval(() => one.turns.feed('i').publish('thread', { type: 'grown' }), 100)
  await heard.promise.finally(() => clearInterval(telling))
})
