import { Ollama } from 'ollama'
import OpenAI, { APIError } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isInstalled, skipUnlessInstalled } from './installed.ts'
import type { EngineServer } from './server.ts'

const contextSize = 512
const question = { role: 'user' as const, content: 'What is in the minutes?' }
const long = { role: 'user' as const, content: 'the harbour is quiet '.repeat(contextSize) }

let server: EngineServer
let client: OpenAI

beforeAll(async () => {
  if (!isInstalled) return
  server = await (await import('./server.ts')).serveEngine({ contextSize })
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' })
})

afterAll(() => server?.close())

describe('the engine as a server', () => {
  test('answers alike whole and streamed, in both protocols', async (context) => {
    skipUnlessInstalled(context)
    const whole = await client.chat.completions.create({ model: 'tiny', messages: [question], max_tokens: 9 })
    const text = whole.choices[0]?.message.content
    expect(text?.split(' ').length).toBeGreaterThan(1)
    let streamed = ''
    let usage: OpenAI.CompletionUsage | null | undefined
    for await (const chunk of await client.chat.completions.create({
      model: 'tiny',
      messages: [question],
      max_tokens: 9,
      stream: true,
      stream_options: { include_usage: true },
    })) {
      streamed += chunk.choices[0]?.delta.content ?? ''
      usage ??= chunk.usage
    }
    const ollama = new Ollama({ host: server.url })
    const other = await ollama.chat({ model: 'tiny', messages: [question], options: { num_predict: 9 } })
    let lines = ''
    for await (const { message } of await ollama.chat({
      model: 'tiny',
      messages: [question],
      options: { num_predict: 9 },
      stream: true,
    }))
      lines += message.content
    expect([streamed, other.message.content, lines]).toEqual([text, text, text])
    expect([usage?.prompt_tokens, other.prompt_eval_count]).toEqual([
      whole.usage?.prompt_tokens,
      whole.usage?.prompt_tokens,
    ])
    expect(server.seen.slice(-4).map(({ sent, evaluated }) => sent - evaluated)).toEqual([0, 0, 0, 0])
  })

  test('reports the tokens of the prompt, and those of them that it had already', async (context) => {
    skipUnlessInstalled(context)
    const ask = (messages: OpenAI.ChatCompletionMessageParam[]): Promise<OpenAI.ChatCompletion> =>
      client.chat.completions.create({ model: 'tiny', messages, max_tokens: 3 })
    await ask([{ role: 'system', content: 'Something else.' }, question])
    const first = await ask([question])
    const second = await ask([question, { role: 'assistant', content: 'Nothing.' }, question])
    expect(first.usage?.prompt_tokens_details?.cached_tokens).toBeLessThan(5)
    expect(second.usage?.prompt_tokens_details?.cached_tokens).toBeGreaterThan(first.usage!.prompt_tokens - 5)
    expect(second.usage?.prompt_tokens).toBe(server.seen.at(-1)?.evaluated)
  })

  test('refuses a prompt that is too long, and cuts none', async (context) => {
    skipUnlessInstalled(context)
    const error: unknown = await client.chat.completions
      .create({ model: 'tiny', messages: [long] })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({ status: 400, type: 'exceed_context_size_error' })
    await expect(new Ollama({ host: server.url }).chat({ model: 'tiny', messages: [long] })).rejects.toThrow(
      /exceeds the available context size/,
    )
    expect(server.seen.slice(-2)).toMatchObject([
      { isRefused: true, evaluated: 0 },
      { isRefused: true, evaluated: 0 },
    ])
    expect(server.seen.at(-1)?.sent).toBeGreaterThan(contextSize)
  })

  test('says what its window is and how it counts', async (context) => {
    skipUnlessInstalled(context)
    const get = async (path: string): Promise<unknown> => (await fetch(server.url + path)).json()
    const post = async (path: string, body: object): Promise<unknown> =>
      (await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) })).json()
    expect(await get('/props')).toMatchObject({ default_generation_settings: { n_ctx: contextSize } })
    expect(await get('/v1/models')).toMatchObject({ data: [{ id: 'tiny' }] })
    expect(await get('/api/ps')).toMatchObject({ models: [{ context_length: contextSize }] })
    const { prompt } = (await post('/apply-template', { messages: [question] })) as { prompt: string }
    const { tokens } = (await post('/tokenize', { content: prompt })) as { tokens: number[] }
    expect(await post('/v1/chat/completions/input_tokens', { messages: [question] })).toMatchObject({
      input_tokens: tokens.length,
    })
    await client.chat.completions.create({ model: 'tiny', messages: [question] })
    expect(server.seen.at(-1)?.evaluated).toBe(tokens.length)
  })

  test('fills its window with an answer and not further', async (context) => {
    skipUnlessInstalled(context)
    const ends = new Set<string | undefined>()
    for (const blanks of [0, 1, 2, 3]) {
      const messages = [{ role: 'user' as const, content: 'the harbour is quiet '.repeat(54) + ' so'.repeat(blanks) }]
      const { choices, usage } = await client.chat.completions.create({ model: 'tiny', messages, max_tokens: 10_000 })
      ends.add(choices[0]?.finish_reason)
      expect(usage?.total_tokens).toBeLessThanOrEqual(contextSize)
      if (choices[0]?.finish_reason === 'length') expect(usage?.total_tokens).toBe(contextSize)
    }
    expect(ends).toContain('length')
  })
})
