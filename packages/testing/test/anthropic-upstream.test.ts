import Anthropic from '@anthropic-ai/sdk'
import { dot, words } from '@minutebook/testing'
import {
  omittedThinking,
  redactedThinking,
  signedThinking,
  strictUpstream,
  type StrictUpstream,
  type StrictUpstreamOptions,
  type UpstreamCall,
} from '@minutebook/testing/server'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anthropicChat } from '../../../tests/support/anthropic-chat.ts'
import { cases, withSure } from '../../../tests/support/runs.ts'

function clientOf({ url }: StrictUpstream, apiKey = 'any'): Anthropic {
  return new Anthropic({ baseURL: url, apiKey, maxRetries: 0 })
}

const now: Anthropic.Tool = { name: 'now', input_schema: { type: 'object', properties: {} } }
const hello: Anthropic.MessageCreateParamsNonStreaming = {
  model: 'm',
  max_tokens: 2000,
  messages: [{ role: 'user', content: 'a b' }],
}
const thinking = { type: 'enabled', budget_tokens: 1024 } as const

describe('an answer', () => {
  test('in one piece', async () => {
    await using upstream = await strictUpstream({
      answer: { reasoning: 'Hm. So.', text: 'Hi you', calls: [{ name: 'now', arguments: { a: 1 } }, { name: 'now' }] },
    })
    expect(await clientOf(upstream).messages.create(hello)).toEqual({
      id: 'msg_0',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        signedThinking('Hm. So.'),
        { type: 'text', text: 'Hi you' },
        { type: 'tool_use', id: 'toolu_0_0', name: 'now', input: { a: 1 } },
        { type: 'tool_use', id: 'toolu_0_1', name: 'now', input: {} },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 2, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 8 },
    })
  })

  test('as a stream says the same', async () => {
    await using upstream = await strictUpstream({
      answer: { reasoning: 'Hm. So.', text: 'Hi you', calls: [{ name: 'now', arguments: { a: 1 } }, { name: 'now' }] },
      split: 7,
    })
    const client = clientOf(upstream)
    const { id: first, ...whole } = await client.messages.create(hello)
    upstream.next({ answer: { reasoning: 'Hm. So.', text: 'Hi you', calls: calls('toolu_0_0', 'toolu_0_1') } })
    const { id: second, ...streamed } = await client.messages.stream(hello).finalMessage()
    expect([first, second]).toEqual(['msg_0', 'msg_1'])
    expect(streamed).toMatchObject(whole)
  })

  test('names its events, and sends a ping', async () => {
    await using upstream = await strictUpstream({ answer: { reasoning: 'Hm.', text: 'Hi', calls: calls('c') } })
    const response = await raw(upstream, { ...hello, stream: true })
    const events = (await response.text()).trimEnd().split('\n\n')
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const named = events.map((event) => /^event: (.*)\ndata: (.*)$/.exec(event)!.slice(1) as [string, string])
    for (const [name, data] of named) expect(JSON.parse(data)).toMatchObject({ type: name })
    expect(
      named.map(([name, data]) => (JSON.parse(data) as { delta?: { type?: string } }).delta?.type ?? name),
    ).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'thinking_delta',
      'signature_delta',
      'content_block_stop',
      'content_block_start',
      'text_delta',
      'content_block_stop',
      'content_block_start',
      'input_json_delta',
      'input_json_delta',
      'input_json_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
  })

  test('does not show a thought that is to be omitted', async () => {
    await using upstream = await strictUpstream({ answer: { reasoning: 'Hm. So.', text: 'Hi' } })
    const client = clientOf(upstream)
    const asked: typeof hello = { ...hello, thinking: { type: 'adaptive', display: 'omitted' } }
    const content = [omittedThinking('Hm. So.'), { type: 'text', text: 'Hi' }]
    expect((await client.messages.create(asked)).content).toEqual(content)
    expect((await client.messages.stream(asked).finalMessage()).content).toMatchObject(content)
  })

  test('to a question of models is their list', async () => {
    await using upstream = await strictUpstream({ models: ['a', 'b'], window: 2048 })
    const found = []
    for await (const { id, max_input_tokens: most } of clientOf(upstream).models.list()) found.push([id, most])
    expect(found).toEqual([
      ['a', 2048],
      ['b', 2048],
    ])
  })

  test.each([
    [{ text: 'a' }, 'end_turn'],
    [{ text: 'a', finish: 'length' }, 'max_tokens'],
    [{ text: 'a', finish: 'filter' }, 'refusal'],
    [{ calls: [{ name: 'now' }] }, 'tool_use'],
    [{}, 'end_turn'],
  ] as const)('%j ends with %s', async (answer, reason) => {
    await using upstream = await strictUpstream({ answer })
    const client = clientOf(upstream)
    expect((await client.messages.create(hello)).stop_reason).toBe(reason)
    expect((await client.messages.stream(hello).finalMessage()).stop_reason).toBe(reason)
  })

  test('fails on demand, before it begins and in its middle', async () => {
    await using upstream = await strictUpstream({ answer: 'one two three' })
    const client = clientOf(upstream)
    for (const [status, type] of [
      [429, 'rate_limit_error'],
      [500, 'api_error'],
      [529, 'overloaded_error'],
    ] as const) {
      upstream.next({ failWith: status, errorText: 'full' })
      const error = { status, error: { type: 'error', error: { type, message: 'full' } } }
      await expect(client.messages.create(hello)).rejects.toMatchObject(error)
    }
    upstream.next({ errorAfter: 4, errorText: 'full' })
    await expect(client.messages.stream(hello).finalMessage()).rejects.toThrow('full')
    upstream.next({ endAfter: 4 })
    await expect(client.messages.stream(hello).finalMessage()).rejects.toThrow(Anthropic.AnthropicError)
  })

  test('to a question of tokens is their count, even of a prompt that is too long', async () => {
    await using upstream = await strictUpstream({ window: 2, answer: [] })
    const { max_tokens: _, ...counted } = hello
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'a b c' }]
    const client = clientOf(upstream)
    expect(await client.messages.countTokens({ ...counted, messages, system: 'd' })).toEqual({ input_tokens: 4 })
    await expect(client.messages.countTokens({ ...counted, messages: [] })).rejects.toMatchObject({ status: 400 })
  })
})

function calls(...ids: string[]): UpstreamCall[] {
  return ids.map((id, index) => ({ id, name: 'now', arguments: index === 0 ? { a: 1 } : {} }))
}

function raw({ url }: StrictUpstream, body: object, headers: Record<string, string> = version): Promise<Response> {
  return fetch(`${url}/v1/messages`, { method: 'POST', body: JSON.stringify(body), headers })
}

const version = { 'anthropic-version': '2023-06-01' }

async function refusal(fields: object, options: StrictUpstreamOptions = {}): Promise<string> {
  await using upstream = await strictUpstream(options)
  const response = await raw(upstream, { ...hello, ...fields })
  const { type, error, ...others } = (await response.json()) as { type: string; error: Record<string, string> }
  expect([response.status, type, others]).toEqual([400, 'error', {}])
  const { type: kind, message, ...rest } = error
  expect([kind, rest]).toEqual(['invalid_request_error', {}])
  return message!
}

const use = (id: string): object => ({ type: 'tool_use', id, name: 'now', input: {} })
const result = (id: string, fields: object = { content: 'noon' }): object => ({
  type: 'tool_result',
  tool_use_id: id,
  ...fields,
})
const text = (said: string, fields: object = {}): object => ({ type: 'text', text: said, ...fields })
const mark = { cache_control: { type: 'ephemeral' } }
const user = (...content: object[]): object => ({ role: 'user', content })
const assistant = (...content: object[]): object => ({ role: 'assistant', content })

describe('what it refuses', () => {
  test.each<[string, object, RegExp]>([
    ['no limit of the answer', { max_tokens: undefined }, /^max_tokens: Field required$/],
    ['a limit below nothing', { max_tokens: -1 }, /^max_tokens: Input should be greater/],
    ['a limit that is no number', { max_tokens: '9' }, /^max_tokens: Input should be a valid integer$/],
    ['no model', { model: undefined }, /model/],
    ['no messages', { messages: undefined }, /^messages: Field required$/],
    ['an empty list of messages', { messages: [] }, /^messages: at least one message/],
    ['a system message', { messages: [{ role: 'system', content: 'a' }] }, /Unexpected role "system"/],
    ['a tool message', { messages: [{ role: 'tool', content: 'a' }] }, /Unexpected role "tool"/],
    ['an assistant first', { messages: [{ role: 'assistant', content: 'a' }] }, /first message must use the "user"/],
    ['a field of a message that nobody knows', { messages: [{ ...user(text('a')), name: 'b' }] }, /0\.name: Extra/],
    ['an empty text', { messages: [{ role: 'user', content: '' }] }, /^messages\.0: all messages must have non-empty/],
    ['an empty list of blocks', { messages: [user()] }, /^messages\.0: all messages must have non-empty/],
    ['content that is neither', { messages: [{ role: 'user', content: 1 }] }, /^messages\.0\.content: /],
    ['an empty block', { messages: [user(text(''))] }, /text content blocks must be non-empty/],
    ['a blank block', { messages: [user(text(' \n'))] }, /non-whitespace/],
    ['a block without a type', { messages: [user({ text: 'a' })] }, /^messages\.0\.content\.0\.type/],
    ['a field of a block that nobody knows', { messages: [user(text('a', { id: 1 }))] }, /0\.text\.id: Extra inputs/],
    ['an image without a source', { messages: [user({ type: 'image' })] }, /image\.source/],
    ['a call of a user', { messages: [user(use('c'))] }, /`tool_use` blocks can only be in `assistant`/],
    [
      'a call that nobody answers',
      { messages: [user(text('a')), assistant(use('c'))] },
      /without `tool_result`.*: c\./,
    ],
    [
      'a call that another message follows',
      { messages: [user(text('a')), assistant(use('c')), user(text('b')), user(result('c'))] },
      /`tool_use_id`|without `tool_result`/,
    ],
    [
      'one result for two calls',
      { messages: [user(text('a')), assistant(use('c'), use('d')), user(result('c'))] },
      /^messages\.1: `tool_use` ids were found without `tool_result` blocks immediately after: d\./,
    ],
    [
      'a text before the result',
      { messages: [user(text('a')), assistant(use('c')), user(text('b'), result('c'))] },
      /^messages\.1: .*: c\./,
    ],
    [
      'a result without a call',
      { messages: [user(result('c'))] },
      /^messages\.0\.content: unexpected `tool_use_id`.*: c/,
    ],
    [
      'two results for a call',
      { messages: [user(text('a')), assistant(use('c')), user(result('c'), result('c'))] },
      /single result/,
    ],
    [
      'two calls of one id',
      { messages: [user(text('a')), assistant(use('c'), use('c')), user(result('c'))] },
      /ids must be unique/,
    ],
    [
      'an input as a text',
      { messages: [user(text('a')), assistant({ ...use('c'), input: '{}' }), user(result('c'))] },
      /valid dictionary/,
    ],
    ['a result as a number', { messages: [user(result('c', { content: 1 }))] }, /tool_result\.content/],
    ['a blank at the end', { messages: [user(text('a')), assistant(text('b '))] }, /trailing whitespace/],
    ['a system text of another kind', { system: [{ type: 'image' }] }, /^system\.0/],
    ['a system text that is an object', { system: { type: 'text', text: 'a' } }, /^system: Input/],
    ['an empty system block', { system: [text('')] }, /^system: text content blocks/],
    ['a tool without a schema', { tools: [{ name: 'now' }] }, /^tools\.0\.custom\.input_schema/],
    [
      "a tool in OpenAI's form",
      { tools: [{ type: 'function', function: { name: 'now' } }] },
      /^tools\.0\.custom\.name/,
    ],
    ['a small budget for thoughts', { thinking: { type: 'enabled', budget_tokens: 5 } }, /budget_tokens/],
    ['a budget as large as the answer', { thinking, max_tokens: 1024 }, /`max_tokens` must be greater/],
    [
      'five marks for the cache',
      {
        system: [text('a', mark)],
        tools: [{ ...now, ...mark }],
        messages: [user(text('a')), assistant(use('c')), user(result('c', { content: [text('b', mark)], ...mark }))],
        ...mark,
      },
      /maximum of 4 blocks.*Found 5/,
    ],
  ])('%s', async (_, fields, reason) => {
    expect(await refusal(fields)).toMatch(reason)
  })

  const thought = signedThinking('The lamp is on.')
  const hidden = redactedThinking('It is off.')
  const omitted = omittedThinking('It is off.')
  test.each<[string, object[], RegExp]>([
    ['a changed thought', [{ ...thought, thinking: 'The lamp is off.' }], /Invalid `signature` in `thinking`/],
    ['a cut thought', [{ ...thought, thinking: 'The lamp' }], /Invalid `signature`/],
    ['a thought with another signature', [{ ...thought, signature: 'x' }], /Invalid `signature`/],
    ['a thought without a signature', [{ type: 'thinking', thinking: 'a' }], /signature: Field required/],
    ['a hidden thought that is changed', [{ ...hidden, data: `A${hidden.data}` }], /Invalid `data`/],
    ['an omitted thought that is changed', [{ ...omitted, thinking: 'a' }], /Invalid `signature`/],
    ['an omitted thought with a part of its signature', [{ ...omitted, signature: 'a.b' }], /Invalid `signature`/],
    ['a marked thought', [{ ...thought, ...mark }], /cache_control: Extra inputs/],
  ])('%s', async (_, thoughts, reason) => {
    const messages = [user(text('a')), assistant(...thoughts, text('b')), user(text('c'))]
    expect(await refusal({ messages })).toMatch(reason)
  })

  test('a call without the thought before it, as long as its results are the newest', async () => {
    const loop = [user(text('a')), assistant(use('c')), user(result('c'))]
    expect(await refusal({ messages: loop, thinking })).toMatch(/^messages\.1\.content\.0\.type: Expected `thinking`/)
    expect(await refusal({ messages: [...loop.slice(0, 1), assistant(thought)] })).toMatch(/The final block/)
    await using upstream = await strictUpstream()
    for (const fields of [
      { messages: loop },
      { messages: [...loop, assistant(text('b')), user(text('d'))], thinking },
      { messages: [...loop.slice(0, 2), user(result('c'), text('d'))], thinking },
      { messages: [loop[0], assistant(thought, use('c')), loop[2]], thinking },
      { messages: [loop[0], assistant(hidden, use('c')), loop[2]], thinking },
      { messages: [loop[0], assistant(omitted, use('c')), loop[2]], thinking },
    ])
      expect((await raw(upstream, { ...hello, ...fields })).status).toBe(200)
  })

  test('a request without a version, and one with another key', async () => {
    await using upstream = await strictUpstream({ key: 'right' })
    const bearer = { authorization: 'Bearer right' }
    expect((await raw(upstream, hello, { ...version, ...bearer })).status).toBe(200)
    const without = await raw(upstream, hello, bearer)
    expect([without.status, await without.text()]).toEqual([400, expect.stringContaining('anthropic-version')])
    expect((await clientOf(upstream, 'right').messages.create(hello)).content).toEqual([text('ok')])
    await expect(clientOf(upstream, 'wrong').messages.create(hello)).rejects.toMatchObject({
      status: 401,
      error: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
    })
  })

  test('a model that it does not have', async () => {
    await using upstream = await strictUpstream({ models: ['a'] })
    await expect(clientOf(upstream).messages.create(hello)).rejects.toMatchObject({
      status: 404,
      error: { error: { type: 'not_found_error' } },
    })
  })
})

describe('random chats', () => {
  const chats = anthropicChat(fc.constantFrom(1, -0.5, 1e21))

  test('are accepted as they are, and have whatever chats can have', async () => {
    await using upstream = await strictUpstream()
    const kinds = new Set<string>()
    const property = fc.asyncProperty(chats, async (chat) => {
      const response = await raw(upstream, { model: 'm', ...chat })
      expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
      for (const { content } of chat.messages)
        for (const { type } of typeof content === 'string' ? [{ type: 'string' }] : content) kinds.add(type)
    })
    await fc.assert(property, withSure(40, cases('usual'), [chats]))
    expect([...kinds].toSorted()).toEqual([
      'document',
      'image',
      'kind_of_tomorrow',
      'redacted_thinking',
      'string',
      'text',
      'thinking',
      'tool_result',
      'tool_use',
    ])
  })

  test('are refused without any one of their results or calls, and with another thought', async () => {
    await using upstream = await strictUpstream()
    const property = fc.asyncProperty(chats, fc.nat(), async (chat, seed) => {
      const places = chat.messages.flatMap(({ content }, index) =>
        typeof content === 'string'
          ? []
          : content.flatMap(({ type }, place) =>
              ['tool_use', 'tool_result', 'thinking'].includes(type) ? [{ type, index, place }] : [],
            ),
      )
      fc.pre(places.length > 0)
      const { type, index, place } = places[seed % places.length]!
      const messages = chat.messages.map((message, at) => {
        if (at !== index || typeof message.content === 'string') return message
        return {
          ...message,
          content:
            type === 'thinking'
              ? message.content.with(place, { ...message.content[place]!, thinking: 'Another.' })
              : message.content.toSpliced(place, 1),
        }
      })
      expect((await raw(upstream, { model: 'm', ...chat, messages })).status).toBe(400)
    })
    await fc.assert(property)
  })
})

describe('a window', () => {
  const messages = [user(text('a b c')), assistant(text('d e')), user(text('f'))]

  test('refuses what is longer in the words of the API', async () => {
    expect(await refusal({ messages, system: 'g h' }, { window: 7 })).toBe('prompt is too long: 8 tokens > 7 maximum')
    await using upstream = await strictUpstream({ window: 8 })
    expect((await raw(upstream, { ...hello, messages, system: 'g h' })).status).toBe(200)
  })

  test('is dropped silently into, if it is told to', async () => {
    await using upstream = await strictUpstream({ window: 6, onOverflow: 'drop' })
    const response = await raw(upstream, { ...hello, messages, system: 'g h' })
    expect(await response.json()).toMatchObject({ usage: { input_tokens: 5 } })
    expect(upstream.requests[0]?.seen).toEqual(messages.slice(1))
  })

  test('counts blocks of all kinds', async () => {
    await using upstream = await strictUpstream({ counter: words })
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: dot } }
    const paper = { type: 'document', title: 't', source: { type: 'text', media_type: 'text/plain', data: 'e' } }
    const found = { type: 'document', source: { type: 'content', content: [text('e f')] } }
    await raw(upstream, {
      ...hello,
      system: [text('a'), text('b')],
      tools: [now],
      messages: [
        user(text('c d'), picture, paper, found),
        assistant(signedThinking('g h i'), use('x')),
        user(result('x', { content: [text('j'), picture] })),
        assistant({ type: 'own_kind', own: 'k' }),
        { role: 'user', content: 'l' },
      ],
    })
    expect(upstream.requests[0]).toMatchObject({ status: 200, tokens: 2 + 1 + (2 + 1 + 2 + 2) + (3 + 2) + 2 + 1 + 1 })
  })
})

test('what is marked goes to the cache, and is read from there', async () => {
  await using upstream = await strictUpstream()
  const client = clientOf(upstream)
  const usages: unknown[] = []
  const question = (said: string, fields: object = {}): object => user(text(said, fields))
  for (const messages of [
    [question('b c')],
    [question('b c', mark)],
    [question('b c'), assistant(text('d')), question('e', mark)],
    [question('b c'), assistant(text('x')), question('e', mark)],
    [question('y', mark)],
  ]) {
    const { usage } = await client.messages.create({ ...hello, system: 'a', messages: messages as never })
    usages.push([usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens])
  }
  expect(usages).toEqual([
    [3, 0, 0],
    [0, 3, 0],
    [0, 2, 3],
    [0, 2, 3],
    [0, 2, 0],
  ])
})
