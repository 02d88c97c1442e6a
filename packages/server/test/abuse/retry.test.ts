import { describe, expect, test } from 'vitest'
import { assistant, user } from '@minutebook/testing'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { paths, post } from '../gateway/support/post.ts'
import { ask } from '../gateway/support/wire.ts'
import { gateway, gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { saidIn, wires } from './support/conversation.ts'
import { entriesIn, storeOf, threadsIn } from './support/record.ts'

const database = testDatabase()
const key = { 'idempotency-key': 'k1' }

describe.each(wires)('A17: over %s', (wire) => {
  const body = (stream: boolean): object => ({ model: 'strict', stream, messages: [user('Hello')] })

  test('ten tabs that send one request under one id leave one question, one call and one answer, which all of them get', async () => {
    let calls = 0
    const { running } = await gatewayBefore({ answer: () => `Answer ${++calls}.`, delay: 5 })
    const seen = await Promise.all(
      Array.from({ length: 10 }, (_, tab) =>
        ask(wire, running.url, { messages: [user('Hello')], stream: tab % 2 === 0, headers: key }),
      ),
    )
    expect(new Set(seen.map(saidIn))).toEqual(new Set(['Answer 1.']))
    expect([
      calls,
      (await entriesIn(storeOf(running), 'user')).length,
      (await entriesIn(storeOf(running), 'assistant')).length,
    ]).toEqual([1, 1, 1])
  })

  test('two tabs that go on from one answer are two branches, each with its own answer', async () => {
    const { running } = await gatewayBefore({
      answer: ({ messages }) => `re: ${String(messages.at(-1)?.content)}`,
      delay: 2,
    })
    await ask(wire, running.url, { messages: [user('Hello')], stream: false })
    const ways = Array.from({ length: 6 }, (_, tab) => [user('Hello'), assistant('re: Hello'), user(`way ${tab}`)])
    const seen = await Promise.all(
      ways.map((messages, tab) => ask(wire, running.url, { messages, stream: tab % 2 === 0 })),
    )
    expect(seen.map(saidIn)).toEqual(ways.map((_, tab) => `re: way ${tab}`))
    const { store, book } = running.services.stores.of('default')
    const [thread, ...others] = await threadsIn(store)
    expect([others, (await book.thread(thread!).branches()).length, (await entriesIn(store, 'user')).length]).toEqual([
      [],
      6,
      7,
    ])
    expect(await book.thread(thread!).verify()).toMatchObject({ ok: true })
  })

  test('what is sent to several instances at the same moment is one question on one thread', async () => {
    const { url } = await database.fresh()
    const { upstream, running: first } = await gatewayBefore({ answer: 'one two', delay: 5 }, { database: url })
    const others = await Promise.all([1, 2].map(() => gateway({ database: url, upstreams: [{ url: upstream.url }] })))
    for (const id of ['a', 'b']) {
      const answers = await Promise.all(
        [first, ...others].flatMap(({ url: at }) =>
          [true, false].map((stream) => post(at, paths[wire], body(stream), { 'idempotency-key': id })),
        ),
      )
      for (const { status, text } of answers) expect([status, text.includes('two')]).toEqual([200, true])
      expect(new Set(answers.map(({ headers }) => headers['minutebook-thread'])).size).toBe(1)
    }
    expect([(await threadsIn(storeOf(first))).length, (await entriesIn(storeOf(first), 'user')).length]).toEqual([2, 2])
    const { store, book } = first.services.stores.of('default')
    for (const thread of await threadsIn(store)) expect(await book.thread(thread).verify()).toMatchObject({ ok: true })
  })

  test('what is sent again to another instance, while the first is at work and after it, is the same question', async () => {
    const { url } = await database.fresh()
    const { upstream, running: first } = await gatewayBefore(
      { answer: 'one two three four', delay: 30 },
      { database: url },
    )
    const second = await gateway({ database: url, upstreams: [{ url: upstream.url }] })
    const slow = post(first.url, paths[wire], body(true), key)
    await expect.poll(() => upstream.requests.some(({ path }) => path === paths[wire])).toBe(true)
    const asked = (): number => upstream.requests.filter(({ path }) => path === paths[wire]).length
    const answers = [await post(second.url, paths[wire], body(false), key), await slow]
    // On a busy machine the first may have been answered before the second came.
    const before = asked()
    expect(before).toBeLessThanOrEqual(2)
    answers.push(await post(second.url, paths[wire], body(false), key))
    for (const { status, text } of answers) expect([status, text.includes('four')]).toEqual([200, true])
    const [question, ...others] = await entriesIn(storeOf(second), 'user')
    expect([
      others,
      (await entriesIn(storeOf(second), 'assistant')).every(({ parent }) => parent === question?.id),
    ]).toEqual([[], true])
    expect(asked()).toBe(before)
  })
})
