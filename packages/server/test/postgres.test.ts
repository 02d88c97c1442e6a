import { setTimeout as after } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Message, Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { user } from '@minutebook/testing'
import { strictUpstream } from '@minutebook/testing/server'
import { testDatabase } from '../../../tests/support/postgres/database.ts'
import { openStores, type Running } from '../src/index.ts'
import { ask, type WireName } from './gateway/support/wire.ts'
import { gateway, testConfig } from '../../../tests/support/server/gateway.ts'
import { native } from '../../../tests/support/server/native.ts'

const database = testDatabase()

test('with a database the server keeps nothing in its folder but its address, and tenants are apart', async () => {
  const keys = [{ name: 'a', sha256: '1'.repeat(64), tenant: 'garden', scope: 'app' as const }]
  const one = await gateway({ database: database.url, keys })
  const two = await gateway({ database: database.url, keys })
  await one.services.stores.of('garden').store.append('t', [entryOf({ role: 'user', content: 'x' })])
  expect((await two.services.stores.of('garden').store.read('t')).length).toBe(1)
  expect(await two.services.stores.of('default').store.read('t')).toEqual([])
  expect((await fetch(`${two.url}/readyz`)).status).toBe(200)
})

test('a key that is made at one instance counts at the other at once, and within seconds no more when it is revoked', async () => {
  const [one, two] = [await gateway({ database: database.url }), await gateway({ database: database.url })]
  const { key } = await one.services.keyRing.create({ name: 'phone', tenant: 'garden', scope: 'app' })
  const ask = async (): Promise<number> =>
    (await fetch(`${two.url}/minutebook/v1/threads`, { headers: { authorization: `Bearer ${key}` } })).status
  expect(await ask()).toBe(200)
  await one.services.keyRing.revoke('phone')
  await expect.poll(ask, { interval: 100 }).toBe(401)
})

test('an instance that is closed while a turn hangs leaves no failure on record, and another one goes on', async () => {
  const upstream = await strictUpstream({ answer: 'Home.' })
  onTestFinished(() => upstream.close())
  const settings = { database: database.url, upstreams: [{ url: upstream.url }], defaultModel: 'strict' }
  const one = await gateway(settings)
  upstream.next({ stallAfter: 1 })
  const app = native(one.url, one.token)
  await app.ask('POST', '/threads', { thread: 'ship' })
  await app.ask('POST', '/threads/ship/turns', { message: 'Where to?' })
  while (upstream.requests.filter(({ messages }) => messages.length > 0).length === 0) await after(20)
  const two = await gateway(settings)
  await one.close({ patience: 100 })
  const { store } = two.services.stores.of('default')
  const answers = async (): Promise<string[]> =>
    (await store.read('ship')).filter(({ kind }) => kind === 'assistant' || kind === 'stop').map(({ text }) => text)
  await expect.poll(answers, { interval: 100 }).toEqual(['Home.'])
})

test('a database that is not there says so, without its password', async () => {
  const opening = openStores(testConfig({ database: 'postgres://me:canary-4711@127.0.0.1:1/x' }))
  const error = await opening.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'store_unreachable' })
  expect(JSON.stringify([String(error), error])).not.toContain('4711')
})

describe.each(['ollama', 'openai'] as const)('two gateways on one database, for the client of %s', (wire) => {
  const turns = 30

  test.each([
    ['unchanged', 1_000_000],
    ['rewritten', 512],
  ] as const)(
    `a conversation that alternates between them is one thread with every turn once, %s`,
    async (path, window) => {
      const { gateways, store } = await twoGateways(window)
      const messages: Message[] = [{ role: 'system', content: 'You are a lighthouse keeper.' }]
      for (let turn = 0; turn < turns; turn++) {
        messages.push(user(`Question ${turn}: what of the lamp, the sea and the ships tonight?`))
        messages.push(await answered(wire, gateways[turn % 2]!, messages, turn % 3 > 0))
      }
      const [thread, ...others] = await threadsIn(store)
      expect(others).toEqual([])
      const log = await store.read(thread!)
      const texts = (kind: string): string[] => log.filter((entry) => entry.kind === kind).map(({ text }) => text)
      expect(texts('user')).toEqual(messages.filter(({ role }) => role === 'user').map(({ content }) => content))
      expect(texts('assistant')).toEqual(
        messages.filter(({ role }) => role === 'assistant').map(({ content }) => content),
      )
      const { book } = gateways[0].services.stores.of('default')
      expect((await book.thread(thread!).receipts()).map((receipt) => receipt.mode)).toContain(path)
      for (const { services } of gateways)
        expect(await services.stores.of('default').book.thread(thread!).verify()).toMatchObject({ ok: true })
      console.log(
        `${wire}, ${path}: ${turns} turns over two gateways: 1 thread, ${texts('user').length} questions, ${texts('assistant').length} answers, ${texts('receipt').length} receipts`,
      )
      expect(texts('receipt')).toHaveLength(turns)
    },
  )

  test('the same conversation asked at both at once is one thread with two answers to one question', async () => {
    const { gateways, store } = await twoGateways(1_000_000)
    const messages: Message[] = [user('Hello there')]
    messages.push(await answered(wire, gateways[0], messages, false), user('And again?'))
    await Promise.all(gateways.map((each) => answered(wire, each, messages, true)))
    const threads = await threadsIn(store)
    expect(threads).toHaveLength(1)
    const log = await store.read(threads[0]!)
    expect(log.filter(({ kind }) => kind === 'assistant')).toHaveLength(3)
    expect(new Set(log.filter(({ kind }) => kind === 'user').map(({ id }) => id)).size).toBe(2)
    expect(await gateways[1].services.stores.of('default').book.thread(threads[0]!).verify()).toMatchObject({
      ok: true,
    })
  })
})

async function twoGateways(
  window: number,
): Promise<{ readonly gateways: readonly [Running, Running]; readonly store: Store }> {
  const { url } = await database.fresh()
  let count = 0
  const upstream = await strictUpstream({
    answer: () => `Answer ${count++}: the lamp is lit, and the ships are safe tonight.`,
  })
  onTestFinished(() => upstream.close())
  const settings = { database: url, upstreams: [{ url: upstream.url }], models: { strict: { window, reserve: 60 } } }
  const gateways = [await gateway(settings), await gateway(settings)] as const
  return { gateways, store: gateways[0].services.stores.of('default').store }
}

async function answered(
  wire: WireName,
  { url }: Running,
  messages: readonly Message[],
  stream: boolean,
): Promise<Message> {
  const { chunks, error } = await ask(wire, url, { messages, stream })
  expect(error).toBeUndefined()
  return { role: 'assistant', content: chunks.map(textIn).join('') }
}

function textIn(chunk: unknown): string {
  const { message, choices } = chunk as {
    message?: { content?: string }
    choices?: { delta?: { content?: string }; message?: { content?: string } }[]
  }
  return message?.content ?? choices?.[0]?.delta?.content ?? choices?.[0]?.message?.content ?? ''
}

/** The threads of people. */
async function threadsIn(store: Store): Promise<string[]> {
  return (await store.list({ limit: 1000 })).threads
    .map(({ thread }) => thread)
    .filter((thread) => !thread.startsWith('minutebook:'))
}
