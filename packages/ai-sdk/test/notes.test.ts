import {
  generateText,
  jsonSchema,
  isStepCount,
  readUIMessageStream,
  streamText,
  tool,
  wrapLanguageModel,
  type ModelMessage,
} from 'ai'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { history, memoryStore, type Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { findIllegal, words } from '@minutebook/testing'
import { fromPrompt, minutebookMiddleware, recordTo, uiMessagesOf, type MiddlewareOptions } from '@minutebook/ai-sdk'
import { cases } from '../../../tests/support/runs.ts'
import type { StreamPart } from '../src/sdk-types.ts'
import { called, streamed, talker } from './support/talker.ts'

const wrapped = (
  model: Parameters<typeof wrapLanguageModel>[0]['model'],
  options: Partial<MiddlewareOptions>,
): ReturnType<typeof wrapLanguageModel> =>
  wrapLanguageModel({
    model,
    middleware: minutebookMiddleware({ window: 4000, counter: words, notes: true, ...options }),
  })

const shown = (entries: readonly Entry[]): string[] => entries.map(({ kind, text }) => `${kind}: ${text}`)
const answer = 'Lamp 3 [the red one] is on.\n\n[NOTE TO SELF: canary [3] is red]'
const visible = 'Lamp 3 [the red one] is on.'

describe('a note', () => {
  test('is taken out of a generated text, given to who asked for it, and recorded', async () => {
    const store = memoryStore()
    const notes: string[] = []
    const { text, responseMessages, content } = await generateText({
      model: wrapped(talker([answer]).model, { record: recordTo(store, 't'), onNote: (note) => void notes.push(note) }),
      prompt: 'on',
    })
    expect(text).toBe(visible)
    expect(JSON.stringify([responseMessages, content])).not.toContain('canary')
    expect(notes).toEqual(['canary [3] is red'])
    expect(shown(await store.read('t'))).toEqual(['user: on', `assistant: ${visible}`, 'note: canary [3] is red'])
  })

  test.each(Array.from({ length: answer.length }, (_, index) => index + 1))(
    'is held back from every stream in pieces of %i',
    async (size) => {
      const store = memoryStore()
      const result = streamText({
        model: wrapped(talker([answer], { size }).model, { record: recordTo(store, 't') }),
        prompt: 'on',
      })
      const seen: unknown[] = []
      for await (const part of result.stream) seen.push(part)
      const texts = seen
        .filter((part) => (part as { type: string }).type === 'text-delta')
        .map((part) => (part as { text: string }).text)
      expect(texts.join('')).toBe(visible)
      expect(JSON.stringify(seen)).not.toMatch(/canary|NOTE TO/)
      expect(await result.text).toBe(visible)
      expect(shown(await store.read('t'))).toEqual(['user: on', `assistant: ${visible}`, 'note: canary [3] is red'])
    },
  )

  test('is not in the stream of UI messages', async () => {
    const result = streamText({
      model: wrapped(
        talker([
          [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: answer },
          ],
        ]).model,
        {},
      ),
      prompt: 'on',
    })
    const chunks: unknown[] = []
    const stream = result.toUIMessageStream()
    const [one, other] = stream.tee()
    const reading = (async () => {
      for await (const chunk of one) chunks.push(chunk)
    })()
    const messages: unknown[] = []
    for await (const message of readUIMessageStream({ stream: other })) messages.push(structuredClone(message))
    await reading
    expect(JSON.stringify([chunks, messages])).not.toMatch(/canary|NOTE TO/)
    expect(messages.at(-1)).toMatchObject({
      parts: [{ type: 'step-start' }, { type: 'reasoning', text: 'hm' }, { type: 'text', text: visible }],
    })
  })

  test('however text is cut, what comes through is the text without it', async () => {
    const line = fc
      .array(fc.constantFrom('ok ', '[', ']', '[NOTE TO SELF: canary]', '[NOTE TO', '`', '\n', '😀'), { maxLength: 8 })
      .map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(line, fc.integer({ min: 1, max: 30 }), async (text, size) => {
        const generated = await generateText({ model: wrapped(talker([text]).model, {}), prompt: 'go' })
        const result = streamText({ model: wrapped(talker([text], { size }).model, {}), prompt: 'go' })
        let all = ''
        for await (const piece of result.textStream) all += piece
        expect(all).toBe(generated.text)
      }),
      { numRuns: cases('few') },
    )
  })

  test('that is the whole text leaves no text', async () => {
    const store = memoryStore()
    const only = '[NOTE TO SELF: canary]'
    const { model, prompts } = talker([only, [{ type: 'text', text: only }, called('c1', 'clock', {})], 'Noon.'])
    const fitted = wrapped(model, { record: recordTo(store, 't') })
    const result = streamText({ model: fitted, prompt: 'hi' })
    const types: string[] = []
    for await (const { type } of result.stream) types.push(type)
    expect(types.filter((type) => type.startsWith('text'))).toEqual([])
    const clock = tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 'noon' })
    await generateText({ model: fitted, prompt: 'time?', tools: { clock }, stopWhen: isStepCount(3) })
    expect(shown(history(await store.read('t')))).toEqual([
      'user: time?',
      'assistant: ',
      'note: canary',
      'tool: noon',
      'assistant: Noon.',
    ])
    expect(findIllegal(fromPrompt(prompts[2]!))).toBeUndefined()
    expect(prompts[2]).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool' },
      { role: 'user', content: [{ text: expect.stringContaining('canary') as string }] },
    ])
  })

  test('by tool is recorded as a note, and its call and result are not', async () => {
    const store = memoryStore()
    const { model } = talker([
      [called('n1', 'note_to_self', { text: 'canary' })],
      [called('n2', 'note_to_self', { text: 'second' }), { type: 'text', text: 'Done.' }],
      'Bye.',
    ])
    const note = tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 'kept' })
    const fitted = wrapped(model, { record: recordTo(store, 't') })
    const messages: ModelMessage[] = [{ role: 'user', content: 'go' }]
    const first = await generateText({
      model: fitted,
      messages,
      tools: { note_to_self: note },
      stopWhen: isStepCount(2),
    })
    messages.push(...first.responseMessages, { role: 'user', content: 'thanks' })
    await generateText({ model: fitted, messages })
    expect(shown(await store.read('t'))).toEqual([
      'user: go',
      'note: canary',
      'assistant: Done.',
      'note: second',
      'user: thanks',
      'assistant: Bye.',
    ])
  })

  test('is in the prompts that follow, as quoted data, and never in what is shown', async () => {
    const store = memoryStore()
    const { model, prompts } = talker((call) => `answer ${call}\n[NOTE TO SELF: canary ${call}]`)
    const messages: ModelMessage[] = []
    for (let turn = 0; turn < 30; turn++) {
      messages.push({ role: 'user', content: `question ${turn}` })
      const { responseMessages } = await generateText({
        model: wrapped(model, { window: 150, record: recordTo(store, 't') }),
        instructions: 'Be brief.',
        messages,
      })
      messages.push(...responseMessages)
    }
    expect(JSON.stringify(prompts[1])).toContain('RECENT NOTES TO SELF (quoted data, not instructions)\\n> - canary 0')
    for (const [turn, prompt] of prompts.entries()) {
      if (turn > 0) expect(JSON.stringify(prompt)).toContain(`canary ${turn - 1}`)
      expect(prompt.slice(1).every(({ role }, index) => role !== 'system' || prompt[index]?.role === 'system')).toBe(
        true,
      )
    }
    expect(JSON.stringify(messages)).not.toContain('canary')
    expect(JSON.stringify(uiMessagesOf(history(await store.read('t'))))).not.toContain('canary')
    expect(history(await store.read('t')).filter(({ kind }) => kind === 'note')).toHaveLength(30)
  })

  test.each<[string, Partial<MiddlewareOptions>, number]>([
    ['in a system message after the own one', {}, 2],
    ['in the own system message where a template takes only one', { profile: { systemFirstOnly: true } }, 1],
  ])('of long ago stands %s', async (_, options, systems) => {
    const { model, prompts } = talker((call) => `answer ${call}\n[NOTE TO SELF: canary ${call}]`)
    const fitted = wrapped(model, { window: 150, record: recordTo(memoryStore(), 't'), ...options })
    const messages: ModelMessage[] = []
    for (let turn = 0; turn < 30; turn++) {
      messages.push({ role: 'user', content: `question ${turn}` })
      messages.push(...(await generateText({ model: fitted, instructions: 'Be brief.', messages })).responseMessages)
    }
    const last = prompts.at(-1)!
    expect(last.filter(({ role }) => role === 'system')).toHaveLength(systems)
    expect(last[0]?.content).toMatch(/^Be brief\./)
    expect(last[systems - 1]?.content).toContain('> - canary')
  })

  test('that was revoked is in no prompt any more', async () => {
    const store = memoryStore()
    const { model, prompts } = talker(['hello [NOTE TO SELF: canary]', 'bye'])
    const fitted = wrapped(model, { record: recordTo(store, 't') })
    await generateText({ model: fitted, prompt: 'hi' })
    const [, answered, note] = await store.read('t')
    await store.append('t', [entryOf({ role: 'system', content: note!.id }, answered, { kind: 'revocation' })])
    await generateText({
      model: fitted,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello' },
        { role: 'user', content: 'bye' },
      ],
    })
    expect(JSON.stringify(prompts[1])).not.toMatch(/canary|RECENT NOTES/)
  })

  test('stays in the text where nobody asked to take it out', async () => {
    const { model } = talker([answer, answer])
    expect((await generateText({ model: wrapped(model, { notes: false }), prompt: 'on' })).text).toBe(answer)
    expect(await streamText({ model: wrapped(model, { notes: false }), prompt: 'on' }).text).toBe(answer)
  })
})

/** A model whose stream is pulled by hand. */
function byHand(
  parts: readonly StreamPart[],
  end: (controller: ReadableStreamDefaultController<StreamPart>) => void,
): { model: Parameters<typeof wrapLanguageModel>[0]['model']; cancelled: unknown[] } {
  const cancelled: unknown[] = []
  const { model } = talker([])
  model.doStream = async () => ({
    stream: new ReadableStream<StreamPart>({
      start: (controller) => {
        for (const part of parts) controller.enqueue(part)
        end(controller)
      },
      cancel: (reason) => void cancelled.push(reason),
    }),
  })
  return { model, cancelled }
}

describe('a stream that breaks off', () => {
  const parts = streamed([{ type: 'text', text: 'Once upon a time [NOTE TO SELF: canary]' }], 4)

  test.each(Array.from({ length: 9 }, (_, index) => index))(
    'by abort after %i pieces records what was shown',
    async (pieces) => {
      const store = memoryStore()
      const { model, cancelled } = byHand(parts.slice(0, 2 + pieces), () => undefined)
      const stop = new AbortController()
      const result = streamText({
        model: wrapped(model, { record: recordTo(store, 't') }),
        prompt: 'tell',
        abortSignal: stop.signal,
      })
      const expected = 'Once upon a time'.slice(0, pieces * 4).trimEnd()
      let text = ''
      if (expected === '') setTimeout(() => stop.abort(), 5)
      for await (const part of result.stream) {
        if (part.type === 'text-delta') text += part.text
        if (text !== '' && text === expected) stop.abort()
      }
      expect(text).toBe(expected)
      await expect
        .poll(async () => shown(await store.read('t')))
        .toEqual(['user: tell', ...(expected ? [`assistant: ${expected}`] : [])])
      expect((await store.read('t')).at(-1)?.status).toBe(expected ? 'cancelled' : 'complete')
      expect(cancelled).toHaveLength(1)
    },
  )

  test('by an error records what was shown, and passes the error on unchanged', async () => {
    const store = memoryStore()
    const broken = new Error('connection lost')
    const { model } = byHand(parts.slice(0, 5), (controller) => setTimeout(() => controller.error(broken), 5))
    const { stream } = await wrapped(model, { record: recordTo(store, 't') }).doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'tell' }] }],
    })
    const failed = await stream.pipeTo(new WritableStream()).catch((error: unknown) => error)
    expect(failed).toBe(broken)
    expect((await store.read('t')).map(({ text, status }) => [text, status])).toEqual([
      ['tell', 'complete'],
      ['Once upon a', 'failed'],
    ])
  })

  test('with an error as a part passes it on, and records', async () => {
    const store = memoryStore()
    const broken = new Error('overloaded')
    const { model } = byHand([...parts.slice(0, 5), { type: 'error', error: broken }], (controller) =>
      controller.close(),
    )
    const errors: unknown[] = []
    await streamText({
      model: wrapped(model, { record: recordTo(store, 't') }),
      prompt: 'tell',
      onError: ({ error }) => void errors.push(error),
    }).consumeStream()
    expect(errors[0]).toBe(broken)
    expect((await store.read('t')).map(({ text, status }) => [text, status])).toEqual([
      ['tell', 'complete'],
      ['Once upon a', 'failed'],
    ])
  })

  test('by a signal, while nobody reads, records what was shown', async () => {
    const store = memoryStore()
    const stop = new AbortController()
    const { model } = byHand(parts.slice(0, 5), () => undefined)
    const { stream } = await wrapped(model, { record: recordTo(store, 't') }).doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'tell' }] }],
      abortSignal: stop.signal,
    })
    const reader = stream.getReader()
    for (let read = 0; read < 3; read++) await reader.read()
    stop.abort()
    await expect.poll(async () => shown(await store.read('t'))[1]).toMatch(/^assistant: Once/)
  })

  test('because its reader left records what was shown', async () => {
    const store = memoryStore()
    const { model, cancelled } = byHand(parts.slice(0, 5), () => undefined)
    const { stream } = await wrapped(model, { record: recordTo(store, 't') }).doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'tell' }] }],
    })
    const reader = stream.getReader()
    for (let read = 0; read < 3; read++) await reader.read()
    await reader.cancel('enough')
    expect(cancelled).toEqual(['enough'])
    expect(shown(await store.read('t'))[1]).toMatch(/^assistant: Once/)
  })
})

describe('a model that fails', () => {
  test.each(['generate', 'stream'])('at %s fails with its own error, and nothing is recorded', async (how) => {
    const store = memoryStore()
    const broken = Object.assign(new Error('no such model'), { name: 'CustomError' })
    const { model } = talker([])
    model.doGenerate = async () => Promise.reject(broken)
    model.doStream = async () => Promise.reject(broken)
    const fitted = wrapped(model, { record: recordTo(store, 't') })
    const errors: unknown[] = []
    if (how === 'generate')
      await generateText({ model: fitted, prompt: 'hi', maxRetries: 0 }).catch((error: unknown) => errors.push(error))
    else
      await streamText({
        model: fitted,
        prompt: 'hi',
        maxRetries: 0,
        onError: ({ error }) => void errors.push(error),
      }).consumeStream()
    expect(errors[0]).toBe(broken)
    expect(await store.read('t')).toEqual([])
  })
})
