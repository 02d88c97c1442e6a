import {
  defineTool,
  memoryStore,
  MinutebookError,
  openBook,
  type Model,
  type ModelEvent,
  type Thread,
  type ThreadOptions,
} from 'minutebook'
import { describe, expect, test } from 'vitest'
import { assistant, call, ollamaAssistant, ollamaCall } from '@minutebook/testing'
import { shape } from '../support/book.ts'
import { nested } from '../support/moody-model.ts'
import { script } from '../support/scripted.ts'

function talk(model: Model, options: ThreadOptions = {}): Thread {
  return openBook({ store: memoryStore(), window: 4096, model, ...options }).thread('t')
}

describe('a model that breaks its contract', () => {
  const streams = (...events: readonly unknown[]): Model =>
    async function* () {
      yield { type: 'text', text: 'So ' }
      yield* events as ModelEvent[]
    }
  test.each<[string, Model, string]>([
    [
      'ends as a user',
      streams({ type: 'end', message: { role: 'user', content: 'me' }, finish: 'stop' }),
      'malformed_message',
    ],
    ['ends with no message', streams({ type: 'end', finish: 'stop' }), 'malformed_message'],
    [
      'ends with an unknown role',
      streams({ type: 'end', message: { role: 'robot', content: '' }, finish: 'stop' }),
      'malformed_message',
    ],
    [
      'calls nothing',
      streams({ type: 'end', message: { role: 'assistant', tool_calls: [{}] }, finish: 'calls' }),
      'malformed_message',
    ],
    [
      'nests too deeply',
      streams({ type: 'end', message: ollamaAssistant('', ollamaCall('x', nested(600))), finish: 'calls' }),
      'malformed_message',
    ],
    [
      'says what JSON cannot hold',
      streams({ type: 'end', message: { role: 'assistant', content: 'x', extra: 1n }, finish: 'stop' }),
      'malformed_message',
    ],
    ['says nothing at all', streams(undefined), 'model_failed'],
    ['ends without an end', streams(), 'model_cut'],
  ])('%s: the turn fails, what was shown is kept, and the thread is at rest', async (_, model, code) => {
    const thread = talk(model)
    expect(await thread.send('Go').done).toMatchObject({ status: 'failed', text: 'So ', reason: { code } })
    expect(shape(await thread.entries())).toEqual(['user', 'assistant failed', 'receipt', 'stop failed'])
    expect(await thread.resume().done).toMatchObject({ status: 'failed' })
  })

  test('throws before it begins, or is none', async () => {
    const throwing: Model = () => {
      throw new Error('at once')
    }
    const none: Model = () => undefined as never
    for (const model of [throwing, none])
      expect(await talk(model).send('Go').done).toMatchObject({ status: 'failed', reason: { code: 'model_failed' } })
  })

  test('goes on after its end: it is left, and its end counts', async () => {
    let left = false
    const model: Model = async function* () {
      try {
        yield { type: 'end', message: assistant('Done.'), finish: 'stop' }
        yield { type: 'text', text: 'and another thing' }
      } finally {
        left = true
      }
    }
    expect(await talk(model).send('Go').done).toMatchObject({ status: 'complete', text: 'Done.' })
    expect(left).toBe(true)
  })

  test('talks on after it was told to stop, without a pause', async () => {
    let said = 0
    const model: Model = () => ({
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.resolve({ value: { type: 'text', text: `w${++said} ` } as const, done: false }),
      }),
    })
    const turn = talk(model).send('Go')
    for await (const event of turn) if (event.type === 'text' && said > 5) turn.cancel()
    expect(await turn.done).toMatchObject({ status: 'cancelled' })
  })

  test('calls the same id twice, and a hundred tools', async () => {
    const count = defineTool({ name: 'count', parameters: {}, run: (input) => (input as { n: number }).n })
    const twins = assistant(null, call('c', 'count', { n: 1 }), call('c', 'count', { n: 2 }))
    const many = assistant(null, ...Array.from({ length: 100 }, (_, n) => call(`c${n}`, 'count', { n })))
    const thread = talk(script(twins, many, 'Done.'), { tools: [count] })
    expect(await thread.send('Go').done).toMatchObject({ status: 'complete', text: 'Done.' })
    expect((await thread.entries()).filter(({ kind }) => kind === 'tool').map(({ text }) => text)).toEqual([
      '1',
      '2',
      ...Array.from({ length: 100 }, (_, n) => `${n}`),
    ])
  })
})

describe('what a model’s server says about a failure', () => {
  test('is in the result and nowhere on record', async () => {
    const refused = new MinutebookError('model_refused', 'The server refused: {"input": "note canary"}', '')
    const thread = talk(script(refused))
    expect(await thread.send('Go').done).toMatchObject({
      status: 'failed',
      error: refused,
      reason: { code: 'model_refused', message: expect.not.stringContaining('canary') as string },
    })
    expect(JSON.stringify(await thread.entries())).not.toContain('canary')
  })
})

describe('cancelling', () => {
  test('after the answer is on record changes nothing', async () => {
    const thread = talk(script('Done.'))
    const turn = thread.send('Go')
    for await (const event of turn) if (event.type === 'receipt') turn.cancel()
    expect(await turn.done).toMatchObject({ status: 'complete', text: 'Done.' })
    expect(shape(await thread.entries())).toEqual(['user', 'assistant', 'receipt'])
  })

  test('between calls and their tools: they were not run, and the model is told so', async () => {
    let ran = 0
    const model = script(assistant(null, call('c', 'once')), 'Fine.')
    const thread = talk(model, { tools: [defineTool({ name: 'once', parameters: {}, run: () => ++ran })] })
    const turn = thread.send('Go')
    for await (const event of turn) if (event.type === 'receipt') turn.cancel()
    await turn.done
    expect(ran).toBe(0)
    expect((await thread.entries()).find(({ kind }) => kind === 'tool')?.text).toBe(
      '(interrupted: this call was not run)',
    )
  })
})

describe('a tool', () => {
  test('that changes its input does not change the log', async () => {
    const spoil = defineTool({
      name: 'spoil',
      parameters: {},
      run: (input) => Object.assign(input as object, { spoiled: true }),
    })
    const model = script({ ...ollamaAssistant('', ollamaCall('spoil', { n: 1 })) }, 'Done.')
    const thread = talk(model, { tools: [spoil] })
    await thread.send('Go').done
    expect(JSON.stringify(model.requests[1]?.messages[1])).not.toContain('spoiled')
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 2 })
  })

  test('may not have the name of the note tool where there is one', () => {
    const thread = talk(script('x'), { notes: 'tool', tools: [{ name: 'note_to_self', parameters: {}, run: () => 1 }] })
    expect(() => thread.send('Go')).toThrow('same name')
  })
})
