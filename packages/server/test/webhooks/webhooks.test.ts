import { localQueue, memoryStore, type OpenCall } from 'minutebook'
import type { Store } from 'minutebook'
import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { WebhookConfig } from '../../src/config/config.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { createRequestLog } from '../../src/telemetry/request-log.ts'
import { createWebhooks, type Webhooks } from '../../src/webhooks/webhooks.ts'
import { nativeServer } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

interface Told {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Somebody who is told. `statuses`: of its answers, one after the other; the last one stays. */
async function listener(...statuses: number[]): Promise<{ readonly url: string; readonly told: Told[] }> {
  const told: Told[] = []
  const { url } = await plainUpstream((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      told.push({ headers: request.headers, body })
      const status = statuses.length > 1 ? statuses.shift()! : (statuses[0] ?? 204)
      response.writeHead(status, status === 307 ? { location: `${url}/elsewhere` } : {}).end()
    })
  })
  return { url, told }
}

function verified({ headers, body }: Told): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>)
}

const id = `${'a'.repeat(64)}.0`
const open: OpenCall = { id, call: { name: 'order', arguments: '{"item":"fern"}' }, needs: 'approval' }

interface Instance {
  readonly webhooks: Webhooks
  readonly text: () => string
  readonly lines: string[]
  /** Ends it while it tells. */
  readonly end: () => Promise<void>
}

/**
 * An instance over a store, whose queue looks at threads again as a worker does. `ahead`: milliseconds by which the
 * queue's clock is ahead; it then looks at its clock every ten.
 */
async function instance(
  store: Store,
  webhooks: readonly WebhookConfig[],
  { delays = [20, 20, 20], ahead = 0 }: { readonly delays?: readonly number[]; readonly ahead?: number } = {},
): Promise<Instance> {
  const local = localQueue(store)
  const queue = {
    wakeAt: (thread: string, time: number) =>
      local.wakeAt(thread, ahead === 0 ? time : Math.max(time - ahead, Date.now() + 10)),
  }
  const metrics = createMetrics()
  const lines: string[] = []
  const requestLog = createRequestLog({ write: (line) => void lines.push(line) })
  const told = createWebhooks({
    config: { webhooks },
    stores: { of: () => ({ store, queue }) },
    metrics,
    requestLog,
    delays,
  })
  const stop = await local.onWake((thread) => told.tell('default', thread))
  const end = async (): Promise<void> => {
    await stop()
    await told.close()
  }
  onTestFinished(end)
  return { webhooks: told, text: () => metrics.text(), lines, end }
}

/** A thread with a call that begins to wait. */
async function waits(store: Store, { webhooks }: Pick<Instance, 'webhooks'>, tenant = 'default'): Promise<void> {
  const { id: key, ...value } = open
  await store.records.put('t', [{ name: 'waiting', key, value }, ...webhooks.records(tenant)([open])])
}

const left = (store: Store): Promise<unknown[]> => store.records.find({ name: 'webhook' })

describe('an address that is told', () => {
  test('gets one signed message for each call, without its arguments, from a server', async () => {
    const { url, told } = await listener()
    const other = await listener()
    const tools = [{ name: 'order', parameters: { type: 'object' }, approve: true, url: 'http://127.0.0.1:1/' }]
    const calls = ['fern', 'moss'].map((item) => ({ name: 'order', arguments: { item } }))
    const { operator } = await nativeServer(
      { answer: [{ calls }, 'Refused.'] },
      {
        tools,
        webhooks: [
          { name: 'duty', url, secret },
          { name: 'whole', url: other.url, secret, input: true },
          { name: 'others', url: other.url, secret, tenants: ['other'] },
        ],
      },
    )
    await operator.ask('POST', '/threads', { thread: 'shop', setup: { tools: ['order'] } })
    const seen = await operator.stream('POST', '/threads/shop/turns', { body: { message: 'Plants' } })
    const waiting = seen.at(-1)!.data['waiting'] as readonly { readonly id: string }[]
    await expect.poll(() => told.length + other.told.length).toBe(4)
    const messages = told.map((each) => verified(each) as { readonly data: { readonly id: string } })
    expect(messages.map(({ data }) => data.id).toSorted()).toEqual(waiting.map((call) => call.id).toSorted())
    expect(messages[0]).toMatchObject({
      type: 'call.waiting',
      data: { tenant: 'default', thread: 'shop', needs: 'approval', call: { name: 'order' } },
    })
    expect(told.map(({ body }) => body).join('')).not.toContain('fern')
    expect(other.told.map(({ body }) => body).join('')).toContain('fern')
    for (const { id: call } of waiting)
      await operator.stream('POST', '/threads/shop/decisions', { body: { call, decision: { do: 'refuse' } } })
    expect(told).toHaveLength(2)
  })

  test('is told again until it answers with 2xx, with the same id, and follows no redirect', async () => {
    const { url, told } = await listener(500, 307, 200)
    const store = memoryStore()
    const one = await instance(store, [{ name: 'duty', url, secret }])
    await waits(store, one)
    await one.webhooks.tell('default', 't')
    await expect.poll(() => left(store)).toEqual([])
    expect(told).toHaveLength(3)
    expect(new Set(told.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    for (const each of told) verified(each)
    expect(one.text()).toContain('minutebook_webhooks_total{status="failed"} 2\n')
    expect(one.text()).toContain('minutebook_webhooks_total{status="delivered"} 1\n')
    await expect.poll(() => store.records.find({ name: 'alarm' })).toEqual([])
  })

  test('is given up at last, which the log says', async () => {
    const { url, told } = await listener(500)
    const store = memoryStore()
    const one = await instance(store, [{ name: 'duty', url, secret }])
    await waits(store, one)
    await one.webhooks.tell('default', 't')
    await expect.poll(() => left(store)).toEqual([])
    expect(told).toHaveLength(3)
    expect(one.text()).toContain('minutebook_webhooks_total{status="given_up"} 1\n')
    expect(one.lines.join('')).toContain('not tried again')
    expect(one.lines.join('')).not.toContain(secret.slice(6))
  })

  test('is not told of a call that was decided meanwhile', async () => {
    const { url, told } = await listener(500, 200)
    const store = memoryStore()
    const one = await instance(store, [{ name: 'duty', url, secret }])
    await waits(store, one)
    await store.records.remove('t', 'waiting', id)
    await one.webhooks.tell('default', 't')
    expect([told, await left(store)]).toEqual([[], []])
  })

  test('one that fails does not keep another from being told, and one that is gone is forgotten', async () => {
    const [good, bad] = [await listener(), await listener(500)]
    const store = memoryStore()
    const hooks = [bad, good].map(({ url }, index) => ({ name: `hook${index}`, url, secret }))
    const former = await instance(store, [...hooks, { name: 'gone', url: good.url, secret }])
    await waits(store, former)
    const one = await instance(store, hooks)
    await one.webhooks.tell('default', 't')
    await expect.poll(() => left(store)).toEqual([])
    expect([good.told.length, bad.told.length]).toEqual([1, 3])
  })

  test('is told by another instance if the one that was about to tell is gone', async () => {
    const { url, told } = await listener()
    const store = memoryStore()
    const never = await plainUpstream(() => undefined)
    const former = await instance(store, [{ name: 'duty', url: never.url, secret }])
    await waits(store, former)
    await former.webhooks.tell('default', 't')
    await former.end()
    expect(await left(store)).toHaveLength(1)
    await instance(store, [{ name: 'duty', url, secret }])
    await expect.poll(() => left(store)).toEqual([])
    expect(told).toHaveLength(1)
  })

  test('is told by another instance also if the one that is gone was woken while it told', async () => {
    const { url, told } = await listener()
    const store = memoryStore()
    const never = await plainUpstream(() => undefined)
    const former = await instance(store, [{ name: 'duty', url: never.url, secret }])
    await waits(store, former)
    await former.webhooks.tell('default', 't')
    const alarms = async (): Promise<string> =>
      (await store.records.find({ name: 'alarm' })).map(({ key }) => key).join(' ')
    const first = await alarms()
    await expect.poll(alarms).not.toContain(first)
    await former.end()
    await instance(store, [{ name: 'duty', url, secret }])
    await expect.poll(() => left(store)).toEqual([])
    expect(told).toHaveLength(1)
  })

  test('is told again also if the queue’s clock is ahead, so that the alarm rings too early', async () => {
    const { url, told } = await listener(500, 200)
    const store = memoryStore()
    const one = await instance(store, [{ name: 'duty', url, secret }], { delays: [300, 300, 300], ahead: 100 })
    await waits(store, one)
    await one.webhooks.tell('default', 't')
    await expect.poll(() => left(store)).toEqual([])
    expect(told).toHaveLength(2)
  })

  test('is told after a start if the process died before it began to tell', async () => {
    const { url, told } = await listener()
    const store = memoryStore()
    const one = await instance(store, [{ name: 'duty', url, secret }])
    await waits(store, one)
    await one.webhooks.tellAll('default')
    await expect.poll(() => left(store)).toEqual([])
    expect(told).toHaveLength(1)
  })
})
