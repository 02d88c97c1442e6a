import { createHash } from 'node:crypto'
import fc from 'fast-check'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { createTurnLimits } from '../src/auth/limits.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'
import { createSlots } from '../src/stores/backend.ts'
import type { Caller } from '../src/index.ts'
import { deferred, type Deferred } from '../../../tests/support/deferred.ts'
import { gateway, gatewayBefore } from '../../../tests/support/server/gateway.ts'
import { native } from '../../../tests/support/server/native.ts'
import { openSocket } from '../../../tests/support/server/raw.ts'
import { within } from '../../../tests/support/patience.ts'

const keys = ['one', 'two'].map((name) => ({
  name,
  sha256: createHash('sha256').update(`key-${name}`).digest('hex'),
  tenant: 'default',
  scope: 'app' as const,
}))
const as = (name: string): { readonly headers: { readonly authorization: string } } => ({
  headers: { authorization: `Bearer key-${name}` },
})
const caller = (name: string): Caller => ({ name, tenant: 'default', scope: 'app', shown: 'key' })

describe('requests per minute', () => {
  test('a key that has had its own is told when to come again, in the shape of its protocol; others go on', async () => {
    const { upstream, running } = await gatewayBefore({}, { keys, rateLimit: { requests: 3 } })
    const ask = (path: string, name = 'one'): Promise<Response> => fetch(running.url + path, as(name))
    const left: (string | null)[] = []
    for (let count = 0; count < 3; count++) left.push((await ask('/api/tags')).headers.get('ratelimit-remaining'))
    expect(left).toEqual(['2', '1', '0'])
    for (const [path, shape] of [
      ['/api/tags', { error: expect.stringContaining('3 requests') }],
      [
        '/v1/models',
        {
          error: {
            code: 'rate_limited',
            type: 'rate_limit_error',
            message: expect.stringContaining('rateLimit.requests'),
            param: null,
          },
        },
      ],
      [
        '/minutebook/v1/threads',
        { error: { code: 'rate_limited', message: expect.any(String), fix: expect.stringContaining('Try again in') } },
      ],
    ] as const) {
      const refused = await ask(path)
      expect([refused.status, await refused.json()]).toEqual([429, shape])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
      expect(refused.headers.get('ratelimit-limit')).toBe('3')
    }
    expect(upstream.requests.length).toBe(3)
    expect((await ask('/api/tags', 'two')).status).toBe(200)
    for (const path of ['/livez', '/readyz']) expect((await fetch(running.url + path)).status).toBe(200)
    expect(running.services.metrics.text()).toContain('minutebook_limited_total{limit="requests"} 3')
  })

  test('who has no key takes nothing from those who have', async () => {
    const { running } = await gatewayBefore({}, { keys, rateLimit: { requests: 1 } })
    for (let count = 0; count < 5; count++)
      expect((await fetch(`${running.url}/api/tags`, as('nobody'))).status).toBe(401)
    expect((await fetch(`${running.url}/api/tags`, as('one'))).status).toBe(200)
  })

  test('an official client waits as it is told', async () => {
    const { running } = await gatewayBefore({}, { keys, rateLimit: { requests: 1 } })
    const client = new OpenAI({ baseURL: `${running.url}/v1`, apiKey: 'key-one', maxRetries: 0 })
    await client.models.list()
    await expect(client.models.list()).rejects.toMatchObject({ status: 429, code: 'rate_limited' })
  })
})

describe('at once', () => {
  test('a key has so many chats under way, one more is told to come again, and each that ends makes room', async () => {
    const going: Deferred<void>[] = []
    const running = await gateway(
      { keys, rateLimit: { requests: 1000, turns: 2 } },
      {
        chat: async ({ response }) => {
          const mine = deferred<void>()
          going.push(mine)
          response.write('x')
          await mine.promise
          response.end()
        },
      },
    )
    const ask = (name = 'one'): Promise<Response> =>
      fetch(`${running.url}/v1/chat/completions`, { ...as(name), method: 'POST', body: '{}' })
    const both = [await ask(), await ask()]
    const third = await ask()
    expect([third.status, third.headers.get('retry-after'), await third.json()]).toEqual([
      429,
      '1',
      { error: expect.objectContaining({ code: 'rate_limited', message: expect.stringContaining('2 turns') }) },
    ])
    const other = await ask('two')
    expect(other.status).toBe(200)
    going[0]?.resolve()
    await both[0]?.text()
    const fourth = await ask()
    expect(fourth.status).toBe(200)
    for (const each of going) each.resolve()
    await Promise.all([both[1], other, fourth].map(async (response) => response?.text()))
  })

  test('a client that goes away makes room', async () => {
    const running = await gateway(
      { keys, rateLimit: { requests: 1000, turns: 1 } },
      {
        chat: async ({ response }) => {
          response.write('x')
          await new Promise<void>((resolve) => void response.on('close', resolve))
        },
      },
    )
    const socket = openSocket(running.url)
    socket.write(
      'POST /api/chat HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer key-one\r\nContent-Length: 2\r\n\r\n{}',
    )
    await new Promise((resolve) => void socket.once('data', resolve))
    const ask = (): Promise<Response> =>
      fetch(`${running.url}/api/chat`, {
        ...as('one'),
        method: 'POST',
        body: '{}',
        signal: AbortSignal.timeout(within(60_000)),
      })
    expect((await ask()).status).toBe(429)
    socket.destroy()
    await expect
      .poll(async () => {
        const next = await ask()
        await next.body?.cancel()
        return next.status
      })
      .toBe(200)
  })

  test.each([
    ['an instance with too much to do', { slots: 1, queueLimit: 1 }, 503, 'overloaded'],
    ['a key with too much under way', { rateLimit: { requests: 1000, turns: 2 } }, 429, 'rate_limited'],
  ] as const)(
    '%s takes no more turns, says when to come again, and records nothing of them',
    async (_, settings, status, code) => {
      const { upstream, running } = await gatewayBefore({}, { keys, defaultModel: 'strict', ...settings })
      const app = native(running.url, 'key-one')
      const say = (thread: string): ReturnType<typeof app.ask> =>
        app.ask('POST', `/threads/${thread}/turns`, { message: 'Where to?' })
      for (const thread of ['a', 'b', 'c']) await app.ask('POST', '/threads', { thread })
      for (let count = 0; count < 2; count++) upstream.next({ stallAfter: 1 })
      expect([(await say('a')).status, (await say('b')).status]).toEqual([202, 202])
      const third = await say('c')
      expect([third.status, third.body['error']]).toEqual([
        status,
        { code, message: expect.any(String), fix: expect.any(String) },
      ])
      expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await running.services.stores.of('default').store.read('c')).some(({ kind }) => kind === 'user')).toBe(
        false,
      )
      await app.ask('POST', '/threads/a/cancel')
      await expect.poll(async () => (await say('c')).status).toBe(202)
      for (const thread of ['b', 'c']) await app.ask('POST', `/threads/${thread}/cancel`)
    },
  )

  test('an instance takes no more turns than it has room for, whatever comes and goes', () => {
    fc.assert(
      fc.property(
        fc.record({
          slots: fc.integer({ min: 1, max: 3 }),
          queueLimit: fc.integer({ min: 0, max: 3 }),
          turns: fc.integer({ min: 1, max: 4 }),
        }),
        fc.array(
          fc.oneof(
            fc.record({ enter: fc.constantFrom('a', 'b'), what: fc.constantFrom('turn' as const, 'chat' as const) }),
            fc.record({ leave: fc.nat({ max: 3 }) }),
          ),
        ),
        ({ slots, queueLimit, turns }, acts) => {
          const admission = createTurnLimits({ slots, queueLimit, rateLimit: { requests: 1, turns } }, createMetrics())
          const inside: { readonly name: string; readonly what: string; readonly leave: () => void; gone: boolean }[] =
            []
          const count = (is: (each: (typeof inside)[number]) => boolean): number =>
            inside.filter((each) => !each.gone && is(each)).length
          for (const act of acts) {
            if ('leave' in act) {
              const each = inside[act.leave]
              each?.leave()
              if (each) each.gone = true
              continue
            }
            const isOver = count(({ name }) => name === act.enter) >= turns
            const isFull = act.what === 'turn' && count(({ what }) => what === 'turn') >= slots + queueLimit
            const place = admission.enter(caller(act.enter), act.what)
            expect('refusal' in place ? place.refusal.status : 200).toBe(isOver ? 429 : isFull ? 503 : 200)
            if ('refusal' in place) expect(Number(place.refusal.headers?.['retry-after'])).toBeGreaterThan(0)
            else inside.push({ name: act.enter, what: act.what, leave: place.leave, gone: false })
            expect(admission.waiting).toBe(Math.max(0, count(({ what }) => what === 'turn') - slots))
          }
        },
      ),
    )
  })
})

test('no more run than there are slots, in the order in which they came, and one that fails makes room', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ ticks: fc.integer({ min: 1, max: 4 }), fails: fc.boolean() }), { maxLength: 20 }),
      async (count, works) => {
        const slots = createSlots(count)
        const begun: number[] = []
        let [now, most] = [0, 0]
        const done = works.map(({ ticks, fails }, index) =>
          slots('one', async () => {
            begun.push(index)
            most = Math.max(most, ++now)
            for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
            now--
            if (fails) throw new Error('failed')
            return index
          }),
        )
        const settled = await Promise.allSettled(done)
        expect(settled.map(({ status }) => status === 'rejected')).toEqual(works.map(({ fails }) => fails))
        expect(begun).toEqual(works.map((_, index) => index))
        expect(most).toBe(Math.min(count, works.length))
      },
    ),
  )
})

test('owners that wait are served in turn, however many of one came first', async () => {
  const slots = createSlots(1)
  const begun: string[] = []
  const work = (owner: string): Promise<void> =>
    slots(owner, async () => {
      begun.push(owner)
      await Promise.resolve()
    })
  await Promise.all([...Array.from({ length: 6 }, () => work('a')), work('b'), work('b'), work('c')])
  expect(begun.join('')).toBe('aabcabaaa')
})
