import Anthropic from '@anthropic-ai/sdk'
import { signedThinking, type UpstreamRequest } from '@minutebook/testing/server'
import fc from 'fast-check'
import type { Store } from 'minutebook'
import { gptTokenizer } from 'minutebook/gpt-tokenizer'
import type { StoredEntry } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { relayChat } from '../../src/gateway/gateway.ts'
import { anthropicChat } from '../../../../tests/support/anthropic-chat.ts'
import { cases, withSure } from '../../../../tests/support/runs.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { inMemory } from './support/interposed.ts'

/** CHATS=1000 for the figure of the record. */
const chats = Number(process.env['CHATS'] ?? 40)
const randomChat = anthropicChat(fc.constantFrom(1, -0.5, 1e21))

interface OfficialClient {
  readonly client: Anthropic
  /** The bodies that it sent. */
  readonly bodies: unknown[]
}

/** The official client, which writes down what it sends. */
function officialClient(baseURL: string): OfficialClient {
  const bodies: unknown[] = []
  const client = new Anthropic({
    baseURL,
    apiKey: 'none',
    maxRetries: 0,
    fetch: (url, options) => {
      bodies.push(options?.body)
      return fetch(url, options)
    },
  })
  return { client, bodies }
}

test(`${chats} random chats of the official client reach the upstream byte for byte, and so do its answers`, async () => {
  const { upstream, running } = await gatewayBefore(
    { answer: answerTo },
    { models: { strict: { window: 1_000_000 } } },
    { chat: inMemory() },
  )
  const [bare, through] = [officialClient(upstream.url), officialClient(running.url)]
  const heard = async ({ client }: OfficialClient, asked: object, streams: boolean): Promise<object> => {
    const request = { model: 'strict', ...asked } as Anthropic.MessageCreateParamsNonStreaming
    const { id: _, ...answer } = streams
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request)
    return answer
  }
  const property = fc.asyncProperty(randomChat, fc.boolean(), async (asked, streams) => {
    const straight = await heard(bare, asked, streams)
    expect(withoutCounts(await heard(through, asked, streams))).toEqual(withoutCounts(straight))
    const [first, second] = upstream.requests.filter(({ path }) => path === '/v1/messages').slice(-2)
    expect(through.bodies.at(-1)).toBe(bare.bodies.at(-1))
    expect([first!.text, second!.text]).toEqual([bare.bodies.at(-1), bare.bodies.at(-1)])
  })
  await fc.assert(property, { numRuns: chats })
  expect(running.services.metrics.text()).toContain(`minutebook_relays_total{mode="unchanged"} ${chats}\n`)
})

function answerTo({ messages }: UpstreamRequest): object {
  return {
    reasoning: 'Hm. So.',
    text: `You sent ${messages.length} messages.`,
    calls: messages.length % 2 === 0 ? [] : [{ id: 'toolu_now', name: 'now', arguments: { zone: 'UTC', at: 1e21 } }],
  }
}

/** The second of two equal requests reads from the cache what the first wrote there. */
function withoutCounts(answer: object): object {
  return { ...answer, usage: undefined }
}

test('random chats in small windows: the upstream accepts each prompt, or the gateway refuses the chat itself', async () => {
  const output = 1100
  const windows = [800, 1200, 1600, 2400]
  const models = Object.fromEntries(windows.map((size) => [`m${size}`, { window: size, counter: 'o200k' }]))
  const counter = gptTokenizer()
  const { upstream, running } = await gatewayBefore({ counter }, { models: models as never }, { chat: inMemory() })
  const { client } = officialClient(running.url)
  const seen = { unchanged: 0, rewritten: 0, refused: 0 }
  const drawn = [randomChat, fc.constantFrom(...windows)] as const
  const property = fc.asyncProperty(...drawn, async (asked, window) => {
    const before = upstream.requests.length
    const request = { model: `m${window}`, ...asked, max_tokens: output }
    const { response } = await client.messages
      .create(request as never)
      .withResponse()
      .catch((error: unknown) => ({ response: error as InstanceType<typeof Anthropic.APIError> }))
    const sent = upstream.requests.slice(before).filter(({ path }) => path === '/v1/messages')
    if (response instanceof Anthropic.APIError) {
      expect([sent, response.message]).toEqual([
        [],
        expect.stringMatching(/prompt is too long: \d+ tokens > \d+ maximum/),
      ])
      seen.refused++
    } else {
      expect(sent.map(({ status }) => status)).toEqual([200])
      // At least an eighth of a window is kept for the answer, and half of it if everything fits then.
      expect(sent[0]!.tokens).toBeLessThanOrEqual(window - Math.floor(window / 8))
      seen[sent[0]!.messages.length < asked.messages.length ? 'rewritten' : 'unchanged']++
    }
  })
  await fc.assert(property, withSure(20, cases('long'), drawn))
  expect(Object.values(seen)).not.toContain(0)
})

describe('the record of an agent', () => {
  type Gateway = Awaited<ReturnType<typeof gatewayBefore>>
  const storeOf = ({ running }: Gateway): Store => running.services.stores.of('default').store

  async function logsOf(gateway: Gateway): Promise<readonly (readonly StoredEntry[])[]> {
    const { threads } = await storeOf(gateway).list()
    const ids = threads.map(({ thread }) => thread).filter((thread) => !thread.startsWith('minutebook:'))
    return Promise.all(ids.map((thread) => storeOf(gateway).read(thread)))
  }

  const user = (...content: Anthropic.ContentBlockParam[]): Anthropic.MessageParam => ({ role: 'user', content })
  const assistant = (...content: Anthropic.ContentBlockParam[]): Anthropic.MessageParam => ({
    role: 'assistant',
    content,
  })
  const text = (said: string): Anthropic.TextBlockParam => ({ type: 'text', text: said })
  const use = (id: string, number: number): Anthropic.ToolUseBlockParam => ({
    type: 'tool_use',
    id,
    name: 'look',
    input: { number },
  })
  const result = (id: string, content: string): Anthropic.ToolResultBlockParam => ({
    type: 'tool_result',
    tool_use_id: id,
    content,
  })
  const ask = async (
    { running }: Gateway,
    messages: readonly Anthropic.MessageParam[],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Anthropic.Message> =>
    officialClient(running.url).client.messages.create(
      { model: 'strict', max_tokens: 50, system: 'Be brief.', messages: [...messages] },
      { headers },
    )
  const scene = (...answers: readonly object[]): Promise<Gateway> =>
    gatewayBefore({ answer: answers }, {}, { chat: relayChat() })

  const looks = (id: string, number: number): object => ({
    reasoning: `I look at ${number}.`,
    text: 'Let me see.',
    calls: [{ id, name: 'look', arguments: { number } }],
  })

  test('is one thread, with a system text, calls, results and thoughts', async () => {
    const gateway = await scene(looks('a', 1), looks('b', 2), { text: 'Both are lit.' })
    const messages = [user(text('Which lamp is lit?'))]
    for (const [id, found] of [
      ['a', 'lit'],
      ['b', 'lit, too'],
    ] as const) {
      messages.push(assistant(...(await ask(gateway, messages)).content), user(result(id, found)))
    }
    await ask(gateway, messages)
    const [log, ...others] = await logsOf(gateway)
    expect(others).toEqual([])
    expect(
      log!.filter(({ kind }) => kind !== 'receipt' && kind !== 'settings').map(({ kind, text: said }) => [kind, said]),
    ).toEqual([
      ['system', 'Be brief.'],
      ['user', 'Which lamp is lit?'],
      ['assistant', 'Let me see.'],
      ['tool', 'lit'],
      ['assistant', 'Let me see.'],
      ['tool', 'lit, too'],
      ['assistant', 'Both are lit.'],
    ])
    expect(JSON.stringify(log!.find(({ kind }) => kind === 'assistant')!.raw)).toContain(
      signedThinking('I look at 1.').signature,
    )
  })

  test('has a branch for an edited question and for another answer', async () => {
    const gateway = await scene(
      looks('a', 1),
      { text: 'It is lit.' },
      { text: 'It is dark.' },
      { text: 'It is green.' },
    )
    const question = user(text('Is lamp 1 lit?'))
    const first = [question, assistant(...(await ask(gateway, [question])).content), user(result('a', 'lit'))]
    const answered = [...first, assistant(...(await ask(gateway, first)).content)]
    // An edit of the second question, and after it the first answer again.
    await ask(gateway, [...answered, user(text('And lamp 2?'))])
    await ask(gateway, [...answered, user(text('And its colour?'))])
    const [log, ...others] = await logsOf(gateway)
    expect(others).toEqual([])
    const at = (said: string): StoredEntry => log!.find((entry) => entry.text === said)!
    expect(at('And lamp 2?').parent).toBe(at('And its colour?').parent)
    expect(at('And lamp 2?').parent).not.toBe(undefined)
    expect([at('It is dark.').parent, at('It is green.').parent]).not.toContain(at('It is lit.').id)
    expect(log!.filter(({ kind }) => kind === 'tool')).toHaveLength(1)
  })

  test('has two answers to a question that is asked again, and one that is tried again', async () => {
    const gateway = await scene(looks('a', 1), { text: 'lit' }, { text: 'dark' })
    const question = user(text('Is lamp 1 lit?'))
    const asked = [question, assistant(...(await ask(gateway, [question])).content), user(result('a', 'lit'))]
    const key = { 'idempotency-key': 'k1' }
    const [one, same] = [await ask(gateway, asked, key), await ask(gateway, asked, key)]
    expect(same.content).toEqual(one.content)
    expect((await ask(gateway, asked)).content).toEqual([text('dark')])
    expect(gateway.upstream.requests.filter(({ path }) => path === '/v1/messages')).toHaveLength(3)
    const [log, ...others] = await logsOf(gateway)
    expect(others).toEqual([])
    const answers = log!.filter(({ kind, text: said }) => kind === 'assistant' && said !== 'Let me see.')
    expect(answers.map(({ text: said }) => said)).toEqual(['lit', 'dark'])
    expect(answers[0]!.parent).toBe(answers[1]!.parent)
  })

  test('is the same, wherever the client moves its marks for the cache, and if it leaves out thoughts', async () => {
    const gateway = await scene(looks('a', 1), { text: 'lit' }, { text: 'bye' })
    const mark = { cache_control: { type: 'ephemeral' as const } }
    await ask(gateway, [user({ ...text('Is lamp 1 lit?'), ...mark })])
    const asked = [user(text('Is lamp 1 lit?')), assistant(text('Let me see.'), { ...use('a', 1), ...mark })]
    await ask(gateway, [...asked, user(result('a', 'lit'))])
    await ask(gateway, [...asked, user({ ...result('a', 'lit'), ...mark }), assistant(text('lit')), user(text('Bye'))])
    const [log, ...others] = await logsOf(gateway)
    expect(others).toEqual([])
    expect(log!.filter(({ kind }) => kind === 'user').map(({ text: said }) => said)).toEqual(['Is lamp 1 lit?', 'Bye'])
  })
})
