import { describe, expect, onTestFinished, test } from 'vitest'
import { strictUpstream, type StrictUpstream, type StrictUpstreamOptions } from '@minutebook/testing/server'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { deferred } from '../../../../tests/support/deferred.ts'
import type { Running } from '../../src/index.ts'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { native, shownBy, type Native } from '../../../../tests/support/server/native.ts'

const database = testDatabase()

interface Pair {
  readonly upstream: StrictUpstream
  readonly running: readonly [Running, Running]
  readonly one: Native
  readonly two: Native
}

async function pair(
  options: Parameters<typeof strictUpstream>[0],
  settings: Parameters<typeof gateway>[0] = {},
): Promise<Pair> {
  const { url } = await database.fresh()
  const upstream = await strictUpstream(options)
  onTestFinished(() => upstream.close())
  const start = (): Promise<Running> =>
    gateway({ database: url, defaultModel: 'strict', upstreams: [{ url: upstream.url }], drainNotice: 0, ...settings })
  const running = [await start(), await start()] as const
  const [one, two] = running.map(({ url: address, token }) => native(address, token)) as [Native, Native]
  return { upstream, running, one, two }
}

const text = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ')

/** An upstream that has said some words, and says the rest only after `goOn`: text is told to those who listen in time. */
function pausing(): { readonly upstream: StrictUpstreamOptions; readonly goOn: () => void } {
  const heard = deferred<undefined>()
  return {
    upstream: { answer: text, delay: 20, pauseAfter: { chunks: 12, until: heard.promise } },
    goOn: () => heard.resolve(undefined),
  }
}

describe('two instances on one database', () => {
  test('a stream is followed from the other instance', async () => {
    const { upstream, goOn } = pausing()
    const { one, two } = await pair(upstream)
    await one.ask('POST', '/threads', { thread: 'garden' })
    const own = one.stream('POST', '/threads/garden/turns', { body: { message: 'Count.' } })
    const other = two.stream('GET', '/threads/garden/stream?from=0.0.0', {
      until: ({ event, data }) => {
        if (event === 'text') goOn()
        return event === 'end' && data['status'] === 'complete'
      },
    })
    const [here, there] = await Promise.all([own, other])
    for (const seen of [here, there]) expect(shownBy(seen).entries).toEqual(['user: Count.', `assistant: ${text}`])
    expect(there.filter(({ event }) => event === 'text').length).toBeGreaterThan(1)
  })

  test('whoever loses one instance goes on at the other from the same position', async () => {
    const { upstream, goOn } = pausing()
    const { one, two } = await pair(upstream)
    await one.ask('POST', '/threads', { thread: 'garden' })
    const first = await one.stream('POST', '/threads/garden/turns', {
      body: { message: 'Count.' },
      until: ({ event, data }) => event === 'text' && String(data['text']).includes('word9'),
    })
    goOn()
    const rest = await two.stream('GET', `/threads/garden/stream?from=${first.at(-1)?.id}&until=rest`)
    const told = [...first, ...rest]
      .filter(({ event }) => event === 'text')
      .reduce((whole, { data }) => whole.slice(0, data['offset'] as number) + String(data['text']), '')
    expect(told).toBe(text)
    expect([...first, ...rest].filter(({ event }) => event === 'entry').length).toBe(2)
  })

  test('cancel reaches a turn that runs elsewhere', async () => {
    const { one, two, upstream } = await pair({})
    upstream.next({ answer: text, stallAfter: 3 })
    await one.ask('POST', '/threads', { thread: 'garden' })
    const own = one.stream('POST', '/threads/garden/turns', { body: { message: 'Count.' } })
    await two.stream('GET', '/threads/garden/stream?from=0.0.0', { until: ({ event }) => event === 'text' })
    expect((await two.ask('POST', '/threads/garden/cancel')).body).toEqual({ cancelled: true })
    expect((await own).at(-1)?.data).toMatchObject({ status: 'cancelled' })
  })

  test('an instance that closes in mid-stream hands its turn on, and after a reset the text is the log', async () => {
    const { upstream, goOn } = pausing()
    const { one, two, running } = await pair(upstream)
    await one.ask('POST', '/threads', { thread: 'garden' })
    const following = two.stream('GET', '/threads/garden/stream?from=0.0.0', {
      until: ({ event, data }) => event === 'end' && data['status'] === 'complete',
    })
    await one.ask('POST', '/threads/garden/turns', { message: 'Count.' })
    await two.stream('GET', '/threads/garden/stream?from=0.0.0', { until: ({ event }) => event === 'text' })
    await running[0].close({ patience: 200 })
    goOn()
    const seen = await following
    expect(shownBy(seen).entries).toEqual(['user: Count.', `assistant: ${text}`])
    expect((await two.ask('GET', '/threads/garden/verify')).body).toMatchObject({ ok: true })
  })

  test('a tenant that comes later is served by both, and sees nothing of the other', async () => {
    const { one, two } = await pair({ answer: 'ok' })
    const made = await one.ask('POST', '/keys', { name: 'later', tenant: 'later', scope: 'app' })
    const later = native(two.url, String(made.body['key']))
    await one.ask('POST', '/threads', { thread: 'garden' })
    expect((await later.ask('GET', '/threads/garden')).status).toBe(404)
    expect((await later.ask('POST', '/threads', { thread: 'garden' })).status).toBe(201)
    const seen = await later.stream('POST', '/threads/garden/turns', { body: { message: 'Hello' } })
    expect(seen.at(-1)?.data).toMatchObject({ status: 'complete' })
    expect((await one.ask('GET', '/threads/garden/entries')).body['entries']).toEqual([])
  })
})
