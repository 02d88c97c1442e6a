import { assistant, user } from '@minutebook/testing'
import type { Message } from 'minutebook'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { relayChat } from '../../src/gateway/gateway.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { paths, post } from './support/post.ts'

describe.each(['ollama', 'openai'] as const)('many clients of %s at once', (wire) => {
  test('get their own answers, each in a thread of its own', async () => {
    const { running } = await gatewayBefore(
      { answer: ({ messages }) => `You said: ${String(messages.at(-1)?.content)}`, split: 40 },
      {},
      { chat: relayChat() },
    )
    const talk = async (client: number): Promise<string> => {
      const messages: Message[] = []
      let thread = ''
      for (let turn = 0; turn < 4; turn++) {
        messages.push(user(`client ${client} turn ${turn}`))
        const stream = (client + turn) % 2 === 0
        const { status, text, headers } = await post(running.url, paths[wire], { model: 'strict', stream, messages })
        const said = text
          .split('\n')
          .map((line) => line.replace('data: ', ''))
          .filter((line) => line.startsWith('{'))
          .map((line) => textIn(JSON.parse(line)))
          .join('')
        expect([status, said]).toEqual([200, `You said: client ${client} turn ${turn}`])
        messages.push(assistant(said))
        if (turn > 0) expect(headers['minutebook-thread']).toBe(thread)
        thread = String(headers['minutebook-thread'])
      }
      return thread
    }
    const threads = await Promise.all(Array.from({ length: 12 }, (_, client) => talk(client)))
    expect(new Set(threads).size).toBe(12)
    const { book } = running.services.stores.of('default')
    for (const thread of threads.slice(0, 3)) expect(await book.thread(thread).verify()).toMatchObject({ ok: true })
  })

  test('on one thread are branches of it, and lose nothing', async () => {
    const { running } = await gatewayBefore(
      { answer: ({ messages }) => `re: ${String(messages.at(-1)?.content)}` },
      {},
      { chat: relayChat() },
    )
    const opening = [user('Hello')]
    await post(
      running.url,
      paths[wire],
      { model: 'strict', stream: false, messages: opening },
      { 'minutebook-thread': 'one' },
    )
    const next = (index: number): Message[] => [...opening, assistant('re: Hello'), user(`way ${index}`)]
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        post(
          running.url,
          paths[wire],
          { model: 'strict', stream: true, messages: next(index) },
          { 'minutebook-thread': 'one' },
        ),
      ),
    )
    const { store, book } = running.services.stores.of('default')
    const log = await store.read('one')
    expect(log.filter(({ kind }) => kind === 'user')).toHaveLength(9)
    expect(
      log
        .filter(({ kind }) => kind === 'assistant')
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual(['re: Hello', ...Array.from({ length: 8 }, (_, index) => `re: way ${index}`)].toSorted())
    expect(await book.thread('one').verify()).toMatchObject({ ok: true })
  })
})

test('two keys with the same words never meet, not even by the name of a thread', async () => {
  const keys = ['alice', 'bob'].map((name) => ({
    name,
    sha256: createHash('sha256').update(`key of ${name}`).digest('hex'),
    tenant: 'default',
    scope: 'app' as const,
  }))
  const { upstream, running } = await gatewayBefore({}, { keys }, { chat: relayChat() })
  const say = (
    name: string,
    messages: readonly Message[],
    headers: Record<string, string> = {},
  ): ReturnType<typeof post> =>
    post(
      running.url,
      paths.openai,
      { model: 'strict', messages },
      { authorization: `Bearer key of ${name}`, ...headers },
    )
  const [first, second] = [await say('alice', [user('Hello')]), await say('bob', [user('Hello')])]
  const next = [user('Hello'), assistant('ok'), user('More')]
  const [third, fourth] = [await say('alice', next), await say('bob', next)]
  expect([third.headers['minutebook-thread'], fourth.headers['minutebook-thread']]).toEqual([
    first.headers['minutebook-thread'],
    second.headers['minutebook-thread'],
  ])
  expect(first.headers['minutebook-thread']).not.toBe(second.headers['minutebook-thread'])
  const stolen = await say('bob', [user('What did we say?')], {
    'minutebook-thread': String(first.headers['minutebook-thread']),
  })
  expect(stolen.headers['minutebook-thread']).not.toBe(first.headers['minutebook-thread'])
  expect(upstream.requests.at(-1)?.messages).toEqual([user('What did we say?')])
  expect(upstream.requests.some(({ headers }) => headers['authorization'] !== undefined)).toBe(false)
})

test('an image by its address is fetched by nobody of ours', async () => {
  let fetched = 0
  const bait = createServer((_, response) => {
    fetched++
    response.end()
  })
  await new Promise<void>((resolve) => bait.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => void bait.close())
  const url = `http://127.0.0.1:${(bait.address() as AddressInfo).port}/image.png`
  const { upstream, running } = await gatewayBefore({}, {}, { chat: relayChat() })
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url } },
      ],
    },
  ]
  const { status, headers } = await post(running.url, paths.openai, {
    model: 'strict',
    messages,
    base_url: url,
    upstream: url,
  })
  expect([status, headers['minutebook-recorded'], fetched]).toEqual([200, 'yes', 0])
  expect(upstream.requests.at(-1)?.messages).toEqual(messages)
})

function textIn(chunk: unknown): string {
  const { message, choices } = chunk as {
    message?: { content?: string }
    choices?: { delta?: { content?: string }; message?: { content?: string } }[]
  }
  return message?.content ?? choices?.[0]?.delta?.content ?? choices?.[0]?.message?.content ?? ''
}
