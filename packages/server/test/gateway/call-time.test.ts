import { user } from '@minutebook/testing'
import type { KeptReceipt } from 'minutebook/inspect'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Running } from '../../src/index.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { paths, post } from './support/post.ts'
import { ask, bodyOf } from './support/wire.ts'

const began = Date.parse('2026-11-18T12:00:00.000Z')

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: began }))
afterEach(() => void vi.useRealTimers())

/** Answers after 2.9 seconds, by a clock that nothing else moves. */
const slow = {
  answer: () => {
    vi.setSystemTime(began + 2900)
    return { text: 'One two three four five six.' }
  },
}
const started = new Date(began).toISOString()

describe.each(['ollama', 'openai', 'anthropic'] as const)('the receipt of a chat of %s', (wire) => {
  test('that streams says when the model was called, and how long it took to its first token and to its end', async () => {
    const { running } = await gatewayBefore(slow)
    const { headers } = await post(running.url, paths[wire], { ...bodyOf(wire, [user('Hi')]), stream: true })
    const [receipt] = await receiptsOf(running, headers['minutebook-thread'])
    expect(receipt).toMatchObject({ outcome: 'stop', time: { started, firstToken: 2900, total: 2900 } })
    expect(receipt?.tokens.reported.completion ?? 'not asked for').toEqual(wire === 'openai' ? 'not asked for' : 6)
  })

  test('that does not stream has no first token', async () => {
    const { running } = await gatewayBefore(slow)
    const { headers } = await post(running.url, paths[wire], { ...bodyOf(wire, [user('Hi')]), stream: false })
    const [receipt] = await receiptsOf(running, headers['minutebook-thread'])
    expect(receipt?.time).toEqual({ started, total: 2900 })
    expect(receipt?.tokens.reported.completion).toBe(6)
  })

  test('that breaks off has a first token, and one that fails at once has none', async () => {
    const { running, upstream } = await gatewayBefore(slow)
    upstream.next({ abortAfter: 4 })
    const broken = await post(running.url, paths[wire], { ...bodyOf(wire, [user('Hi')]), stream: true })
    const [cut] = await receiptsOf(running, broken.headers['minutebook-thread'])
    expect(cut).toMatchObject({ outcome: 'failed', time: { started, firstToken: 2900, total: 2900 } })
    upstream.next({ failWith: 500 })
    const none = await post(running.url, paths[wire], { ...bodyOf(wire, [user('Ho')]), stream: true })
    const [failed] = await receiptsOf(running, none.headers['minutebook-thread'])
    expect(failed).toMatchObject({ outcome: 'failed', time: { total: expect.any(Number) as number } })
    expect(failed?.time).not.toHaveProperty('firstToken')
  })

  test('whose client leaves has the time until then', async () => {
    const { running, upstream } = await gatewayBefore(slow)
    upstream.next({ stallAfter: 4 })
    const headers = { 'minutebook-thread': 'left' }
    await ask(wire, running.url, { messages: [user('Hi')], stream: true, leaveAfter: 1, headers })
    await expect.poll(() => receiptsOf(running, 'left')).toHaveLength(1)
    const [receipt] = await receiptsOf(running, 'left')
    expect(receipt).toMatchObject({ outcome: 'cancelled', time: { started } })
    // Waiting moves the clock, too.
    expect(receipt?.time?.total).toBeGreaterThanOrEqual(2900)
  })
})

async function receiptsOf({ services }: Running, thread: unknown): Promise<readonly KeptReceipt[]> {
  return services.stores.of('default').book.thread(String(thread)).receipts()
}
