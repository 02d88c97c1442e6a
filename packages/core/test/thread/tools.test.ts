import { defineTool, memoryStore, openBook, type Entry, type Tool, type ToolContext, type TurnEvent } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { assistant, call } from '@minutebook/testing'
import { script } from '../support/scripted.ts'

async function resultOf(tool: Tool, given: unknown, more: { raw?: string } = {}): Promise<Entry | undefined> {
  const asked = call('c1', tool.name, given)
  const model = script(
    assistant(null, more.raw === undefined ? asked : { ...asked, function: { name: tool.name, arguments: more.raw } }),
    'Done.',
  )
  const thread = openBook({ store: memoryStore(), model, window: 4096, clock: systemClock }).thread('t')
  await thread.send('Go', { tools: [tool] }).done
  return (await thread.entries()).find(({ kind }) => kind === 'tool')
}

const double = defineTool({
  name: 'double',
  description: 'Twice as much.',
  parameters: { type: 'object', properties: { n: { type: 'number' } } },
  input: z.object({ n: z.number() }),
  run: ({ n }) => n * 2,
})

describe('a tool', () => {
  test('has the input type of its schema', () => {
    defineTool({
      name: 'typed',
      parameters: {},
      input: z.object({ n: z.number() }),
      run: (input) => expectTypeOf(input).toEqualTypeOf<{ n: number }>(),
    })
  })

  test.each<[string, Tool, unknown, { raw?: string }, Partial<Entry>]>([
    ['returns a value, which goes to the model as JSON', double, { n: 4 }, {}, { text: '8', status: 'complete' }],
    [
      'returns a text, which goes as it is',
      { ...double, run: () => 'eight' },
      { n: 4 },
      {},
      { text: 'eight', status: 'complete' },
    ],
    ['returns nothing', { ...double, run: () => undefined }, { n: 4 }, {}, { text: '', status: 'complete' }],
    [
      'is not run with arguments that do not fit',
      double,
      { n: 'four' },
      {},
      { text: expect.stringContaining('(failed: the arguments do not fit: n: ') as string, status: 'failed' },
    ],
    [
      'is not run with arguments that are not JSON',
      double,
      {},
      { raw: '{"n":' },
      { text: '(failed: the arguments are not valid JSON)', status: 'failed' },
    ],
    [
      'tells the model what it throws',
      {
        ...double,
        run: () => {
          throw new Error('no such lamp')
        },
      },
      { n: 1 },
      {},
      { text: '(failed: no such lamp)', status: 'failed' },
    ],
    [
      'tells the model what it rejects with',
      { ...double, run: () => Promise.reject(new Error('too late')) },
      { n: 1 },
      {},
      { text: '(failed: too late)', status: 'failed' },
    ],
    [
      'is given up when its time is over',
      { ...double, timeout: 5, run: () => new Promise(() => undefined) },
      { n: 1 },
      {},
      { text: '(failed: no result within 5 ms)', status: 'failed' },
    ],
    ['may take as long as it has', { ...double, timeout: 10_000 }, { n: 1 }, {}, { text: '2', status: 'complete' }],
    [
      'may not fill the log',
      { ...double, limit: 10, run: () => 'x'.repeat(25) },
      { n: 1 },
      {},
      { text: `${'x'.repeat(10)}\n(15 characters of this result were not kept)`, status: 'partial' },
    ],
    [
      'takes empty arguments for none',
      { ...double, input: z.object({}) } as unknown as Tool,
      {},
      { raw: '' },
      { status: 'complete' },
    ],
  ])('%s', async (_, tool, given, more, expected) => {
    expect(await resultOf(tool, given, more)).toMatchObject(expected)
  })

  test('has its arguments and its result as values in every event', async () => {
    let input: unknown
    const tool = { ...double, run: (_: unknown, { call: made }: ToolContext) => ({ of: (input = made.input) }) }
    const model = script(assistant(null, call('c1', 'double', { n: 4 })), 'Done.')
    const turn = openBook({ store: memoryStore(), model, window: 4096 })
      .thread('t')
      .send('Go', { tools: [tool] })
    const events: TurnEvent[] = []
    for await (const event of turn) events.push(event)
    expect(input).toEqual({ n: 4 })
    const made = { id: 'c1', name: 'double', arguments: '{"n":4}', input: { n: 4 } }
    expect(events.filter(({ type }) => type === 'call' || type === 'result')).toEqual([
      { type: 'call', call: made },
      { type: 'result', call: made, text: '{"of":{"n":4}}', output: { of: { n: 4 } }, status: 'complete' },
    ])
  })

  test('is told when its time is over', async () => {
    let told: unknown
    await resultOf(
      {
        ...double,
        timeout: 5,
        run: (_, { signal }) => new Promise(() => signal.addEventListener('abort', () => (told = signal.aborted))),
      },
      { n: 1 },
    )
    expect(told).toBe(true)
  })

  test('that does not exist is a result that says so', async () => {
    const model = script(assistant(null, call('c1', 'nothing')), 'Done.')
    const thread = openBook({ store: memoryStore(), model, window: 4096 }).thread('t')
    expect(await thread.send('Go').done).toMatchObject({ status: 'complete' })
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: '(failed: there is no tool of this name; there are none)',
    })
  })

  test('has a name of its own', () => {
    const thread = openBook({ store: memoryStore(), model: script('x'), window: 4096 }).thread('t')
    expect(() => thread.send('Go', { tools: [double, double] })).toThrow('same name, double')
  })

  test('goes to the model before the tool for notes, whose place is the last', async () => {
    const model = script('Done.')
    await openBook({
      store: memoryStore(),
      model,
      window: 4096,
      notes: 'tool',
      tools: [{ ...double, name: 'zoom' }, double],
    })
      .thread('t')
      .send('Go').done
    expect(model.requests[0]?.tools.map((tool) => tool.function.name)).toEqual(['double', 'zoom', 'note_to_self'])
  })

  test('goes to the model in order of name, whatever order it is passed in', async () => {
    const model = script('Done.')
    const thread = openBook({ store: memoryStore(), model, window: 4096 }).thread('t')
    const other = { ...double, name: 'another' }
    await thread.send('Go', { tools: [double, other] }).done
    await thread.send('Go', { tools: [other, double] }).done
    expect(model.requests.map(({ tools }) => tools.map((tool) => tool.function.name))).toEqual([
      ['another', 'double'],
      ['another', 'double'],
    ])
    expect((await thread.entries()).filter(({ kind }) => kind === 'settings')).toHaveLength(1)
  })

  test('calls in Ollama’s shape get results by name, in order, however they finish', async () => {
    const wait = defineTool({
      name: 'wait',
      parameters: {},
      run: (input) =>
        systemClock
          .after((input as { ms: number }).ms, new AbortController().signal)
          .then(() => `${(input as { ms: number }).ms}`),
    })
    const calls = [20, 1, 10].map((ms) => ({ function: { name: 'wait', arguments: { ms } } }))
    const model = script({ role: 'assistant', content: '', tool_calls: calls }, 'Done.')
    const thread = openBook({ store: memoryStore(), model, window: 4096 }).thread('t')
    await thread.send('Go', { tools: [wait] }).done
    expect(model.requests[1]?.messages.slice(2)).toEqual(
      ['20', '1', '10'].map((content) => ({ role: 'tool', tool_name: 'wait', content })),
    )
  })
})

describe('a tool that throws', () => {
  const bug = new TypeError('seeds is undefined')
  const broken = defineTool({
    name: 'sow',
    run: () => {
      throw bug
    },
  })
  const model = (): ReturnType<typeof script> => script(assistant(null, call('c1', 'sow', {})), 'It did not work.')

  test('is told to the developer: the very error, in the event and in the hook, and never in the log', async () => {
    const heard: unknown[] = []
    const onError = (
      error: unknown,
      about: { readonly thread: string; readonly call: { readonly id?: string } },
    ): void => void heard.push([error, about.thread, about.call.id])
    const store = memoryStore()
    const turn = openBook({ store, model: model(), window: 4096, tools: [broken], onError })
      .thread('t')
      .send('Sow')
    for await (const event of turn)
      if (event.type === 'result') {
        expect(event).toMatchObject({ status: 'failed', text: '(failed: seeds is undefined)' })
        expect(event.error).toBe(bug)
      }
    expect(heard).toEqual([[bug, 't', 'c1']])
    expect(JSON.stringify(await store.read('t'))).not.toContain('tools.test.ts')
  })

  test('does not fail the turn, not even with a hook that throws, too', async () => {
    const onError = (): never => {
      throw new Error('the hook')
    }
    const book = openBook({ store: memoryStore(), model: model(), window: 4096, tools: [broken], onError })
    expect(await book.thread('t').ask('Sow')).toBe('It did not work.')
  })

  test('is not called for what the model did wrong: a missing tool, or arguments that do not fit', async () => {
    const heard: unknown[] = []
    const asked = script(assistant(null, call('c1', 'double', { n: 'x' }), call('c2', 'nothing', {})), 'Done.')
    const onError = (error: unknown): void => void heard.push(error)
    await openBook({ store: memoryStore(), model: asked, window: 4096, tools: [double], onError })
      .thread('t')
      .ask('Go')
    expect(heard).toEqual([])
  })
})
