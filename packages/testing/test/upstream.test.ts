import type { Profile } from 'minutebook'
import {
  assistant,
  call,
  dot,
  ollamaAssistant,
  ollamaCall,
  ollamaPicture,
  ollamaResult,
  picture,
  result,
  system,
  user,
} from '@minutebook/testing'
import { strictUpstream, type StrictUpstream, type StrictUpstreamOptions } from '@minutebook/testing/server'
import { connect as connectTo } from 'node:net'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'

const paths = { ollama: '/api/chat', openai: '/v1/chat/completions' } as const
type WireName = keyof typeof paths

async function post(
  upstream: StrictUpstream,
  wire: WireName,
  body: unknown,
): Promise<{ status: number; text: string; type: string | null }> {
  const response = await fetch(upstream.url + paths[wire], {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') }
}

async function refused(wire: WireName, body: unknown, options: StrictUpstreamOptions = {}): Promise<string> {
  await using upstream = await strictUpstream(options)
  const { status, text } = await post(upstream, wire, body)
  expect(status).toBe(400)
  const { error } = JSON.parse(text) as { error: string | { message: string } }
  expect(typeof error).toBe(wire === 'ollama' ? 'string' : 'object')
  return typeof error === 'string' ? error : error.message
}

describe('the bytes of an answer', () => {
  test("lines of Ollama's protocol", async () => {
    await using upstream = await strictUpstream({
      answer: { reasoning: 'Hm.', text: 'Hi you', calls: [{ name: 'now', arguments: { a: 1 } }] },
    })
    const { text, type } = await post(upstream, 'ollama', { model: 'm', messages: [user('a b')] })
    const head = { model: 'm', created_at: '2026-01-01T00:00:00Z' }
    expect(type).toBe('application/x-ndjson')
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { ...head, message: { role: 'assistant', content: '', thinking: 'Hm.' }, done: false },
      { ...head, message: { role: 'assistant', content: 'Hi ' }, done: false },
      { ...head, message: { role: 'assistant', content: 'you' }, done: false },
      {
        ...head,
        message: { role: 'assistant', content: '', tool_calls: [{ function: { name: 'now', arguments: { a: 1 } } }] },
        done: false,
      },
      {
        ...head,
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: 'stop',
        total_duration: 3e6,
        load_duration: 1e6,
        prompt_eval_count: 2,
        prompt_eval_duration: 1e6,
        eval_count: 5,
        eval_duration: 1e6,
      },
    ])
  })

  test("events of OpenAI's protocol", async () => {
    await using upstream = await strictUpstream({
      answer: { text: 'Hi', calls: [{ name: 'now', arguments: { a: 1 } }] },
    })
    const { text, type } = await post(upstream, 'openai', {
      model: 'm',
      messages: [user('a b')],
      stream: true,
      stream_options: { include_usage: true },
    })
    const events = text.trimEnd().split('\n\n')
    expect(type).toBe('text/event-stream')
    expect(events.at(-1)).toBe('data: [DONE]')
    const chunks = events.slice(0, -1).map(
      (event) =>
        JSON.parse(event.slice(6)) as {
          id: string
          choices: { delta: unknown; finish_reason: unknown }[]
          usage?: unknown
        },
    )
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    expect(chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta))).toEqual([
      { role: 'assistant', content: '' },
      { content: 'Hi' },
      { tool_calls: [{ index: 0, id: 'call_0_0', type: 'function', function: { name: 'now', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      {},
    ])
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls')
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
    })
  })

  test('no counts, where the request asks for none or the upstream gives none', async () => {
    await using upstream = await strictUpstream()
    expect((await post(upstream, 'openai', { model: 'm', messages: [user('a')], stream: true })).text).not.toContain(
      'usage',
    )
    for (const wire of ['ollama', 'openai'] as const) {
      upstream.next({ usage: false })
      expect(
        (await post(upstream, wire, { model: 'm', messages: [user('a')], stream: wire === 'ollama' })).text,
      ).not.toMatch(/usage|_count/)
    }
  })

  test('are the same every time, and whole where no stream is asked for', async () => {
    const texts = await Promise.all(
      [0, 1].map(async () => {
        await using upstream = await strictUpstream({ answer: 'Hello' })
        const answers = [
          await post(upstream, 'ollama', { model: 'm', messages: [user('a')], stream: false }),
          await post(upstream, 'openai', { model: 'm', messages: [user('a')] }),
        ]
        for (const { type, text } of answers)
          expect([type, JSON.parse(text)]).toEqual(['application/json', expect.any(Object)])
        return answers.map(({ text }) => text)
      }),
    )
    expect(texts[0]).toEqual(texts[1])
  })

  test('pages about itself, through both clients', async () => {
    await using upstream = await strictUpstream({ models: ['a', 'b'], window: 2048 })
    const client = new Ollama({ host: upstream.url })
    expect((await client.list()).models.map(({ name }) => name)).toEqual(['a', 'b'])
    expect((await client.ps()).models[0]).toMatchObject({ context_length: 2048 })
    expect((await client.show({ model: 'a' })).model_info).toMatchObject({ 'strict.context_length': 2048 })
    expect(await client.version()).toHaveProperty('version')
    expect(
      (await new OpenAI({ apiKey: 'k', baseURL: `${upstream.url}/v1` }).models.list()).data.map(({ id }) => id),
    ).toEqual(['a', 'b'])
    expect(await (await fetch(upstream.url)).text()).toBe('Ollama is running')
    expect((await fetch(upstream.url, { method: 'HEAD' })).status).toBe(200)
    await expect(client.show({ model: 'c' })).rejects.toThrow()
  })
})

describe('what it answers', () => {
  const hear = async (upstream: StrictUpstream): Promise<string> => {
    const { text } = await post(upstream, 'ollama', { model: 'm', messages: [user('a')], stream: false })
    return (JSON.parse(text) as { message?: { content: string }; error?: string }).message?.content ?? 'refused'
  }

  test('a list in order, and then an error', async () => {
    await using upstream = await strictUpstream({ answer: ['one', { text: ['t', 'wo'] }] })
    expect([await hear(upstream), await hear(upstream), await hear(upstream)]).toEqual(['one', 'two', 'refused'])
    expect(upstream.requests.at(-1)?.status).toBe(500)
  })

  test('what a function says, sooner or later', async () => {
    await using upstream = await strictUpstream({
      answer: async ({ messages, tokens, path }) => ({ text: `${path} ${messages.length} ${tokens}` }),
    })
    expect(await hear(upstream)).toBe('/api/chat 1 1')
  })

  test('another thing once', async () => {
    await using upstream = await strictUpstream({ answer: 'always' })
    upstream.next({ answer: 'once' })
    expect([await hear(upstream), await hear(upstream)]).toEqual(['once', 'always'])
  })

  test('what a function throws, as an error', async () => {
    await using upstream = await strictUpstream({
      answer: () => {
        throw new Error('a bug in a test')
      },
    })
    expect(await post(upstream, 'ollama', { model: 'm', messages: [user('a')] })).toMatchObject({
      status: 500,
      text: '{"error":"Error: a bug in a test"}',
    })
  })

  test('an empty chat loads the model', async () => {
    await using upstream = await strictUpstream({ answer: { text: '' } })
    expect((await post(upstream, 'ollama', { model: 'm', messages: [] })).text).toContain('"done_reason":"load"')
  })
})

describe('what it refuses', () => {
  test.each<[string, WireName, unknown, RegExp]>([
    ['nothing', 'ollama', '', /not a JSON object/],
    ['what is no JSON', 'ollama', '{"model":', /not a JSON object/],
    ['a list', 'openai', [], /not a JSON object/],
    ['no model', 'ollama', { messages: [] }, /model is required/],
    ['an empty model', 'openai', { model: '', messages: [user('a')] }, /model is required/],
    ['no messages', 'openai', { model: 'm' }, /messages is not a list/],
    ['messages that are none', 'ollama', { model: 'm', messages: {} }, /messages is not a list/],
    ['tools that are none', 'ollama', { model: 'm', messages: [user('a')], tools: {} }, /tools is not a list/],
    ['a role nobody knows', 'ollama', { model: 'm', messages: [{ role: 'robot' }] }, /message 0: role/],
    [
      'a developer in Ollama',
      'ollama',
      { model: 'm', messages: [{ role: 'developer', content: 'a' }] },
      /message 0: role/,
    ],
    ['parts in Ollama', 'ollama', { model: 'm', messages: [picture('a', dot)] }, /content is not a text/],
    [
      'arguments as text in Ollama',
      'ollama',
      { model: 'm', messages: [assistant('', call('c', 'f')), result('c', 'r')] },
      /arguments of a call are not an object/,
    ],
    [
      'an image that is no base64',
      'ollama',
      { model: 'm', messages: [ollamaPicture('a', 'https://x')] },
      /images is not a list of base64/,
    ],
    ['images in OpenAI', 'openai', { model: 'm', messages: [ollamaPicture('a', dot)] }, /images is unknown/],
    [
      'thinking in OpenAI',
      'openai',
      { model: 'm', messages: [{ role: 'assistant', content: 'a', thinking: 'b' }] },
      /thinking is unknown/,
    ],
    [
      'calls without ids',
      'openai',
      { model: 'm', messages: [ollamaAssistant('', ollamaCall('f')), result('c', 'r')] },
      /a call has no id/,
    ],
    [
      'arguments as an object in OpenAI',
      'openai',
      {
        model: 'm',
        messages: [
          { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: {} } }] },
        ],
      },
      /arguments of a call are not a text/,
    ],
    [
      'results without ids',
      'openai',
      { model: 'm', messages: [assistant('', call('c', 'f')), ollamaResult('f', 'r')] },
      /no tool_call_id/,
    ],
    ['a user without content', 'openai', { model: 'm', messages: [{ role: 'user' }] }, /content is missing/],
    [
      'an empty list of calls',
      'openai',
      { model: 'm', messages: [{ role: 'assistant', content: 'a', tool_calls: [] }] },
      /tool_calls is not a list of calls/,
    ],
    [
      'a result without a call',
      'openai',
      { model: 'm', messages: [user('a'), result('c', 'r')] },
      /message 1 \(tool\): a result without a call/,
    ],
    [
      'a call without a result',
      'ollama',
      { model: 'm', messages: [ollamaAssistant('', ollamaCall('f')), user('a')] },
      /1 calls with 0 results/,
    ],
    [
      'one result for two calls',
      'openai',
      { model: 'm', messages: [assistant('', call('c', 'f'), call('d', 'f')), result('c', 'r')] },
      /2 calls with 1 results/,
    ],
  ])('%s', async (_, wire, body, reason) => {
    expect(await refused(wire, body)).toMatch(reason)
  })

  test.each<[Profile, RegExp]>([
    [{ noSystem: true }, /no system role/],
    [{ mustAlternate: true }, /the same role twice/],
    [{ noTools: true }, /no tools/],
    [{ systemFirstOnly: true }, /a system message that is not first/],
  ])('what a template with %j refuses, by its rule', async (profile, reason) => {
    const messages = [
      system('s'),
      user('a'),
      user('b'),
      assistant('', call('c', 'f')),
      result('c', 'r'),
      system('t'),
      user('d'),
    ]
    expect(await refused('openai', { model: 'm', messages }, { profile })).toMatch(reason)
  })

  test('a model that it does not have', async () => {
    await using upstream = await strictUpstream({ models: ['a'] })
    expect(await post(upstream, 'ollama', { model: 'b', messages: [] })).toMatchObject({
      status: 404,
      text: expect.stringContaining("model 'b' not found") as string,
    })
  })

  test('a place that there is not', async () => {
    await using upstream = await strictUpstream()
    for (const [path, method] of [
      ['/api/nothing', 'GET'],
      ['/api/chat', 'GET'],
      ['/api/tags', 'POST'],
      ['/v1/chat', 'POST'],
    ]) {
      expect((await fetch(upstream.url + path, { method: method! })).status).toBe(404)
    }
    expect(upstream.requests.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })

  test('a request that is out of order uses up neither answers nor faults', async () => {
    await using upstream = await strictUpstream({ answer: ['one'] })
    upstream.next({ failWith: 503 })
    const statuses = []
    for (const model of ['', 'm', 'm'])
      statuses.push((await post(upstream, 'ollama', { model, messages: [user('a')] })).status)
    expect(statuses).toEqual([400, 503, 200])
  })
})

describe('a window', () => {
  const count = (words: number): string => Array.from({ length: words }, () => 'word').join(' ')
  const chat = [system(count(4)), user(count(10)), assistant(count(10)), user(count(6))]
  const ask = async (
    wire: WireName,
    options: StrictUpstreamOptions,
    body: object = {},
  ): Promise<{ status: number; prompt: unknown; seen: number; text: string }> => {
    await using upstream = await strictUpstream(options)
    const { status, text } = await post(upstream, wire, { model: 'm', messages: chat, stream: false, ...body })
    const { prompt_eval_count: ollama, usage } = JSON.parse(text) as {
      prompt_eval_count?: number
      usage?: { prompt_tokens: number }
    }
    return { status, prompt: ollama ?? usage?.prompt_tokens, seen: upstream.requests[0]!.seen.length, text }
  }

  test.each<WireName>(['ollama', 'openai'])('holds a prompt and one word more: %s', async (wire) => {
    expect(await ask(wire, { window: 31 })).toMatchObject({ status: 200, prompt: 30, seen: 4 })
    expect(await ask(wire, { window: 30 })).toMatchObject({ status: 400, seen: 0 })
  })

  test('refuses in the words of the protocol', async () => {
    expect(JSON.parse((await ask('ollama', { window: 30 })).text)).toEqual({
      error: expect.stringContaining('exceeds the context length') as string,
    })
    expect(JSON.parse((await ask('openai', { window: 30 })).text)).toMatchObject({
      error: { code: 'context_length_exceeded', type: 'invalid_request_error' },
    })
  })

  test.each<WireName>(['ollama', 'openai'])('halves silently, where it is told to: %s', async (wire) => {
    // 20 - floor((20 - 4) / 2), and of the newest messages what fits in there.
    expect(await ask(wire, { window: 20, onOverflow: 'halve' }, { truncate: false })).toMatchObject({
      status: 200,
      prompt: 12,
      seen: 1,
    })
    expect(await ask(wire, { window: 31, onOverflow: 'halve' })).toMatchObject({ status: 200, prompt: 30, seen: 4 })
  })

  test.each<WireName>(['ollama', 'openai'])('drops the oldest silently, where it is told to: %s', async (wire) => {
    expect(await ask(wire, { window: 20, onOverflow: 'drop' }, { truncate: false })).toMatchObject({
      status: 200,
      prompt: expect.toSatisfy((tokens: number) => tokens < 20) as number,
      seen: 2,
    })
    expect(await ask(wire, { window: 31, onOverflow: 'drop' })).toMatchObject({ status: 200, prompt: 30, seen: 4 })
  })

  test('keeps at the beginning what the request says', async () => {
    expect(await ask('ollama', { window: 20, onOverflow: 'halve' }, { options: { num_keep: 10 } })).toMatchObject({
      prompt: 15,
    })
  })

  test('obeys the request, where it is told to', async () => {
    expect(await ask('ollama', { window: 20, onOverflow: 'obey' }, { truncate: false })).toMatchObject({ status: 400 })
    expect(await ask('ollama', { window: 20, onOverflow: 'obey' })).toMatchObject({ status: 200, prompt: 12 })
  })

  test('is the smaller one, where the request asks for another', async () => {
    expect(await ask('ollama', { window: 1000 }, { options: { num_ctx: 30 } })).toMatchObject({ status: 400 })
    expect(await ask('ollama', {}, { options: { num_ctx: 30 } })).toMatchObject({ status: 400 })
    expect(await ask('ollama', { window: 30 }, { options: { num_ctx: 1000 } })).toMatchObject({ status: 400 })
  })

  test('counts tools, thoughts, calls and images', async () => {
    const tools = [{ type: 'function', function: { name: 'f', description: 'two words' } }]
    const messages = [
      ollamaPicture('a', dot, dot),
      {
        role: 'assistant',
        content: 'b c',
        thinking: 'd',
        tool_calls: [{ function: { name: 'f', arguments: { x: 1, y: 2 } } }],
      },
      ollamaResult('f', 'e'),
    ]
    await using upstream = await strictUpstream()
    await post(upstream, 'ollama', { model: 'm', messages, tools })
    expect(upstream.requests[0]?.tokens).toBe(3 + (2 + 1 + 1 + 4) + 1 + 2)
  })
})

describe('what it records', () => {
  test('the exact bytes, the headers, the path', async () => {
    await using upstream = await strictUpstream()
    const body = '{ "model":"m",\n"messages":[{"content":"Grüße \\ud800","role":"user"}] }'
    await fetch(`${upstream.url}/api/chat?x=1`, { method: 'POST', body, headers: { 'X-Own': 'yes' } })
    expect(upstream.requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/chat',
      text: body,
      headers: { 'x-own': 'yes' },
      status: 200,
      aborted: false,
    })
    expect(Buffer.compare(upstream.requests[0]!.bytes, Buffer.from(body))).toBe(0)
  })

  test('how much of a prompt stood at the beginning of the one before', async () => {
    await using upstream = await strictUpstream()
    const [one, two, three] = [user('a b'), assistant('c d'), user('e f g h')]
    const tools = [{ type: 'function', function: { name: 'f' } }]
    for (const [model, messages, given] of [
      ['m', [one], []],
      ['m', [one, two, three], []],
      ['n', [one], []],
      ['m', [one, two], []],
      ['m', [three, two], []],
      ['m', [three, two], tools],
      ['m', [three, two], tools],
    ] as const) {
      await post(upstream, 'ollama', { model, messages, tools: given })
    }
    expect(upstream.requests.map(({ reuse }) => reuse)).toEqual([
      { messages: 0, tokens: 0, share: 0 },
      { messages: 1, tokens: 2, share: 0.25 },
      { messages: 0, tokens: 0, share: 0 },
      { messages: 2, tokens: 4, share: 1 },
      { messages: 0, tokens: 0, share: 0 },
      { messages: 0, tokens: 0, share: 0 },
      { messages: 2, tokens: 7, share: 1 },
    ])
  })

  test('whether the client went away', async () => {
    await using upstream = await strictUpstream({ answer: 'one two three', delay: 20 })
    const controller = new AbortController()
    const response = await fetch(upstream.url + paths.ollama, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [user('a')] }),
      signal: controller.signal,
    })
    await response.body?.getReader().read()
    controller.abort()
    await upstream.requests[0]?.closed
    expect(upstream.requests[0]?.aborted).toBe(true)
  })
})

describe('what goes wrong on purpose', () => {
  test.each<WireName>(['ollama', 'openai'])('a status before the first byte: %s', async (wire) => {
    await using upstream = await strictUpstream({ failWith: 503, errorText: 'full' })
    const { status, text } = await post(upstream, wire, { model: 'm', messages: [user('a')] })
    expect(status).toBe(503)
    expect(JSON.parse(text)).toEqual({
      error: wire === 'ollama' ? 'full' : { message: 'full', type: 'api_error', param: null, code: null },
    })
  })

  test.each<WireName>(['ollama', 'openai'])(
    'an error in the middle of a stream, and in place of a whole answer: %s',
    async (wire) => {
      await using upstream = await strictUpstream({ errorAfter: 1, errorText: 'full' })
      const { status, text } = await post(upstream, wire, { model: 'm', messages: [user('a')], stream: true })
      const parts = text.trimEnd().split(wire === 'ollama' ? '\n' : '\n\n')
      expect([status, parts.length]).toEqual([200, 2])
      expect(parts[1]).toMatch(/^(data: )?\{"error":/)
      upstream.next({ errorAfter: 0 })
      expect(
        JSON.parse((await post(upstream, wire, { model: 'm', messages: [user('a')], stream: false })).text),
      ).toHaveProperty('error')
    },
  )

  test('a body in pieces of a size', async () => {
    await using upstream = await strictUpstream({ answer: 'é', split: 3 })
    const sizes = await chunkSizes(upstream, { model: 'm', messages: [user('a')] })
    expect(Math.max(...sizes)).toBe(3)
    expect(sizes.filter((size) => size < 3).length).toBeLessThanOrEqual(2)
  })

  test('what is queued counts for one chat each, on top of what always counts', async () => {
    await using upstream = await strictUpstream({ failWith: 500 })
    upstream.next({ failWith: 501 })
    upstream.next({ failWith: 502, errorText: 'two' })
    const statuses = []
    for (let time = 0; time < 3; time++)
      statuses.push((await post(upstream, 'ollama', { model: 'm', messages: [user('a')] })).status)
    expect(statuses).toEqual([501, 502, 500])
  })

  test('a paused answer goes on when it may', async () => {
    let goOn = (): void => undefined
    const until = new Promise<void>((resolve) => (goOn = resolve))
    await using upstream = await strictUpstream({ answer: 'a b c', pauseAfter: { chunks: 1, until } })
    const response = await fetch(`${upstream.url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [user('a')] }),
    })
    let text = ''
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      if (!text.includes('"b')) goOn()
    }
    expect(text.split('\n').filter(Boolean)).toHaveLength(4)
    expect(upstream.requests[0]?.aborted).toBe(false)
  })

  test('it can be closed while it stalls', async () => {
    const upstream = await strictUpstream({ stallAfter: 0 })
    const ended = expect(post(upstream, 'ollama', { model: 'm', messages: [user('a')] })).rejects.toThrow()
    await expect.poll(() => upstream.requests.length).toBe(1)
    await upstream.close()
    await ended
  })
})

/** The sizes of the HTTP chunks of an answer, as they stand on the wire. */
async function chunkSizes(upstream: StrictUpstream, body: unknown): Promise<number[]> {
  const text = JSON.stringify(body)
  const socket = connectTo(Number(new URL(upstream.url).port), '127.0.0.1')
  socket.write(
    `POST /api/chat HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
  const received: Buffer[] = []
  for await (const piece of socket) received.push(piece as Buffer)
  const [, ...bodyParts] = Buffer.concat(received).toString('latin1').split('\r\n\r\n')
  const lines = bodyParts.join('\r\n\r\n').split('\r\n')
  return lines
    .filter((_, index) => index % 2 === 0)
    .map((size) => Number.parseInt(size, 16))
    .filter((size) => size > 0)
}
