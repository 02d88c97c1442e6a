import { assistant, user } from '@minutebook/testing'
import type { Store } from 'minutebook'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { interposed, isAnswer } from './support/interposed.ts'
import { paths, post } from './support/post.ts'
import { bodyOf } from './support/wire.ts'

const wires = ['ollama', 'openai', 'anthropic'] as const
const ends = { ollama: '"done":true', openai: '[DONE]', anthropic: 'message_stop' } as const
const headers = { 'anthropic-version': '2023-06-01' }
const broken = (): never => {
  throw new Error('The disk is gone.')
}

/** Every sync of the disk takes many turns of the event loop, enough for a request to reach an upstream. */
async function slowDisk(synced: () => void, work: () => Promise<unknown>): Promise<void> {
  const { fdatasync } = fs
  const slow = async (descriptor: number, done: (error: Error | null) => void): Promise<void> => {
    for (let turns = 0; turns < 200; turns++) await setImmediate()
    synced()
    fdatasync(descriptor, done)
  }
  Object.assign(fs, { fdatasync: slow })
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Object.assign(fs, { fdatasync })
    syncBuiltinESMExports()
  }
}

async function entriesIn(store: Store): Promise<readonly string[]> {
  const { threads } = await store.list()
  const logs = await Promise.all(
    threads.filter(({ thread }) => !thread.startsWith('minutebook:')).map(({ thread }) => store.read(thread)),
  )
  return logs
    .flat()
    .filter(({ kind }) => kind === 'user' || kind === 'assistant')
    .map(({ kind, status, text }) => `${kind} ${status}: ${text}`)
}

describe.each(wires)('a chat of %s', (wire) => {
  const body = (stream: boolean): object => bodyOf(wire, [user('Hello')], stream)

  test('has its question on record before the upstream is asked', async () => {
    const seen: string[] = []
    const { running } = await gatewayBefore(
      { answer: async () => (seen.push(...(await entriesIn(running.services.stores.of('default').store))), 'Hi') },
      {},
      { chat: interposed(() => undefined) },
    )
    await post(running.url, paths[wire], body(true))
    expect(seen).toEqual(['user complete: Hello'])
  })

  test('has its question on the disk before the upstream is asked', async () => {
    const { upstream, running } = await gatewayBefore({ answer: 'Hi' })
    const asked = (): number => upstream.requests.filter(({ path }) => path === paths[wire]).length
    await post(running.url, paths[wire], body(true))
    /** How often the upstream was asked when the disk was busy for long. */
    const askedMeanwhile: number[] = []
    await slowDisk(
      () => askedMeanwhile.push(asked()),
      () => post(running.url, paths[wire], bodyOf(wire, [user('Hello'), assistant('Hi'), user('And?')], true)),
    )
    expect(askedMeanwhile[0]).toBe(1)
    expect(asked()).toBe(2)
  })

  test('looks whole to the client only when the answer is on record', async () => {
    let open: () => void = () => undefined
    const gate = new Promise<void>((resolve) => void (open = resolve))
    const { running } = await gatewayBefore(
      { answer: 'one two' },
      {},
      { chat: interposed((entries) => (isAnswer(entries) ? gate : undefined)) },
    )
    const response = await request(`${running.url}${paths[wire]}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body(true)),
    })
    let text = ''
    response.body.on('data', (bytes: Buffer) => void (text += bytes.toString())).on('error', () => undefined)
    await expect.poll(() => text).toContain('two')
    await setTimeout(50)
    expect(text).not.toContain(ends[wire])
    expect(text).not.toMatch(/finish_reason":"stop|stop_reason":"end/)
    open()
    await expect.poll(() => text).toContain(ends[wire])
    expect(await entriesIn(running.services.stores.of('default').store)).toEqual([
      'user complete: Hello',
      'assistant complete: one two',
    ])
  })

  test('ends with an error where the answer cannot be put on record', async () => {
    const { running } = await gatewayBefore(
      { answer: 'one two' },
      {},
      { chat: interposed((entries) => (isAnswer(entries) ? broken() : undefined)) },
    )
    const { text, status } = await post(running.url, paths[wire], body(true))
    expect(status).toBe(200)
    expect(text).toContain('two')
    expect(text).not.toContain(ends[wire])
    const last = JSON.parse(text.trim().split('\n').at(-1)!.replace('data: ', '')) as { error: unknown }
    expect(last.error).toEqual(
      wire === 'ollama'
        ? expect.stringContaining('could not be recorded')
        : expect.objectContaining({ code: 'answer_not_recorded', type: 'api_error' }),
    )
    if (wire === 'anthropic') expect(text).toContain('event: error\ndata: {"type":"error",')
    const whole = await post(running.url, paths[wire], body(false))
    expect([whole.status, whole.headers['retry-after']]).toEqual([503, '1'])
    expect(whole.text).not.toContain('two')
  })

  test('is given all the same where the settings say so', async () => {
    const { running } = await gatewayBefore(
      { answer: 'one two' },
      { onStoreFailure: 'pass' },
      { chat: interposed((entries) => (isAnswer(entries) ? broken() : undefined)) },
    )
    expect((await post(running.url, paths[wire], body(true))).text).toContain(ends[wire])
    expect((await post(running.url, paths[wire], body(false))).status).toBe(200)
  })

  test('is answered 503 and asks nobody where the question cannot be put on record', async () => {
    const { upstream, running } = await gatewayBefore({}, {}, { chat: interposed(broken) })
    const refused = await post(running.url, paths[wire], body(true))
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
    expect(refused.json).toMatchObject({
      error: wire === 'ollama' ? expect.any(String) : expect.objectContaining({ code: 'store_unreachable' }),
    })
    expect(upstream.requests.filter(({ path }) => path === paths[wire])).toEqual([])
  })

  test('goes through unrecorded where the settings say so', async () => {
    const { running } = await gatewayBefore(
      { answer: 'one two' },
      { onStoreFailure: 'pass' },
      { chat: interposed(broken) },
    )
    const passed = await post(running.url, paths[wire], body(true))
    expect([passed.status, passed.headers['minutebook-recorded']]).toEqual([200, 'no'])
    expect(passed.text).toContain(ends[wire])
    expect(running.services.metrics.text()).toContain('minutebook_unrecorded_total 1')
  })

  test('is on record as whole where the client leaves while it is being written down', async () => {
    let open: () => void = () => undefined
    const gate = new Promise<void>((resolve) => void (open = resolve))
    let isKept = false
    const { running } = await gatewayBefore(
      { answer: 'one two' },
      {},
      { chat: interposed((entries) => (isAnswer(entries) ? ((isKept = true), gate) : undefined)) },
    )
    const leaving = new AbortController()
    const response = await request(`${running.url}${paths[wire]}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body(true)),
      signal: leaving.signal,
    })
    response.body.on('error', () => undefined).resume()
    await expect.poll(() => isKept).toBe(true)
    leaving.abort()
    await expect.poll(() => running.services.metrics.inFlight).toBe(0)
    open()
    await expect
      .poll(() => entriesIn(running.services.stores.of('default').store))
      .toEqual(['user complete: Hello', 'assistant complete: one two'])
  })

  test('is not asked for a client that left before', async () => {
    let open: () => void = () => undefined
    const gate = new Promise<void>((resolve) => void (open = resolve))
    const { upstream, running } = await gatewayBefore(
      {},
      {},
      { chat: interposed((entries) => (isAnswer(entries) ? undefined : gate)) },
    )
    const leaving = new AbortController()
    const left = request(`${running.url}${paths[wire]}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body(true)),
      signal: leaving.signal,
    })
    await expect.poll(() => running.services.metrics.inFlight).toBe(1)
    await setTimeout(50)
    leaving.abort()
    await expect(left).rejects.toThrow()
    await setTimeout(20)
    open()
    const { store } = running.services.stores.of('default')
    const isOver = async (): Promise<boolean> =>
      (await Promise.all((await store.list()).threads.map(({ thread }) => store.read(thread))))
        .flat()
        .some(({ kind }) => kind === 'receipt')
    await expect.poll(isOver).toBe(true)
    expect(await entriesIn(store)).toEqual(['user complete: Hello'])
    expect(upstream.requests.filter(({ path }) => path === paths[wire])).toEqual([])
  })
})
