import type { Message, ModelEvent } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { openAiReply } from '../../src/models/openai-wire.ts'
import { refusal } from '../../../../tests/support/refusal.ts'

const said = (delta: object, finish: string | null = null): object => ({
  id: 'x',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const counted = {
  choices: [],
  usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15, prompt_tokens_details: { cached_tokens: 8 } },
}
const whole = (message: object, finish: string = 'stop'): object => ({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message, finish_reason: finish }],
  usage: counted.usage,
})

function read(...chunks: unknown[]): ModelEvent[] {
  const reply = openAiReply()
  return [...chunks.flatMap((chunk) => reply.push(chunk)), reply.end()]
}

function last(...chunks: unknown[]): Extract<ModelEvent, { type: 'end' }> {
  return read(...chunks).at(-1) as Extract<ModelEvent, { type: 'end' }>
}

describe("an answer in OpenAI's protocol", () => {
  test('text in pieces, counts behind the end', () => {
    expect(
      read(
        said({ role: 'assistant', content: '' }),
        said({ content: 'Hel' }),
        said({ content: 'lo' }),
        said({}, 'stop'),
        counted,
      ),
    ).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      {
        type: 'end',
        message: { role: 'assistant', content: 'Hello' },
        finish: 'stop',
        usage: { prompt: 12, completion: 3, cached: 8 },
      },
    ])
  })

  test('one whole response', () => {
    expect(read(whole({ role: 'assistant', content: 'Hello', refusal: null }))).toEqual([
      { type: 'text', text: 'Hello' },
      {
        type: 'end',
        message: { role: 'assistant', content: 'Hello' },
        finish: 'stop',
        usage: { prompt: 12, completion: 3, cached: 8 },
      },
    ])
  })

  test.each<[string, object]>([
    ['reasoning', { reasoning: 'hm' }],
    ['reasoning_content', { reasoning_content: 'hm' }],
  ])('thoughts as %s stay in their field', (_, fields) => {
    const events = read(said(fields), said({ content: 'Yes' }), said(fields), said({}, 'stop'))
    expect(events.slice(0, 2)).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Yes' },
    ])
    expect(events.at(-1)).toMatchObject({ message: { content: 'Yes', [Object.keys(fields)[0]!]: 'hmhm' } })
  })

  test('thoughts that come under both names are told and kept once', () => {
    const events = read(
      said({ reasoning: 'h', reasoning_content: 'h' }),
      said({ reasoning: 'm', reasoning_content: 'm' }),
      said({}, 'stop'),
    )
    expect(events).toEqual([
      { type: 'reasoning', text: 'h' },
      { type: 'reasoning', text: 'm' },
      { type: 'end', message: { role: 'assistant', content: null, reasoning_content: 'hm' }, finish: 'stop' },
    ])
  })

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'filter'],
    ['eos', 'unknown'],
    ['tool_calls', 'calls'],
  ])('%s is %s', (reason, finish) => {
    expect(last(said({ content: 'a' }, reason)).finish).toBe(finish)
  })

  test('a refusal was stopped by a filter, and is kept', () => {
    expect(last(said({ content: null, refusal: 'I ' }), said({ refusal: 'cannot' }), said({}, 'stop'))).toEqual({
      type: 'end',
      message: { role: 'assistant', content: null, refusal: 'I cannot' },
      finish: 'filter',
    })
  })

  test('no counts', () => {
    expect(last(said({ content: 'a' }, 'stop'))).not.toHaveProperty('usage')
  })

  test.each([-1, 1e300, '12', null, {}])('leaves out a count of %j', (count) => {
    const told = { choices: [], usage: { prompt_tokens: count, completion_tokens: 3 } }
    expect(last(said({ content: 'a' }, 'stop'), told).usage).toEqual({ completion: 3 })
  })

  test('counts of llama.cpp: what it had in its cache stands elsewhere', () => {
    expect(
      last(
        said({ content: 'a' }, 'stop'),
        { choices: [], usage: { prompt_tokens: 5, completion_tokens: 1 } },
        { choices: [], timings: { cache_n: 4 } },
      ).usage,
    ).toEqual({ prompt: 5, completion: 1, cached: 4 })
  })

  test('content in parts', () => {
    const events = read(
      said({ content: [{ type: 'thinking', thinking: 'hm' }] }),
      said({ content: [{ type: 'text', text: 'Yes' }] }),
      said({ content: '!' }),
      said({}, 'stop'),
    )
    expect(events.slice(0, 2)).toEqual([
      { type: 'text', text: 'Yes' },
      { type: 'text', text: '!' },
    ])
    expect(events.at(-1)).toMatchObject({
      message: {
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Yes' },
          { type: 'text', text: '!' },
        ],
      },
    })
  })

  test('another role, another choice: neither counts', () => {
    const other = { choices: [{ index: 1, delta: { content: 'not me' }, finish_reason: 'stop' }] }
    expect(last(said({ role: 'system', content: 'a' }), other, said({}, 'stop')).message).toEqual({
      role: 'assistant',
      content: 'a',
    })
  })
})

describe('calls are put together', () => {
  const f = (index: number | undefined, fields: object): object =>
    said({ tool_calls: [{ ...(index !== undefined && { index }), ...fields }] })
  const callsOf = (...chunks: object[]): unknown =>
    (last(...chunks, said({}, 'tool_calls')).message as Message).tool_calls
  const made = (id: string, name: string, given: string): object => ({
    id,
    type: 'function',
    function: { name, arguments: given },
  })

  test.each<[string, object[], object[]]>([
    [
      'from pieces',
      [
        f(0, { id: 'c1', type: 'function', function: { name: 'a', arguments: '' } }),
        f(0, { function: { arguments: '{"x"' } }),
        f(0, { function: { arguments: ':1}' } }),
      ],
      [made('c1', 'a', '{"x":1}')],
    ],
    [
      'by index, where they take turns',
      [
        f(0, { id: 'c1', type: 'function', function: { name: 'a', arguments: '{' } }),
        f(1, { id: 'c2', type: 'function', function: { name: 'b', arguments: '[' } }),
        f(0, { function: { arguments: '}' } }),
        f(1, { function: { arguments: ']' } }),
      ],
      [made('c1', 'a', '{}'), made('c2', 'b', '[]')],
    ],
    [
      'without an index, by their ids',
      [
        f(undefined, { id: 'c1', function: { name: 'a', arguments: '{' } }),
        f(undefined, { function: { arguments: '}' } }),
        f(undefined, { id: 'c2', function: { name: 'b', arguments: '{}' } }),
        f(undefined, { id: 'c1', function: { arguments: ' ' } }),
      ],
      [made('c1', 'a', '{} '), made('c2', 'b', '{}')],
    ],
    [
      'with a name that comes twice',
      [
        f(0, { id: 'c1', function: { name: 'a', arguments: '{' } }),
        f(0, { id: '', function: { name: 'a', arguments: '}' } }),
      ],
      [made('c1', 'a', '{}')],
    ],
    [
      'with arguments that are a value',
      [f(0, { id: 'c1', function: { name: 'a', arguments: { x: 1 } } })],
      [made('c1', 'a', '{"x":1}')],
    ],
    [
      'without arguments',
      [f(0, { id: 'c1', function: { name: 'a' } }), f(1, { id: 'c2', function: { name: 'b', arguments: '' } })],
      [made('c1', 'a', '{}'), made('c2', 'b', '{}')],
    ],
    [
      'with a gap in the indexes',
      [f(3, { id: 'c1', function: { name: 'a', arguments: '{}' } })],
      [made('c1', 'a', '{}')],
    ],
    [
      'with an index that no memory could hold',
      [f(4e9, { id: 'c1', function: { name: 'a', arguments: '{}' } })],
      [made('c1', 'a', '{}')],
    ],
    [
      'of a custom tool',
      [f(0, { id: 'c1', type: 'custom', custom: { name: 'sh', input: 'l' } }), f(0, { custom: { input: 's' } })],
      [{ id: 'c1', type: 'custom', custom: { name: 'sh', input: 'ls' } }],
    ],
    [
      'with fields that nobody knows',
      [f(0, { id: 'c1', function: { name: 'a', arguments: '{}' }, extra: { signature: 's' } })],
      [{ ...made('c1', 'a', '{}'), extra: { signature: 's' } }],
    ],
  ])('%s', (_, chunks, calls) => {
    expect(callsOf(...chunks)).toEqual(calls)
  })

  test('in a whole response', () => {
    expect(
      last(
        whole(
          { role: 'assistant', content: null, tool_calls: [made('c1', 'a', '{"x":1}'), made('c1', 'b', '{}')] },
          'stop',
        ),
      ),
    ).toMatchObject({
      message: { content: null, tool_calls: [made('c1', 'a', '{"x":1}'), made('c1', 'b', '{}')] },
      finish: 'calls',
    })
  })
})

describe('what is no answer', () => {
  test('an end without a reason to finish', () => {
    expect(refusal(() => read(said({ content: 'Hel' })))).toMatchObject({ code: 'model_cut' })
    expect(refusal(() => read(said({ content: 'Hel' }), counted))).toMatchObject({ code: 'model_cut' })
    expect(refusal(() => read())).toMatchObject({ code: 'model_cut' })
  })

  test.each<[string, unknown, RegExp]>([
    ['an error', { error: { message: 'out of memory', type: 'api_error' } }, /out of memory\. Retry the turn/],
    ["an error as Ollama's", { error: 'out of memory' }, /out of memory\. Retry the turn/],
    ['a text', '[DONE]', /not a part of an answer/],
  ])('%s in the middle', (_, chunk, words) => {
    const error = refusal(() => read(said({ content: 'a' }), chunk))
    expect(error.code).toBe('model_error')
    expect(error.message).toMatch(words)
  })

  test('a call without a name', () => {
    expect(
      refusal(() => read(said({ tool_calls: [{ index: 0, id: 'c1', function: { arguments: '{}' } }] }, 'tool_calls'))),
    ).toMatchObject({ code: 'model_error' })
  })
})
