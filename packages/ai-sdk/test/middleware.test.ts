import {
  convertToModelMessages,
  generateText,
  isStepCount,
  jsonSchema,
  streamText,
  tool,
  wrapLanguageModel,
  type ModelMessage,
} from 'ai'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { history, lastMessages, memoryStore, MinutebookError, type Entry } from 'minutebook'
import { findIllegal, words } from '@minutebook/testing'
import {
  fromModelMessages,
  fromPrompt,
  minutebookMiddleware,
  recordTo,
  toPrompt,
  type MiddlewareOptions,
  type RecordedTurn,
} from '@minutebook/ai-sdk'
import { readMessage } from '../../core/src/log/message.ts'
import { tidyUIMessages } from './support/arbitrary.ts'
import { called, talker } from './support/talker.ts'

const wrapped = (
  model: Parameters<typeof wrapLanguageModel>[0]['model'],
  options: MiddlewareOptions,
): ReturnType<typeof wrapLanguageModel> => wrapLanguageModel({ model, middleware: minutebookMiddleware(options) })

const shown = (entries: readonly Entry[]): string[] =>
  entries.map(({ kind, text, calls }) =>
    [`${kind}:`, ...(text ? [text] : []), ...calls.map(({ name }) => `→ ${name}`)].join(' '),
  )

const clock = tool({
  description: 'The time',
  inputSchema: jsonSchema<{ zone?: string }>({ type: 'object', properties: { zone: { type: 'string' } } }),
  execute: async ({ zone }) => ({ noon: true, zone: zone ?? 'here' }),
})

describe('a prompt', () => {
  test('that fits is passed on as the object that it is', async () => {
    const { model, prompts } = talker(['hello'])
    const came = [
      {
        role: 'user' as const,
        content: [{ type: 'text' as const, text: 'hi', providerOptions: undefined }],
        providerOptions: undefined,
      },
    ]
    await wrapped(model, { window: 1000 }).doGenerate({ prompt: came as never })
    expect(prompts[0]).toBe(came)
  })

  test.each([
    ['the default policy', {}],
    ['a profile for a small template', { profile: { systemFirstOnly: true, mustAlternate: true } }],
    ['only the last messages', { policy: lastMessages(6) }],
  ])('of a long conversation fits the window, under %s', async (_, options) => {
    const { model, prompts } = talker((call) => `answer ${call}: ${'word '.repeat(20)}`)
    const fitted = wrapped(model, { window: 300, counter: words, ...options })
    const messages: ModelMessage[] = []
    for (let turn = 0; turn < 40; turn++) {
      messages.push({ role: 'user', content: `question ${turn}` })
      const { response } = await generateText({ model: fitted, instructions: 'Be brief and kind.', messages })
      messages.push(...response.messages)
    }
    for (const [turn, prompt] of prompts.entries()) {
      const asked = fromPrompt(prompt)
      const tokens = asked.map(readMessage).reduce((sum, { text }) => sum + words.count(text), 0)
      expect(tokens).toBeLessThanOrEqual(300)
      expect(prompt[0]).toMatchObject({ role: 'system', content: 'Be brief and kind.' })
      expect(asked.slice(1).some(({ role }) => role === 'system')).toBe(false)
      expect(readMessage(asked.at(-1)!).text).toContain(`question ${turn}`)
      expect(findIllegal(asked)).toBeUndefined()
    }
    expect(prompts.at(-1)!.length).toBeLessThan(40)
  })

  test('has its own messages as they came, where others had to go', async () => {
    const { model, prompts } = talker(['ok'])
    const image = {
      type: 'file' as const,
      mediaType: 'image/png',
      data: { type: 'data' as const, data: new Uint8Array([1, 2, 3]) },
      providerOptions: { openai: { imageDetail: 'low' } },
    }
    const last = {
      role: 'user' as const,
      content: [{ type: 'text' as const, text: 'and this?' }, image],
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    }
    const old = Array.from({ length: 20 }, (_, index) => [
      { role: 'user' as const, content: [{ type: 'text' as const, text: `question ${index} ${'word '.repeat(10)}` }] },
      { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'answer '.repeat(10) }] },
    ]).flat()
    await wrapped(model, { window: 200, counter: words, policy: lastMessages(5) }).doGenerate({
      prompt: [{ role: 'system', content: 'Be brief.' }, ...old, last],
    })
    expect(prompts[0]).toEqual([{ role: 'system', content: 'Be brief.' }, ...old.slice(-4), last])
  })

  test('of any conversation, in any window, is one that a strict server takes, and its messages are those that came', async () => {
    await fc.assert(
      fc.asyncProperty(tidyUIMessages, fc.nat({ max: 80 }), fc.boolean(), async (messages, window, strict) => {
        const { model, prompts } = talker([])
        const came = [
          { role: 'system' as const, content: 'Be brief.' },
          ...toPrompt(fromModelMessages(await convertToModelMessages(messages))),
          { role: 'user' as const, content: [{ type: 'text' as const, text: 'go on' }] },
        ]
        const fitted = wrapped(model, {
          window,
          counter: words,
          ...(strict && { profile: { systemFirstOnly: true, mustAlternate: true, answerAfterTool: true } }),
        })
        const refused = await Promise.resolve(fitted.doGenerate({ prompt: came })).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (refused) expect(MinutebookError.isInstance(refused) && refused.code).toBe('window_overflow')
        if (refused) return
        const asked = fromPrompt(prompts[0]!)
        expect(findIllegal(asked, { systemFirstOnly: true, mustAlternate: strict })).toBeUndefined()
        const whole = new Set(came.map((message) => JSON.stringify(message)))
        const changed = prompts[0]!.filter((message) => !whole.has(JSON.stringify(message)))
        if (!strict) expect(changed.every((message) => /\[|tokens left out/.test(JSON.stringify(message)))).toBe(true)
      }),
    )
  })

  test('counts its tools', async () => {
    const turns: RecordedTurn[] = []
    const fitted = wrapped(talker(['a', 'b']).model, {
      window: 1000,
      counter: words,
      record: async (turn) => void turns.push(turn),
    })
    await generateText({ model: fitted, prompt: 'hi' })
    await generateText({ model: fitted, prompt: 'hi', tools: { clock } })
    expect(turns[0]?.plan.tools).toBe(0)
    expect(turns[1]?.plan.tools).toBeGreaterThan(0)
    expect(turns[1]!.tokens - turns[0]!.tokens).toBe(turns[1]!.plan.tools)
  })

  test('that cannot fit is refused with an error that has a code, by generate and by stream', async () => {
    const { model, prompts } = talker([])
    const fitted = wrapped(model, { window: 10, counter: words })
    const refused = await generateText({ model: fitted, instructions: 'word '.repeat(50), prompt: 'hi' }).catch(
      (error: unknown) => error,
    )
    expect(MinutebookError.isInstance(refused) && refused.code).toBe('window_overflow')
    const errors: unknown[] = []
    const { stream } = streamText({
      model: fitted,
      instructions: 'word '.repeat(50),
      prompt: 'hi',
      onError: ({ error }) => void errors.push(error),
    })
    for await (const part of stream) if (part.type === 'error') expect(part.error).toBe(errors[0])
    expect(MinutebookError.isInstance(errors[0]) && errors[0].code).toBe('window_overflow')
    expect(prompts).toEqual([])
  })
})

describe('a tool loop', () => {
  test.each(['generate', 'stream'])(
    'is recorded step by step by %s, and is the same when it is sent again',
    async (how) => {
      const store = memoryStore()
      const { model, prompts } = talker([
        [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'Looking.' },
          called('c1', 'clock', { zone: 'UTC' }),
          called('c2', 'clock', {}),
        ],
        [called('c3', 'clock', { zone: 'CET' })],
        'It is noon.',
        'Bye.',
      ])
      const fitted = wrapped(model, { window: 4000, record: recordTo(store, 't') })
      const messages: ModelMessage[] = [{ role: 'user', content: 'time?' }]
      const first = { model: fitted, messages, tools: { clock }, stopWhen: isStepCount(5) }
      const streaming = how === 'stream' ? streamText(first) : undefined
      await streaming?.consumeStream()
      messages.push(...(streaming ? await streaming.responseMessages : (await generateText(first)).responseMessages))
      messages.push({ role: 'user', content: 'thanks' })
      await generateText({ model: fitted, messages })
      const log = await store.read('t')
      expect(shown(log)).toEqual([
        'user: time?',
        'assistant: Looking. → clock → clock',
        'tool: {"noon":true,"zone":"UTC"}',
        'tool: {"noon":true,"zone":"here"}',
        'assistant: → clock',
        'tool: {"noon":true,"zone":"CET"}',
        'assistant: It is noon.',
        'user: thanks',
        'assistant: Bye.',
      ])
      expect(log.map(({ origin }) => origin)).toEqual([
        'user',
        'model',
        'tool',
        'tool',
        'model',
        'tool',
        'model',
        'user',
        'model',
      ])
      expect(prompts).toHaveLength(4)
    },
  )

  test('fits a small window, and every result keeps its call', async () => {
    const { model, prompts } = talker((call) => (call < 12 ? [called(`c${call}`, 'page', { number: call })] : 'Read.'))
    const page = tool({
      inputSchema: jsonSchema<{ number: number }>({ type: 'object' }),
      execute: async ({ number }) => `page ${number}: ${'word '.repeat(40)}`,
    })
    const result = await generateText({
      model: wrapped(model, { window: 250, counter: words }),
      prompt: 'read all pages',
      tools: { page },
      stopWhen: isStepCount(20),
    })
    expect(result.text).toBe('Read.')
    for (const prompt of prompts) expect(findIllegal(fromPrompt(prompt))).toBeUndefined()
    expect(JSON.stringify(prompts.at(-1))).toContain('page 11')
    expect(JSON.stringify(prompts.at(-1))).toMatch(/Earlier in this turn|left out here/)
    expect(prompts.at(-1)!.length).toBeLessThan(12)
  })

  test('of tools that the provider ran is recorded as calls and results', async () => {
    const store = memoryStore()
    const parts = [
      { type: 'text', text: 'Searching.' },
      { ...called('w1', 'web', { q: 'x' }), providerExecuted: true },
      { type: 'tool-result', toolCallId: 'w1', toolName: 'web', result: { hits: 0 } },
      { type: 'text', text: 'Nothing.' },
    ] as never
    const { model, prompts } = talker([parts, 'Bye.'])
    const fitted = wrapped(model, { window: 4000, record: recordTo(store, 't') })
    const web = tool({
      type: 'provider',
      id: 'x.web',
      args: {},
      inputSchema: jsonSchema({ type: 'object' }),
      isProviderExecuted: true,
    } as never)
    const first = await generateText({ model: fitted, prompt: 'find x', tools: { web } })
    await generateText({
      model: fitted,
      messages: [{ role: 'user', content: 'find x' }, ...first.responseMessages, { role: 'user', content: 'thanks' }],
      tools: { web },
    })
    expect(shown(await store.read('t'))).toEqual([
      'user: find x',
      'assistant: Searching. → web',
      'tool: {"hits":0}',
      'assistant: Nothing.',
      'user: thanks',
      'assistant: Bye.',
    ])
    expect(prompts[1]?.[1]).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'text' },
        { type: 'tool-call', providerExecuted: true },
        { type: 'tool-result' },
        { type: 'text' },
      ],
    })
  })
})

describe('recording', () => {
  test('of 20 turns that are sent again and again has each once, and the same log whoever records', async () => {
    const store = memoryStore()
    const { model } = talker((call) => `answer ${call % 3}`)
    const messages: ModelMessage[] = []
    for (let turn = 0; turn < 20; turn++) {
      messages.push({ role: 'user', content: `question ${turn % 4}` })
      const fitted = wrapped(model, {
        window: 60,
        counter: words,
        record: recordTo(store, 't', { now: () => '2027-01-01T00:00:00.000Z' }),
      })
      const { responseMessages } = await generateText({
        model: fitted,
        instructions: `Be brief. Today is day ${turn >> 2}.`,
        messages,
      })
      messages.push(...responseMessages)
    }
    const log = await store.read('t')
    const spoken = history(log).filter(({ kind }) => kind !== 'system')
    expect(spoken.map(({ text }) => text)).toEqual(
      messages.map(({ content }) => (typeof content === 'string' ? content : (content as { text: string }[])[0]!.text)),
    )
    expect(log).toHaveLength(40 + 5)
    expect(log.every(({ time }) => time === '2027-01-01T00:00:00.000Z')).toBe(true)
  })

  test('tells what a call was expected to cost, and what it did', async () => {
    const turns: RecordedTurn[] = []
    await generateText({
      model: wrapped(talker(['hello there']).model, {
        window: 100,
        counter: words,
        record: async (turn) => void turns.push(turn),
      }),
      prompt: 'how are you',
    })
    expect(turns).toMatchObject([
      {
        tokens: 3,
        usage: { prompt: 11, completion: 5, cached: 3 },
        status: 'complete',
        notes: [],
        answer: [{ role: 'assistant', content: 'hello there' }],
        incoming: [{ role: 'user', content: 'how are you' }],
      },
    ])
  })

  test('of an edited message makes a branch, and both can be read', async () => {
    const store = memoryStore()
    const fitted = wrapped(talker((call) => `answer ${call}`).model, { window: 1000, record: recordTo(store, 't') })
    const opening: ModelMessage[] = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'answer 0' },
    ]
    await generateText({ model: fitted, prompt: 'hi' })
    await generateText({ model: fitted, messages: [...opening, { role: 'user', content: 'one' }] })
    await generateText({ model: fitted, messages: [...opening, { role: 'user', content: 'two' }] })
    const log = await store.read('t')
    expect(shown(history(log))).toEqual(['user: hi', 'assistant: answer 0', 'user: two', 'assistant: answer 2'])
    expect(shown(history(log, { head: log[3]!.id }))).toEqual([
      'user: hi',
      'assistant: answer 0',
      'user: one',
      'assistant: answer 1',
    ])
  })

  test('takes over answers that were written elsewhere, and says so', async () => {
    const store = memoryStore()
    const messages: ModelMessage[] = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'moin [NOTE TO SELF: forged]' },
      { role: 'user', content: 'and?' },
    ]
    await generateText({
      model: wrapped(talker(['well']).model, { window: 1000, record: recordTo(store, 't') }),
      messages,
    })
    expect((await store.read('t')).map(({ text, origin }) => `${origin}: ${text}`)).toEqual([
      'user: hi',
      'import: moin',
      'user: and?',
      'model: well',
    ])
  })

  test('is done before the caller learns that the answer is complete', async () => {
    let recorded = false
    const record = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      recorded = true
    }
    const { stream } = await wrapped(talker(['hello']).model, { window: 1000, record }).doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    })
    const seen: [string, boolean][] = []
    for await (const { type } of stream) seen.push([type, recorded])
    expect(seen.at(-2)).toEqual(['text-end', false])
    expect(seen.at(-1)).toEqual(['finish', true])
  })

  test('from two at once loses nothing', async () => {
    const store = memoryStore()
    const fitted = wrapped(talker((call) => `answer ${call}`).model, { window: 1000, record: recordTo(store, 't') })
    await Promise.all(['one', 'two', 'three'].map((prompt) => generateText({ model: fitted, prompt })))
    expect(
      shown(await store.read('t'))
        .filter((line) => line.startsWith('user'))
        .toSorted(),
    ).toEqual(['user: one', 'user: three', 'user: two'])
  })

  test('that fails is not passed over', async () => {
    const fitted = wrapped(talker(['a', 'b']).model, {
      window: 1000,
      record: async () => Promise.reject(new Error('disk full')),
    })
    await expect(generateText({ model: fitted, prompt: 'hi', maxRetries: 0 })).rejects.toThrow('disk full')
    const errors: unknown[] = []
    await streamText({ model: fitted, prompt: 'hi', maxRetries: 0 }).consumeStream({
      onError: (error) => void errors.push(error),
    })
    expect(String(errors[0])).toContain('disk full')
  })

  test('gives up where others write all the time, and says so', async () => {
    const store = memoryStore()
    const busy = {
      ...store,
      append: async () => ({
        ok: false as const,
        reason: 'conflict' as const,
        standing: { head: null, length: 0, term: 0, erasures: 0 },
      }),
    }
    const refused = await generateText({
      model: wrapped(talker(['a']).model, { window: 1000, record: recordTo(busy, 't') }),
      prompt: 'hi',
      maxRetries: 0,
    }).catch((error: unknown) => error)
    expect(MinutebookError.isInstance(refused) && refused.code).toBe('record_conflict')
  })
})
