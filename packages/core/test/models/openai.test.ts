import { openAiModel } from 'minutebook/openai'
import { user } from '@minutebook/testing'
import { strictUpstream } from '@minutebook/testing/server'
import { getEventListeners } from 'node:events'
import OpenAI from 'openai'
import { describe, expect, test, vi } from 'vitest'
import { within } from '../../../../tests/support/patience.ts'
import { listen, requestOf, textOf, wires, type Heard } from '../../../../tests/support/wires.ts'

/** A model whose server answers with this. */
function behind(answer: () => Response | Promise<Response>, options: object = {}): ReturnType<typeof openAiModel> {
  return openAiModel(
    new OpenAI({ apiKey: 'k', baseURL: 'http://localhost/v1', fetch: async () => answer(), ...options }),
    { model: 'm' },
  )
}

const ask = (model: ReturnType<typeof openAiModel>): Promise<Heard> => listen(model(requestOf([user('a')])))
const event = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`
const said = (content: string, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })
const stream = (text: string): Response => new Response(text, { headers: { 'content-type': 'text/event-stream' } })

describe('what the server is told', () => {
  test('to stream, and to count', async () => {
    await using upstream = await strictUpstream()
    await ask(openAiModel(new OpenAI({ apiKey: 'k', baseURL: `${upstream.url}/v1` }), { model: 'm' }))
    expect(upstream.requests[0]?.json).toEqual({
      model: 'm',
      messages: [user('a')],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  test('not to count, where the caller says so', async () => {
    await using upstream = await strictUpstream()
    const heard = await ask(
      openAiModel(new OpenAI({ apiKey: 'k', baseURL: `${upstream.url}/v1` }), { model: 'm', stream_options: null }),
    )
    expect(upstream.requests[0]?.json).toMatchObject({ stream_options: null })
    expect(heard.events.at(-1)).not.toHaveProperty('usage')
  })

  test('what extra says, instead of a field of the same name', async () => {
    await using upstream = await strictUpstream()
    const client = new OpenAI({ apiKey: 'k', baseURL: `${upstream.url}/v1` })
    await ask(openAiModel(client, { model: 'm', temperature: 0, seed: 1, extra: { temperature: 1, top_k: 40 } }))
    expect(upstream.requests[0]?.json).toMatchObject({ temperature: 1, seed: 1, top_k: 40 })
  })

  test('no misspelt field: the types refuse it', () => {
    const client = new OpenAI({ apiKey: 'k' })
    // @ts-expect-error it is temperature
    expect(openAiModel(client, { model: 'm', temprature: 0 }).model).toBe('m')
  })

  test('once, however often the client would try', async () => {
    for (const faults of [{ failWith: 503 }, { failWith: 409 }, { abortAfter: 0 }]) {
      await using upstream = await strictUpstream(faults)
      await ask(openAiModel(new OpenAI({ apiKey: 'k', baseURL: `${upstream.url}/v1`, maxRetries: 5 }), { model: 'm' }))
      expect(upstream.requests).toHaveLength(1)
      expect(upstream.requests[0]?.headers['x-stainless-retry-count']).toBe('0')
    }
  })
})

describe('a server that does not stream', () => {
  test('an answer in one piece is an answer', async () => {
    await using upstream = await strictUpstream({
      answer: { text: 'Hello to you.', calls: [{ name: 'now' }] },
      whole: true,
    })
    const heard = await ask(openAiModel(new OpenAI({ apiKey: 'k', baseURL: `${upstream.url}/v1` }), { model: 'm' }))
    expect(heard.events).toMatchObject([
      { type: 'text', text: 'Hello to you.' },
      { type: 'end', finish: 'calls', usage: { prompt: 1 } },
    ])
  })

  test('a success that is an error', async () => {
    await using upstream = await strictUpstream({ whole: true, errorAfter: 0, errorText: 'out of memory' })
    const { error } = await ask(openAiModel(new OpenAI({ apiKey: 'k', baseURL: `${upstream.url}/v1` }), { model: 'm' }))
    expect(error).toMatchObject({ code: 'model_error' })
    expect(error?.message).toContain('out of memory')
  })

  test('a success that is no JSON', async () => {
    expect(
      (await ask(behind(() => new Response('{"choices"', { headers: { 'content-type': 'application/json' } })))).error,
    ).toMatchObject({ code: 'model_cut' })
  })
})

describe('an answer that is out of order', () => {
  test('an event that breaks off is a cut', async () => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const heard = await ask(behind(() => stream(said('secret ') + said('two', 'stop').slice(0, 30))))
    expect(heard.error).toMatchObject({ code: 'model_cut' })
    expect(textOf(heard)).toBe('secret ')
    expect(JSON.stringify(quiet.mock.calls)).not.toContain('secret')
    quiet.mockRestore()
  })

  test('comments and a missing [DONE] do no harm', async () => {
    expect(
      textOf(await ask(behind(() => stream(`: keep-alive\n\n${said('one ')}: keep-alive\n\n${said('two', 'stop')}`)))),
    ).toBe('one two')
  })

  test.each<[string, object]>([
    ['the code of OpenAI', { message: 'too much', code: 'context_length_exceeded', type: 'invalid_request_error' }],
    ['the type of llama.cpp', { message: 'too much', code: 400, type: 'exceed_context_size_error', n_ctx: 4096 }],
    ['words', { message: "This model's maximum context length is 4096 tokens." }],
  ])('an overflow is known by %s', async (_, error) => {
    expect((await ask(behind(() => Response.json({ error }, { status: 400 })))).error).toMatchObject({
      code: 'context_overflow',
      details: { status: 400 },
    })
    expect((await ask(behind(() => stream(event({ error }))))).error).toMatchObject({ code: 'context_overflow' })
  })

  test('a limit per minute is no window', async () => {
    const error = {
      message: 'Rate limit reached: tokens per minute exceed the context of your plan',
      type: 'tokens',
      code: 'rate_limit_exceeded',
    }
    expect((await ask(behind(() => Response.json({ error }, { status: 429 })))).error).toMatchObject({
      code: 'model_refused',
    })
  })

  test("an error that is a proxy's page", async () => {
    const { error } = await ask(
      behind(() => new Response('<html>\n\nBad gateway</html>'.padEnd(100_000, '.'), { status: 502 })),
    )
    expect(error).toMatchObject({ code: 'model_error', details: { status: 502 } })
    expect(error?.message.length).toBeLessThan(500)
  })

  test('a server that is too late for the client', async () => {
    await using upstream = await strictUpstream({ stallAfter: 0 })
    const { error } = await ask(
      openAiModel(new OpenAI({ apiKey: 'k', baseURL: `${upstream.url}/v1`, timeout: within(1000) }), { model: 'm' }),
    )
    expect(error).toMatchObject({ code: 'model_unreachable' })
    expect(error?.message).toMatch(/timed out.*time limit/)
    expect(upstream.requests).toHaveLength(1)
  })
})

describe('a key', () => {
  const key = 'sk-canary-0123456789'
  const echo = (): Response => Response.json({ error: { message: `no such key: ${key}` } }, { status: 401 })
  test.each<[string, object]>([
    ['that a function gives', { apiKey: async () => key }],
    ['in a list of headers', { defaultHeaders: [['x-key', key]] }],
    ['in a Headers object', { defaultHeaders: new Headers({ 'x-key': `Token ${key}` }) }],
    ['among several values', { defaultHeaders: { 'x-key': ['a', key] } }],
    ['in the options of fetch', { fetchOptions: { headers: { cookie: `session=${key}; a=b` } } }],
    ['for administration', { adminAPIKey: key }],
    ['as an organization', { organization: key }],
  ])('%s is not repeated', async (_, options) => {
    const { error } = await ask(behind(echo, options))
    expect(error).toMatchObject({ code: 'model_refused' })
    expect(error?.message).toContain('no such key: [redacted]')
    expect(JSON.stringify(error) + error?.message + error?.stack).not.toContain('canary')
  })

  test('among the headers of the environment is not repeated', async () => {
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', `x-key: ${key}`)
    try {
      expect((await ask(behind(echo))).error?.message).toContain('no such key: [redacted]')
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

test('a fetch that does not listen to its signal does not hold up an abort', async () => {
  const controller = new AbortController()
  const answer = listen(
    behind(() => new Promise<Response>(() => undefined))(requestOf([user('a')], { signal: controller.signal })),
  )
  controller.abort()
  expect((await answer).error).toMatchObject({ code: 'model_aborted' })
})

test.each(wires)('a signal that lives on keeps nothing of a call through $wire', async ({ connect }) => {
  await using upstream = await strictUpstream()
  const { signal } = new AbortController()
  for (let time = 0; time < 3; time++) await listen(connect(upstream.url)(requestOf([user('a')], { signal })))
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})
