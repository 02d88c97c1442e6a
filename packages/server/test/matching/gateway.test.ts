import { user } from '@minutebook/testing'
import type { Message } from 'minutebook'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Running } from '../../src/index.ts'
import { ask, textIn, type ClientName } from '../gateway/support/wire.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { said, threadsOf } from './support/relaying.ts'

const keys = ['ada', 'bob'].map((name) => ({
  name,
  sha256: createHash('sha256').update(`key of ${name}`).digest('hex'),
  tenant: 'default',
  scope: 'app' as const,
}))
/** LINE_TURNS=100 for a longer look. */
const many = Number(process.env['LINE_TURNS'] ?? 40)
const as = (name: string): Record<string, string> => ({ authorization: `Bearer key of ${name}` })

describe.each(['ollama', 'openai', 'anthropic'] as const)('the record behind the client of %s', (wire) => {
  test.each([
    ['unchanged', 1_000_000],
    ['rewritten', 512],
  ] as const)(`has ${many} turns where it sends everything again ${many} times, %s`, async (path, window) => {
    const { running, store } = await scene(window)
    const messages: Message[] = [{ role: 'system', content: 'You are a lighthouse keeper.' }]
    for (let turn = 0; turn < many; turn++) {
      messages.push(user(`Question ${turn % 9}: what of the lamp tonight?`))
      messages.push(await answered(wire, running, messages, { stream: turn % 2 === 0 }))
    }
    const [thread = '', ...others] = await threadsOf(store)
    expect(others).toEqual([])
    const counts = await Promise.all(
      ['system', 'user', 'assistant', 'receipt'].map(async (kind) => (await said(store, thread, kind)).length),
    )
    console.log(
      `${wire}, ${path}: ${many} requests that send everything again left ${counts[1]} questions, ${counts[2]} answers, ${counts[3]} receipts in 1 thread`,
    )
    expect(counts).toEqual([1, many, many, many])
    const { book } = running.services.stores.of('default')
    expect((await book.thread(thread).receipts()).map((receipt) => receipt.mode)).toContain(path)
    expect(await book.thread(thread).verify()).toMatchObject({ ok: true })
  })

  test('keeps two conversations apart that begin with the same "hi"', async () => {
    const { running, store } = await scene(1_000_000)
    const [one, two]: Message[][] = [[user('hi')], [user('hi')]]
    for (const talk of [one!, two!]) talk.push(await answered(wire, running, talk))
    expect(await threadsOf(store)).toHaveLength(2)
    for (const talk of [one!, two!]) await answered(wire, running, [...talk, user('go on')])
    const threads = await threadsOf(store)
    expect(threads).toHaveLength(2)
    expect(
      await Promise.all(threads.map(async (thread) => (await said(store, thread, 'user')).map(({ text }) => text))),
    ).toEqual([
      ['hi', 'go on'],
      ['hi', 'go on'],
    ])
  })

  test('keeps keys apart that say the same, whatever they name or try again', async () => {
    const { running, store } = await scene(1_000_000, true)
    const messages: Message[] = []
    for (let turn = 0; turn < 30; turn++) {
      messages.push(user(`go on with ${turn}`))
      const more = {
        ...(turn % 3 === 0 && { 'idempotency-key': String(turn) }),
        ...(turn % 5 === 0 && { 'x-stainless-retry-count': '1' }),
      }
      const [answer, same] = [
        await answered(wire, running, messages.slice(-9), { headers: { ...as('ada'), ...more } }),
        await answered(wire, running, messages.slice(-9), { headers: { ...as('bob'), ...more } }),
      ]
      expect(same).toEqual(answer)
      messages.push(answer)
    }
    const threads = await threadsOf(store)
    const [adas, bobs] = ['ada/', 'bob/'].map((prefix) => threads.filter((thread) => thread.startsWith(prefix)))
    expect([adas?.length, bobs?.length, threads.length]).toEqual([1, 1, 2])
    const lengths = await Promise.all(threads.map(async (thread) => (await said(store, thread, 'user')).length))
    // A key that names the thread of another has one of its own of that name.
    const [first = ''] = adas ?? []
    const before = await store.read(first)
    await answered(wire, running, [user('Whose is this?')], { headers: { ...as('bob'), 'minutebook-thread': first } })
    expect(await store.read(first)).toEqual(before)
    expect((await said(store, `bob/${first}`, 'user')).map(({ text }) => text)).toEqual(['Whose is this?'])
    console.log(
      `${wire}: 2 keys, 30 same questions each: a thread each, of ${lengths.join(' and ')} questions, none shared`,
    )
    expect(lengths).toEqual([30, 30])
  })
})

async function scene(
  window: number,
  hasKeys = false,
): Promise<{ readonly running: Running; readonly store: ReturnType<Running['services']['stores']['of']>['store'] }> {
  let count = 0
  // Answers to the same question differ, as a model's do; those of the same turn of two keys do not.
  const { running } = await gatewayBefore(
    { answer: () => `ok ${hasKeys ? Math.floor(count++ / 2) : count++}` },
    { models: { strict: { window, reserve: 60 } }, ...(hasKeys && { keys }) },
  )
  return { running, store: running.services.stores.of('default').store }
}

async function answered(
  wire: ClientName,
  { url }: Running,
  messages: readonly Message[],
  { stream = false, headers = {} }: { readonly stream?: boolean; readonly headers?: Record<string, string> } = {},
): Promise<Message> {
  const { chunks, error } = await ask(wire, url, { messages, stream, headers })
  expect(error).toBeUndefined()
  return { role: 'assistant', content: chunks.map(textIn).join('') }
}
