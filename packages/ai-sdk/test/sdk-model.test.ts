import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { defineTool, memoryStore, MinutebookError, openBook, type Book, type Model, type TurnEvent } from 'minutebook'
import { sdkModel, type ProviderModel } from '@minutebook/ai-sdk'
import { words } from '@minutebook/testing'
import { strictUpstream, type StrictUpstream } from '@minutebook/testing/server'
import type { AnswerPart, StreamPart } from '../src/sdk-types.ts'
import { called, talker } from './support/talker.ts'

const lamp = defineTool({
  name: 'lamp',
  description: 'Sets the lamp.',
  parameters: { type: 'object', properties: { colour: { type: 'string' } } },
  run: (input) => ({ set: input }),
})

function bookOf(model: Model, options: { readonly window?: number; readonly system?: string } = {}): Book {
  return openBook({ store: memoryStore(), model, window: 4000, tools: [lamp], ...options })
}

async function eventsOf(turn: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const events: TurnEvent[] = []
  for await (const event of turn) events.push(event)
  return events
}

const codeOf = (error: unknown): unknown => (MinutebookError.isInstance(error) ? error.code : error)

/** A model whose stream is these parts, and then stays open until it is aborted. */
function open(parts: readonly StreamPart[]): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doStream: async () => ({
      stream: new ReadableStream({
        start: (controller) => {
          for (const part of parts) controller.enqueue(part)
        },
      }),
    }),
  })
}

describe('a model of the SDK in a book', () => {
  test('streams text and reasoning, calls tools, and reports what it cost', async () => {
    const { model, prompts } = talker([
      [
        { type: 'reasoning', text: 'They want light.' },
        { type: 'text', text: 'Wait.' },
        called('c1', 'lamp', { colour: 'red' }),
      ],
      'It is red now.',
    ])
    const thread = bookOf(sdkModel(model, { temperature: 0.5, headers: { authorization: 'secret' } }), {
      system: 'Be kind.',
    }).thread('t')
    const events = await eventsOf(thread.send('Red, please.'))
    expect(said(events, 'reasoning')).toBe('They want light.')
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(2)
    expect(said(events, 'text')).toBe('Wait.It is red now.')
    expect(events.filter(({ type }) => type === 'call' || type === 'result')).toMatchObject([
      { type: 'call', call: { id: 'c1', name: 'lamp', arguments: { colour: 'red' } } },
      { type: 'result', text: '{"set":{"colour":"red"}}', status: 'complete' },
    ])
    const [receipt] = await thread.receipts()
    expect(receipt).toMatchObject({ outcome: 'calls', tokens: { reported: { prompt: 11, completion: 5, cached: 3 } } })
    expect(prompts[1]).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'Red, please.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'They want light.' },
          { type: 'text', text: 'Wait.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'lamp', input: { colour: 'red' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'lamp',
            output: { type: 'text', value: '{"set":{"colour":"red"}}' },
          },
        ],
      },
    ])
    const settings = (await thread.entries()).find(({ kind }) => kind === 'settings')?.text ?? ''
    expect(settings).toContain('"temperature":0.5')
    expect(settings).not.toContain('secret')
    expect((await thread.verify()).ok).toBe(true)
  })

  test('gets tools, options and the signal as a provider takes them', async () => {
    const mock = talker(['ok']).model
    await bookOf(sdkModel(mock, { maxOutputTokens: 9 }))
      .thread('t')
      .ask('hi')
    expect(mock.doStreamCalls[0]).toMatchObject({
      maxOutputTokens: 9,
      tools: [{ type: 'function', name: 'lamp', description: 'Sets the lamp.', inputSchema: { type: 'object' } }],
    })
    expect(mock.doStreamCalls[0]?.abortSignal).toBeInstanceOf(AbortSignal)
  })

  test('keeps what the provider must get back: signatures, files, and what it ran itself', async () => {
    const said = [
      { type: 'reasoning', text: 'hm', providerMetadata: { anthropic: { signature: 'sig' } } },
      { type: 'text', text: 'Searching.' },
      { ...called('w1', 'web', { q: 'x' }), providerExecuted: true },
      { type: 'tool-result', toolCallId: 'w1', toolName: 'web', result: { hits: 0 } },
      { type: 'text', text: 'Nothing.' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
    ] as AnswerPart[]
    const parts = said.flatMap((part, index): StreamPart[] =>
      part.type === 'text' || part.type === 'reasoning'
        ? [
            { type: `${part.type}-start`, id: String(index) },
            { type: `${part.type}-delta`, id: String(index), delta: part.text },
            { type: `${part.type}-end`, id: String(index), ...pick(part) },
          ]
        : [part as StreamPart],
    )
    const prompts: unknown[] = []
    const finish = { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage } as const
    const model = new MockLanguageModelV4({
      doStream: async ({ prompt }) => {
        prompts.push(prompt)
        return { stream: simulateReadableStream({ chunks: [...parts, finish] as StreamPart[] }) }
      },
    })
    const thread = bookOf(sdkModel(model)).thread('t')
    const result = await thread.send('find x').done
    expect(result).toMatchObject({ status: 'complete', text: 'Searching.Nothing.' })
    await thread.ask('and y')
    expect((prompts[1] as { content: unknown }[])[1]?.content).toEqual([
      { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'sig' } } },
      { type: 'text', text: 'Searching.' },
      { type: 'tool-call', toolCallId: 'w1', toolName: 'web', input: { q: 'x' }, providerExecuted: true },
      { type: 'tool-result', toolCallId: 'w1', toolName: 'web', output: { type: 'json', value: { hits: 0 } } },
      { type: 'text', text: 'Nothing.' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
    ])
  })

  test('is told if the arguments of its call are not JSON', async () => {
    const { model, prompts } = talker([[{ ...called('c1', 'lamp', {}), input: '{"colour":' } as AnswerPart], 'Sorry.'])
    const events = await eventsOf(bookOf(sdkModel(model)).thread('t').send('Red.'))
    expect(events.find(({ type }) => type === 'result')).toMatchObject({
      status: 'failed',
      text: '(failed: the arguments are not valid JSON)',
    })
    expect(prompts[1]?.[1]).toMatchObject({ content: [{ type: 'tool-call', input: {} }] })
  })

  test('gets images of other protocols as files', async () => {
    const { model, prompts } = talker(['A cat.'])
    const url = 'data:image/png;base64,iVBORw0KGgo='
    await bookOf(sdkModel(model))
      .thread('t')
      .ask({
        role: 'user',
        content: [
          { type: 'text', text: 'What?' },
          { type: 'image_url', image_url: { url } },
        ],
      })
    expect(prompts[0]?.[0]?.content).toEqual([
      { type: 'text', text: 'What?' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
    ])
  })

  test('sends system messages only at the beginning, however long the conversation is', async () => {
    const { model, prompts } = talker((call) => `answer ${call}: ${'word '.repeat(20)}`)
    const book = openBook({
      store: memoryStore(),
      model: sdkModel(model),
      window: 300,
      counter: words,
      system: 'Be brief.',
    })
    for (let turn = 0; turn < 30; turn++) await book.thread('t').ask(`question ${turn}`)
    expect(prompts.at(-1)!.length).toBeLessThan(40)
    for (const prompt of prompts) expect(prompt.findLastIndex(({ role }) => role === 'system')).toBe(0)
  })

  test.each([
    ['stop', 'complete', 'stop'],
    ['length', 'partial', 'length'],
    ['content-filter', 'complete', 'filter'],
    ['other', 'complete', 'unknown'],
  ] as const)('that ends with %s', async (unified, status, outcome) => {
    const model = new MockLanguageModelV4({
      doStream: async () => ({ stream: simulateReadableStream({ chunks: text('Well', unified) }) }),
    })
    const thread = bookOf(sdkModel(model)).thread('t')
    expect(await thread.send('hi').done).toMatchObject({ status, text: 'Well' })
    expect((await thread.receipts())[0]?.outcome).toBe(outcome)
  })

  test.each([
    [
      'an error in its stream',
      [...text('Well').slice(0, 3), { type: 'error', error: new Error('overloaded') }],
      'model_error',
    ],
    ['the finish reason error', text('Well', 'error'), 'model_error'],
    ['a stream that breaks off', text('Well').slice(0, 3), 'model_cut'],
  ] as const)('that fails with %s keeps what was said', async (_, chunks, code) => {
    const model = new MockLanguageModelV4({
      doStream: async () => ({ stream: simulateReadableStream({ chunks: chunks as StreamPart[] }) }),
    })
    const result = await bookOf(sdkModel(model)).thread('t').send('hi').done
    expect(result.status).toBe('failed')
    expect(codeOf(result.error)).toBe(code)
  })

  test('that does not listen to its signal is left when the turn is cancelled', async () => {
    const turn = bookOf(sdkModel(open(text('Well').slice(0, 3))))
      .thread('t')
      .send('hi')
    for await (const event of turn) if (event.type === 'text') turn.cancel()
    expect((await turn.done).status).toBe('cancelled')
  })

  test('passes a mistake of the caller unchanged', async () => {
    const mistake = new Error('No API key.')
    const model = new MockLanguageModelV4({
      doStream: async () => {
        throw mistake
      },
    })
    await expect(bookOf(sdkModel(model)).thread('t').ask('hi')).rejects.toBe(mistake)
  })

  test('may be of an older specification', async () => {
    const chunks = text('Well')
    const v3 = new MockLanguageModelV3({
      doStream: async () => ({ stream: simulateReadableStream({ chunks }) as never }),
    })
    const older = { type: 'finish', finishReason: 'stop', usage: { inputTokens: 3, outputTokens: 1, totalTokens: 4 } }
    const v2 = {
      specificationVersion: 'v2',
      provider: 'old',
      modelId: 'old',
      supportedUrls: {},
      doStream: async () => ({ stream: simulateReadableStream({ chunks: [...chunks.slice(0, -1), older] }) }),
    } as unknown as ProviderModel
    for (const model of [v2, v3]) expect(await bookOf(sdkModel(model)).thread('t').ask('hi')).toBe('Well')
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    await bookOf(sdkModel(v3))
      .thread('u')
      .ask({ role: 'user', content: [image] })
    expect(v3.doStreamCalls[1]?.prompt[0]?.content).toEqual([{ type: 'file', mediaType: 'image/png', data: 'AAAA' }])
  })
})

describe('a real provider over HTTP', () => {
  const provider = ({ url }: Pick<StrictUpstream, 'url'>): Model =>
    sdkModel(createOpenAICompatible({ name: 'strict', baseURL: `${url}/v1`, includeUsage: true })('strict'))

  test('answers with tools, and is sent what a strict server takes', async () => {
    await using upstream = await strictUpstream({
      answer: [{ text: 'Wait.', calls: [{ name: 'lamp', arguments: { colour: 'red' } }] }, 'It is red now.'],
      profile: { systemFirstOnly: true },
    })
    const thread = bookOf(provider(upstream), { system: 'Be kind.' }).thread('t')
    expect(await thread.ask('Red, please.')).toBe('It is red now.')
    expect(upstream.requests).toHaveLength(2)
    expect((await thread.receipts()).every(({ tokens }) => (tokens.reported.prompt ?? 0) > 0)).toBe(true)
  })

  test('is asked as the message says, and for its form with a call that cannot use tools', async () => {
    await using upstream = await strictUpstream({ answer: ['Red.', '{"colour":"red"}'] })
    const output = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] }
    const model = sdkModel(
      createOpenAICompatible({ name: 'strict', baseURL: `${upstream.url}/v1`, supportsStructuredOutputs: true })(
        'strict',
      ),
      { temperature: 1, topP: 0.5 },
    )
    const asking = bookOf(model)
      .thread('t')
      .ask('Which?', { temperature: 0, seed: 7, stop: ['END'], output })
    expect(await asking).toEqual({ colour: 'red' })
    const asked = { temperature: 0, seed: 7, stop: ['END'], top_p: 0.5 }
    const [free, bound] = upstream.requests.map(({ json }) => json)
    expect(free).toMatchObject(asked)
    expect(free).not.toHaveProperty('response_format')
    expect(bound).toMatchObject({
      ...asked,
      tool_choice: 'none',
      response_format: { type: 'json_schema', json_schema: { schema: output } },
    })
  })

  test('that refuses a prompt as too long and names its window is asked again with a shorter one', async () => {
    await using upstream = await strictUpstream({ answer: 'ok', window: 120 })
    const book = openBook({ store: memoryStore(), model: provider(upstream), window: 4000, counter: words })
    const thread = book.thread('t')
    await thread.importMessages(
      Array.from({ length: 30 }, (_, turn) => [
        { role: 'user', content: `question ${turn} ${'word '.repeat(5)}` },
        { role: 'assistant', content: `answer ${turn}` },
      ]).flat(),
    )
    expect(await thread.ask('and now?')).toBe('ok')
    expect((await thread.receipts()).map(({ outcome }) => outcome)).toEqual(['refused', 'stop'])
  })

  test('that is not there, or refuses, fails with what to do', async () => {
    const gone = await bookOf(provider({ url: 'http://127.0.0.1:9' }))
      .thread('t')
      .send('hi').done
    expect(codeOf(gone.error)).toBe('model_unreachable')
    expect(String(gone.error)).toContain('127.0.0.1:9')
    await using upstream = await strictUpstream({ models: ['another'] })
    upstream.next({ failWith: 401 })
    const refused = await bookOf(provider(upstream)).thread('t').send('hi').done
    expect(codeOf(refused.error)).toBe('model_refused')
  })
})

const usage = {
  inputTokens: { total: 11, noCache: 8, cacheRead: 3, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}

function text(said: string, unified: string = 'stop'): StreamPart[] {
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: said },
    { type: 'text-end', id: '0' },
    { type: 'finish', finishReason: { unified: unified as 'stop', raw: undefined }, usage },
  ]
}

function pick(part: AnswerPart): object {
  const { providerMetadata } = part as { providerMetadata?: object }
  return providerMetadata ? { providerMetadata } : {}
}

function said(events: readonly TurnEvent[], type: 'text' | 'reasoning'): string {
  return events.map((event) => (event.type === type ? (event as { text: string }).text : '')).join('')
}
