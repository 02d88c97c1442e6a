import { assistant, system, user, words } from '@minutebook/testing'
import type { Message, Store } from 'minutebook'
import type { Receipt } from 'minutebook/inspect'
import type { StoredEntry } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { relayChat } from '../../src/gateway/gateway.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { paths, post } from './support/post.ts'
import { ask, bodyOf } from './support/wire.ts'

const wires = ['ollama', 'openai', 'anthropic'] as const
type Gateway = Awaited<ReturnType<typeof gatewayBefore>>

const storeOf = ({ running }: Gateway): Store => running.services.stores.of('default').store

async function threadsOf(gateway: Gateway): Promise<string[]> {
  return (await storeOf(gateway).list()).threads
    .map(({ thread }) => thread)
    .filter((thread) => !thread.startsWith('minutebook:'))
}

async function entriesOf(gateway: Gateway, kind: string): Promise<StoredEntry[]> {
  const logs = await Promise.all((await threadsOf(gateway)).map((thread) => storeOf(gateway).read(thread)))
  return logs.flat().filter((entry) => entry.kind === kind)
}

const long = (turns: number): Message[] => [
  system('Be brief.'),
  ...Array.from({ length: turns }, (_, index) => [
    user(`Question ${index} ${'word '.repeat(20)}`),
    assistant(`Answer ${index} ${'word '.repeat(20)}`),
  ]).flat(),
  user('And the last one?'),
]

describe.each(wires)('a chat of %s', (wire) => {
  const path = paths[wire]
  const body = (messages: readonly Message[], stream = false): object => bodyOf(wire, messages, stream)

  test('that does not fit is rewritten: only its messages, and that nothing may be cut', async () => {
    const gateway = await gatewayBefore({}, { models: { strict: { window: 600, reserve: 50 } } }, { chat: relayChat() })
    const { messages, ...others } = body(long(40)) as { readonly messages: Message[] }
    const rest = JSON.stringify(others, null, 1).slice(1)
    const text = `{ "own" : 1.50,"messages":${JSON.stringify(messages, null, 1)} ,${rest}`
    const { status, headers } = await post(gateway.running.url, path, text)
    expect(status).toBe(200)
    const sent = gateway.upstream.requests.at(-1)!
    const kept = wire === 'ollama' ? rest.replace('\n}', '\n,"truncate":false,"shift":false}') : rest
    expect(sent.text).toBe(`{ "own" : 1.50,"messages":${JSON.stringify(sent.messages)} ,${kept}`)
    expect(sent.messages.length).toBeLessThan(81)
    expect(sent.messages[0]).toMatchObject({ role: wire === 'anthropic' ? 'user' : 'system' })
    expect(sent.messages.at(-1)).toEqual(user('And the last one?'))
    expect(JSON.stringify(sent.messages)).toContain('Question 0')
    expect(headers['minutebook-window']).toBe('600; source="configuration"')
    expect(
      (await entriesOf(gateway, 'receipt')).map(({ text: receipt }) => (JSON.parse(receipt) as { mode: string }).mode),
    ).toEqual(['rewritten'])
    expect(await entriesOf(gateway, 'user')).toHaveLength(41)
  })

  test('tells in a header how many of its messages are not in the prompt in full, whatever stands there in their place', async () => {
    const gateway = await gatewayBefore(
      {},
      { models: { strict: { window: 4096, reserve: 50 } } },
      { chat: relayChat() },
    )
    const said = long(120)
    const { headers } = await post(gateway.running.url, path, body(said))
    const { json, messages } = gateway.upstream.requests.at(-1)!
    const sent = [...messages.map(({ content }) => String(content)), (json as { system?: string }).system ?? '']
    const missing = said.filter(({ content }) => !sent.some((text) => text.includes(String(content))))
    const [receipt] = await entriesOf(gateway, 'receipt')
    const { verdicts } = JSON.parse(receipt!.text) as Receipt
    expect(Object.keys(verdicts)).toEqual(expect.arrayContaining(['digested', 'outlined', 'verbatim']))
    expect([headers['minutebook-omitted'], said.length - (verdicts.verbatim ?? 0) - (verdicts.recalled ?? 0)]).toEqual([
      `${missing.length}`,
      missing.length,
    ])
  })

  test('that can never fit is refused in the words of the protocol, so that agents shorten it, and asks nobody', async () => {
    const gateway = await gatewayBefore({}, { models: { strict: { window: 64 } } }, { chat: relayChat() })
    const { status, json } = await post(gateway.running.url, path, body([system('word '.repeat(500)), user('Hello')]))
    const words = {
      ollama: {
        error: expect.stringMatching(/^the input length exceeds the context length \(\d+ tokens, 64\)\. What must/),
      },
      openai: {
        error: {
          message: expect.stringMatching(/^This model's maximum context length is 64 tokens\. However, .* \d+ tokens/),
          code: 'context_length_exceeded',
          type: 'invalid_request_error',
          param: null,
          n_ctx: 64,
          n_prompt_tokens: expect.any(Number),
        },
      },
      anthropic: {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
          message: expect.stringMatching(/^prompt is too long: \d+ tokens > 64 maximum/),
        },
      },
    } as const
    expect([status, json]).toEqual([400, words[wire]])
    expect(gateway.upstream.requests).toEqual([])
  })

  test('tells in its headers what was done with it', async () => {
    const gateway = await gatewayBefore(
      { counter: words },
      { models: { strict: { window: 4096 } } },
      { chat: relayChat() },
    )
    const whole = await post(gateway.running.url, path, body([user('Hello')]))
    const [thread] = await threadsOf(gateway)
    const [question] = await entriesOf(gateway, 'user')
    const [receipt] = await entriesOf(gateway, 'receipt')
    expect(whole.headers).toMatchObject({
      'minutebook-thread': thread,
      'minutebook-turn': question?.id,
      'minutebook-receipt': receipt?.id,
      'minutebook-recorded': 'yes',
      'minutebook-tokens': expect.stringMatching(/^\d+; reported=1; truncated=unknown$/),
      'minutebook-omitted': '0',
      'minutebook-window': '4096; source="configuration"',
    })
    const next = [user('Hello'), assistant('ok'), user('More')]
    const streamed = await post(gateway.running.url, path, body(next, true), { te: 'trailers' })
    expect(streamed.headers).toMatchObject({
      'minutebook-thread': thread,
      'minutebook-tokens': expect.stringMatching(/^\d+; last-truncated=unknown$/),
    })
    expect(streamed.headers['minutebook-receipt']).toBeUndefined()
    expect(streamed.trailers['minutebook-receipt']).toBe((await entriesOf(gateway, 'receipt')).at(-1)?.id)
    expect(Object.keys(streamed.trailers).toSorted()).toEqual(
      String(streamed.headers['trailer']).split(', ').toSorted(),
    )
  })

  test('goes on in its thread, turn after turn, whatever the client re-sends', async () => {
    let turn = 0
    const gateway = await gatewayBefore({ answer: () => `Answer ${turn++}` }, {}, { chat: relayChat() })
    const messages: Message[] = [system('Be brief.')]
    for (let index = 0; index < 12; index++) {
      messages.push(user(`Question ${index}`))
      await post(gateway.running.url, path, body(messages, index % 2 === 0))
      messages.push(assistant(`Answer ${index}`))
    }
    expect(await threadsOf(gateway)).toHaveLength(1)
    expect(await entriesOf(gateway, 'user')).toHaveLength(12)
    expect(await entriesOf(gateway, 'assistant')).toHaveLength(12)
    expect(
      await gateway.running.services.stores
        .of('default')
        .book.thread((await threadsOf(gateway))[0]!)
        .verify(),
    ).toMatchObject({ ok: true })
  })

  test('that is not to be recorded is fitted all the same, and leaves nothing', async () => {
    const gateway = await gatewayBefore({}, { models: { strict: { window: 600, reserve: 50 } } }, { chat: relayChat() })
    const { headers } = await post(gateway.running.url, path, body(long(40)), { 'minutebook-record': 'no' })
    expect(headers['minutebook-receipt']).toBeUndefined()
    expect([headers['minutebook-recorded'], headers['minutebook-thread']]).toEqual(['no', undefined])
    expect(gateway.upstream.requests.at(-1)!.messages.length).toBeLessThan(81)
    expect((await storeOf(gateway).list()).threads).toEqual([])
  })

  test('that names its thread goes there, with its history or without', async () => {
    const gateway = await gatewayBefore({}, {}, { chat: relayChat() })
    const named = { 'minutebook-thread': 'mine' }
    await post(gateway.running.url, path, body([user('Hello')]), named)
    await post(gateway.running.url, path, body([user('Hello'), assistant('ok'), user('More')]), named)
    await post(gateway.running.url, path, body([user('Only this')]), named)
    expect(await threadsOf(gateway)).toEqual(['mine'])
    expect((await entriesOf(gateway, 'user')).map(({ text }) => text)).toEqual(['Hello', 'More', 'Only this'])
  })
})

describe.each(wires)('a chat of %s that is sent again', (wire) => {
  const path = paths[wire]
  const body = (stream: boolean): object => bodyOf(wire, [user('Hello')], stream)
  const key = { 'idempotency-key': 'k1' }
  const endings = {
    ollama: '"done":true',
    openai: '"finish_reason":"tool_calls"',
    anthropic: '"stop_reason":"tool_use"',
  } as const
  const textIn = (chunks: readonly unknown[]): string => JSON.stringify(chunks)

  test('is another one if it has other messages, even under the same id', async () => {
    const { running, upstream } = await gatewayBefore({ answer: ['one', 'two'] })
    const seen = await ask(wire, running.url, { messages: [user('Hello')], headers: key, stream: false })
    const other = await ask(wire, running.url, { messages: [user('Bye')], headers: key, stream: false })
    expect([textIn(seen.chunks), textIn(other.chunks)]).toEqual([
      expect.stringContaining('one'),
      expect.stringContaining('two'),
    ])
    expect(upstream.requests.filter(({ path: where }) => where === path)).toHaveLength(2)
  })

  test.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('under the same id is given the same answer, and asks nobody (streamed: %s, then %s)', async (first, then) => {
    const gateway = await gatewayBefore(
      {
        answer: [{ reasoning: 'Hm.', text: 'one two', calls: [{ id: 'c1', name: 'now', arguments: { zone: 'UTC' } }] }],
      },
      {},
      { chat: relayChat() },
    )
    const asked = { messages: [user('Hello')], headers: key }
    const seen = await ask(wire, gateway.running.url, { ...asked, stream: first })
    const again = await ask(wire, gateway.running.url, { ...asked, stream: then })
    expect([seen.error, again.error]).toEqual([undefined, undefined])
    expect(gateway.upstream.requests.filter(({ path: where }) => where === path)).toHaveLength(1)
    for (const word of ['two', 'now', 'UTC', 'Hm.', 'c1']) expect(textIn(again.chunks)).toContain(word)
    expect(textIn(again.chunks)).toContain(endings[wire])
    expect([(await entriesOf(gateway, 'user')).length, (await entriesOf(gateway, 'assistant')).length]).toEqual([1, 1])
  })

  test('under the same id while the first is under way waits for its answer', async () => {
    const gateway = await gatewayBefore({ answer: ['one two three'], delay: 10 }, {}, { chat: relayChat() })
    const both = await Promise.all([
      post(gateway.running.url, path, body(true), key),
      post(gateway.running.url, path, body(true), key),
    ])
    for (const { status, text } of both) expect([status, text]).toEqual([200, expect.stringContaining('three')])
    expect(gateway.upstream.requests.filter(({ path: where }) => where === path)).toHaveLength(1)
    expect([(await entriesOf(gateway, 'user')).length, (await entriesOf(gateway, 'assistant')).length]).toEqual([1, 1])
  })

  test('under the same id after a failure is asked anew, as the same question', async () => {
    const gateway = await gatewayBefore({ answer: 'Hi' }, {}, { chat: relayChat() })
    gateway.upstream.next({ failWith: 500 })
    expect((await post(gateway.running.url, path, body(false), key)).status).toBe(500)
    expect((await post(gateway.running.url, path, body(false), key)).status).toBe(200)
    expect([(await entriesOf(gateway, 'user')).length, (await entriesOf(gateway, 'assistant')).length]).toEqual([1, 1])
  })

  test('by a client that says so is the same question, and another answer', async () => {
    const gateway = await gatewayBefore({ answer: ['one', 'two'] }, {}, { chat: relayChat() })
    await post(gateway.running.url, path, body(false))
    await post(gateway.running.url, path, body(false), { 'x-stainless-retry-count': '1' })
    expect((await entriesOf(gateway, 'user')).length).toBe(1)
    expect((await entriesOf(gateway, 'assistant')).map(({ text }) => text)).toEqual(['one', 'two'])
  })

  test('by nobody who says so is another conversation', async () => {
    const gateway = await gatewayBefore({}, {}, { chat: relayChat() })
    await post(gateway.running.url, path, body(false))
    await post(gateway.running.url, path, body(false))
    expect(await threadsOf(gateway)).toHaveLength(2)
  })

  test('with other words under the same id is another question: an id for everything is none', async () => {
    const gateway = await gatewayBefore({}, {}, { chat: relayChat() })
    await post(gateway.running.url, path, body(false), { ...key, 'minutebook-thread': 'mine' })
    const other = await post(
      gateway.running.url,
      path,
      { ...body(false), messages: [user('Other')] },
      { ...key, 'minutebook-thread': 'mine' },
    )
    expect(other.status).toBe(200)
    expect((await entriesOf(gateway, 'user')).map(({ text }) => text)).toEqual(['Hello', 'Other'])
  })
})

describe('num_ctx', () => {
  test('is put into every chat of Ollama where the operator wants one, and changes nothing else', async () => {
    const { upstream, running } = await gatewayBefore(
      {},
      { models: { strict: { num_ctx: 8192 } } },
      { chat: relayChat() },
    )
    const messages = JSON.stringify([user('Hello')])
    for (const [before, after] of [
      [
        `{"model":"strict","messages":${messages}}`,
        `{"model":"strict","messages":${messages},"options":{"num_ctx":8192}}`,
      ],
      [
        `{"options": {"num_ctx" : 2048, "seed":1} ,"model":"strict","messages":${messages}}`,
        `{"options": {"num_ctx" : 8192, "seed":1} ,"model":"strict","messages":${messages}}`,
      ],
      [
        `{"options":{ },"model":"strict","messages":${messages}}`,
        `{"options":{ "num_ctx":8192},"model":"strict","messages":${messages}}`,
      ],
      [
        `{"options":null,"model":"strict","messages":${messages}}`,
        `{"options":{"num_ctx":8192},"model":"strict","messages":${messages}}`,
      ],
    ] as const) {
      const { headers } = await post(running.url, paths.ollama, before)
      expect(upstream.requests.at(-1)?.text).toBe(after)
      expect(headers['minutebook-window']).toMatch(/^(8192|4096);/)
    }
    await post(running.url, paths.openai, `{"model":"strict","messages":${messages}}`)
    expect(upstream.requests.at(-1)?.text).toBe(`{"model":"strict","messages":${messages}}`)
  })

  test('of a request is its window', async () => {
    const { running } = await gatewayBefore({ window: 100_000 }, {}, { chat: relayChat() })
    const { headers } = await post(running.url, paths.ollama, {
      model: 'strict',
      stream: false,
      messages: [user('Hello')],
      options: { num_ctx: 2048 },
    })
    expect(headers['minutebook-window']).toBe('2048; source="request"')
  })
})
