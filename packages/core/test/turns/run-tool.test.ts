import { defineTool, type Tool } from 'minutebook'
import type { Clock } from 'minutebook/clock'
import type { Call } from 'minutebook/wire'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { runTool } from '../../src/turns/run-tool.ts'
import { schemasOf, type ToolOutcome } from '../../src/turns/tool.ts'
import { tick } from '../../../../tests/support/tick.ts'

const tool = (run: Tool['run'], more: Partial<Tool> = {}): Tool =>
  defineTool({ name: 'tool', parameters: {}, run, ...more })

async function ran(
  what: Tool | undefined,
  {
    given = {},
    signal = new AbortController().signal,
    clock = still,
  }: { given?: unknown; signal?: AbortSignal; clock?: Clock } = {},
): Promise<ToolOutcome> {
  const call: Call = { name: 'tool', arguments: given }
  return runTool(
    what,
    call,
    {
      thread: 't',
      context: undefined,
      call,
      index: 0,
      idempotencyKey: '',
      term: 1,
      signal,
      entries: async () => [],
      state: async () => undefined as never,
    },
    clock,
  )
}

/** A clock on which no time goes by. */
const still: Clock = { now: () => '', after: () => new Promise(() => undefined) }

/** Like a timer that rejects when it is aborted, as many do. */
const rejecting: Clock = {
  now: () => '',
  after: (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('timer aborted')))),
}

describe('a tool that throws', () => {
  test.each<[string, unknown, string]>([
    ['an error', new Error('no lamp'), 'no lamp'],
    ['a text', 'no lamp', 'no lamp'],
    ['something with a message', { message: 'no lamp' }, 'no lamp'],
    [
      'an error whose message is none',
      Object.assign(new Error(), { message: 7 }),
      'it threw something that is not an error',
    ],
    ['nothing', undefined, 'it threw something that is not an error'],
    ['what has no text', Object.create(null), 'it threw something that is not an error'],
  ])('%s: the model is told', async (_, thrown, reason) => {
    const failed = { text: `(failed: ${reason})`, status: 'failed', error: thrown }
    expect(
      await ran(
        tool(() => {
          throw thrown
        }),
      ),
    ).toEqual(failed)
    expect(await ran(tool(() => Promise.reject(thrown as Error)))).toEqual(failed)
  })

  test('at great length: the model is told the beginning', async () => {
    expect(
      (
        await ran(
          tool(() => {
            throw new Error('x'.repeat(9000))
          }),
        )
      ).text,
    ).toHaveLength(2000 + '(failed: )'.length)
  })

  test('at once, with a clock that rejects: nothing is left unhandled', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    await ran(
      tool(
        () => {
          throw new Error('no')
        },
        { timeout: 5 },
      ),
      { clock: rejecting },
    )
    expect(
      await ran(
        tool(() => 1, { timeout: 5 }),
        { clock: rejecting },
      ),
    ).toEqual({ text: '1', status: 'complete' })
    await tick()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})

describe('the input of a tool', () => {
  test.each<[string, unknown, unknown]>([
    ['a value', { n: 1 }, { n: 1 }],
    ['JSON', '{"n":1}', { n: 1 }],
    ['nothing', '', {}],
    ['null', 'null', null],
  ])('%s', async (_, given, input) => {
    let seen: unknown
    await ran(
      tool((value) => (seen = value)),
      { given },
    )
    expect(seen).toEqual(input)
  })

  test('is the tool’s own', async () => {
    const given = { list: [1] }
    await ran(
      tool((input) => (input as { list: number[] }).list.push(2)),
      { given },
    )
    expect(given).toEqual({ list: [1] })
  })

  test('that cannot be read is not passed on', async () => {
    expect(
      await ran(
        tool(() => 1),
        { given: '{' },
      ),
    ).toEqual({ text: '(failed: the arguments are not valid JSON)', status: 'failed' })
  })
})

describe('a result', () => {
  test('that is too long is cut between characters', async () => {
    expect(await ran(tool(() => 'ab😀cd', { limit: 3 }))).toEqual({
      text: 'ab\n(4 characters of this result were not kept)',
      status: 'partial',
    })
    expect(await ran(tool(() => 'ab😀cd', { limit: 4 }))).toMatchObject({
      text: 'ab😀\n(2 characters of this result were not kept)',
    })
    expect(await ran(tool(() => 'ab😀cd', { limit: 6 }))).toEqual({ text: 'ab😀cd', status: 'complete' })
  })

  test('that is no JSON is a failure', async () => {
    expect(await ran(tool(() => 1n))).toMatchObject({ status: 'failed' })
  })
})

describe('cancelling', () => {
  const cancelled = { text: '(cancelled: this call was given up before it had a result)', status: 'cancelled' }

  test('before: the tool does not run', async () => {
    let count = 0
    expect(
      await ran(
        tool(() => ++count),
        { signal: AbortSignal.abort() },
      ),
    ).toEqual(cancelled)
    expect(count).toBe(0)
  })

  test('while it runs, checks its input or waits: it is told, and not waited for', async () => {
    const never = (): Promise<never> => new Promise(() => undefined)
    const schema = { '~standard': { version: 1, vendor: 'test', validate: never } } as const
    for (const what of [
      tool(never),
      tool(() => 1, { input: schema as unknown as NonNullable<Tool['input']> }),
      tool(never, { timeout: 9e9 }),
    ]) {
      const controller = new AbortController()
      const running = ran(what, { signal: controller.signal, clock: { now: () => '', after: never } })
      controller.abort()
      expect(await running).toEqual(cancelled)
    }
  })

  test('a tool that ends hears so by its signal, and the turn’s signal is let go', async () => {
    const { signal } = new AbortController()
    let own: AbortSignal | undefined
    let listeners = 0
    const counted = {
      aborted: signal.aborted,
      addEventListener: () => listeners++,
      removeEventListener: () => listeners--,
    } as unknown as AbortSignal
    await ran(
      tool((_, context) => (own = context.signal) && 1),
      { signal: counted },
    )
    expect([own?.aborted, listeners]).toEqual([true, 0])
  })
})

describe('a tool that is not there', () => {
  const call: Call = { name: 'c', arguments: {} }
  const context = {
    thread: 't',
    context: undefined,
    call,
    index: 0,
    idempotencyKey: '',
    term: 1,
    signal: new AbortController().signal,
    entries: async () => [],
    state: async () => undefined as never,
  }
  test.each<[string, readonly string[], string]>([
    ['none', [], 'there are none'],
    ['two', ['a', 'b'], 'there are: a, b'],
    ['a name that is too long to tell', ['x'.repeat(600)], 'there are: 1 more'],
    [
      'more than there is room for',
      Array.from({ length: 50 }, (_, n) => `a_tool_with_a_name_${n}`),
      `there are: ${Array.from({ length: 17 }, (_, n) => `a_tool_with_a_name_${n}`).join(', ')}, 33 more`,
    ],
  ])('the model is told which there are: %s', async (_, names, told) => {
    const { text } = await runTool(undefined, call, context, still, names)
    expect(text).toBe(`(failed: there is no tool of this name; ${told})`)
    expect(text.length).toBeLessThanOrEqual(500)
  })
})

test.each(['send mail!', '', 'a.b', 'x'.repeat(65), 'größe'])('a tool cannot be named %j', (name) => {
  expect(() => defineTool({ name, parameters: {}, run: () => 1 })).toThrow('Use at most 64 letters, digits, _ and -.')
})

describe('the parameters of a tool', () => {
  const run = (): number => 1
  const plain = { '~standard': { validate: (value: unknown) => ({ value }) } }

  test('are those of its input, and nothing else stands in them', () => {
    const { parameters } = defineTool({
      name: 'sow',
      input: z.object({ bed: z.number().int(), plant: z.string() }),
      run,
    })
    expect(parameters).toMatchObject({ type: 'object', required: ['bed', 'plant'] })
    expect(parameters).not.toHaveProperty('$schema')
  })

  test('are the ones that are given, or none', () => {
    const own = { type: 'object', properties: { bed: { type: 'number' } } }
    expect(defineTool({ name: 'sow', parameters: own, input: z.object({}), run }).parameters).toBe(own)
    expect(defineTool({ name: 'look', run }).parameters).toEqual({ type: 'object', properties: {} })
  })

  test('must be given if the schema cannot be written down', () => {
    const fix = 'Pass the JSON Schema of its arguments as parameters.'
    expect(() => defineTool({ name: 'sow', input: plain, run })).toThrow(fix)
    expect(() => defineTool({ name: 'sow', input: z.object({ on: z.date() }), run })).toThrow(
      /its input cannot be written as JSON Schema \(Date cannot be represented/,
    )
  })

  test('reach the model', () => {
    const sow = defineTool({ name: 'sow', input: z.object({ bed: z.number() }), run: ({ bed }) => bed })
    expect(schemasOf([sow])[0]?.function.parameters).toMatchObject({ properties: { bed: { type: 'number' } } })
  })
})

test('options may be undefined, as those of a book may', () => {
  const undefinedTool = defineTool({
    name: 'look',
    description: undefined,
    parameters: {},
    input: undefined,
    mayRepeat: undefined,
    timeout: undefined,
    limit: undefined,
    run: () => 1,
  })
  expect(undefinedTool.name).toBe('look')
})
