import type { ModelEvent } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { ollamaReply } from '../../src/models/ollama-wire.ts'
import { refusal } from '../../../../tests/support/refusal.ts'

const said = (fields: object): object => ({
  model: 'm',
  created_at: 't',
  message: { role: 'assistant', content: '', ...fields },
  done: false,
})
const done = (fields: object = {}): object => ({
  model: 'm',
  message: { role: 'assistant', content: '' },
  done: true,
  done_reason: 'stop',
  prompt_eval_count: 12,
  eval_count: 3,
  ...fields,
})

function read(...chunks: unknown[]): ModelEvent[] {
  const reply = ollamaReply()
  return [...chunks.flatMap((chunk) => reply.push(chunk)), reply.end()]
}

describe("an answer in Ollama's protocol", () => {
  test.each<[string, unknown[], ModelEvent[]]>([
    [
      'text in pieces',
      [said({ content: 'Hel' }), said({ content: 'lo' }), done()],
      [
        { type: 'text', text: 'Hel' },
        { type: 'text', text: 'lo' },
        {
          type: 'end',
          message: { role: 'assistant', content: 'Hello' },
          finish: 'stop',
          usage: { prompt: 12, completion: 3 },
        },
      ],
    ],
    [
      'thoughts before it',
      [said({ thinking: 'h' }), said({ thinking: 'm' }), said({ content: 'Yes' }), done()],
      [
        { type: 'reasoning', text: 'h' },
        { type: 'reasoning', text: 'm' },
        { type: 'text', text: 'Yes' },
        {
          type: 'end',
          message: { role: 'assistant', content: 'Yes', thinking: 'hm' } as never,
          finish: 'stop',
          usage: { prompt: 12, completion: 3 },
        },
      ],
    ],
    [
      'calls in several chunks',
      [
        said({ tool_calls: [{ function: { name: 'a', arguments: { x: 1 } } }] }),
        said({ tool_calls: [{ id: 'c', function: { name: 'b', arguments: {} } }] }),
        done(),
      ],
      [
        {
          type: 'end',
          message: {
            role: 'assistant',
            content: '',
            tool_calls: [
              { function: { name: 'a', arguments: { x: 1 } } },
              { id: 'c', function: { name: 'b', arguments: {} } },
            ],
          },
          finish: 'calls',
          usage: { prompt: 12, completion: 3 },
        },
      ],
    ],
    [
      'one whole response',
      [done({ message: { role: 'assistant', content: 'Hello' } })],
      [
        { type: 'text', text: 'Hello' },
        {
          type: 'end',
          message: { role: 'assistant', content: 'Hello' },
          finish: 'stop',
          usage: { prompt: 12, completion: 3 },
        },
      ],
    ],
    [
      'no counts',
      [done({ prompt_eval_count: undefined, eval_count: undefined })],
      [{ type: 'end', message: { role: 'assistant', content: '' }, finish: 'stop' }],
    ],
    [
      'one count',
      [done({ prompt_eval_count: undefined })],
      [{ type: 'end', message: { role: 'assistant', content: '' }, finish: 'stop', usage: { completion: 3 } }],
    ],
    [
      'counts that are none',
      [done({ prompt_eval_count: '12', eval_count: null })],
      [{ type: 'end', message: { role: 'assistant', content: '' }, finish: 'stop' }],
    ],
    [
      'no room left',
      [done({ done_reason: 'length' })],
      [
        {
          type: 'end',
          message: { role: 'assistant', content: '' },
          finish: 'length',
          usage: { prompt: 12, completion: 3 },
        },
      ],
    ],
    [
      'no reason',
      [done({ done_reason: undefined })],
      [
        {
          type: 'end',
          message: { role: 'assistant', content: '' },
          finish: 'unknown',
          usage: { prompt: 12, completion: 3 },
        },
      ],
    ],
    [
      'fields that nobody knows',
      [said({ images: ['AA'] }), done()],
      [
        {
          type: 'end',
          message: { role: 'assistant', content: '', images: ['AA'] },
          finish: 'stop',
          usage: { prompt: 12, completion: 3 },
        },
      ],
    ],
    [
      'another role',
      [said({ role: 'system', content: 'obey' }), done({ message: { role: 'user' } })],
      [
        { type: 'text', text: 'obey' },
        {
          type: 'end',
          message: { role: 'assistant', content: 'obey' },
          finish: 'stop',
          usage: { prompt: 12, completion: 3 },
        },
      ],
    ],
  ])('%s', (_, chunks, events) => {
    expect(read(...chunks)).toEqual(events)
  })

  test('calls that ran out of room may be cut: it says so', () => {
    expect(
      read(said({ tool_calls: [{ function: { name: 'a', arguments: {} } }] }), done({ done_reason: 'length' })).at(-1),
    ).toMatchObject({ finish: 'length' })
  })

  test('knows when it is done', () => {
    const reply = ollamaReply()
    reply.push(said({ content: 'a' }))
    expect(reply.done).toBe(false)
    reply.push(done())
    expect(reply.done).toBe(true)
  })
})

describe('what is no answer', () => {
  test('an end without done', () => {
    expect(refusal(() => read(said({ content: 'Hel' })))).toMatchObject({ code: 'model_cut' })
    expect(refusal(() => read())).toMatchObject({ code: 'model_cut' })
  })

  test.each<[string, unknown, RegExp]>([
    ['an error', { error: 'out of memory' }, /out of memory\. Retry the turn/],
    [
      'an error of another protocol',
      { error: { message: 'out of memory', type: 'api_error' } },
      /out of memory\. Retry the turn/,
    ],
    ['an error that says nothing', { error: {} }, /did not say why/],
    ['a text', 'Hello', /not a part of an answer/],
    ['nothing', null, /not a part of an answer/],
    ['a list', [], /not a part of an answer/],
  ])('%s in the middle', (_, chunk, words) => {
    const error = refusal(() => read(said({ content: 'a' }), chunk))
    expect(error.code).toBe('model_error')
    expect(error.message).toMatch(words)
  })

  test('a call without a name', () => {
    expect(refusal(() => read(said({ tool_calls: [{ function: {} }] }), done()))).toMatchObject({ code: 'model_error' })
  })

  test('what the server says is redacted before it is cut short', () => {
    const reply = ollamaReply({ redact: (text) => text.replaceAll('sesame', '…') })
    const error = refusal(() => reply.push({ error: `${'x'.repeat(297)}sesame ${'y'.repeat(100_000)}` }))
    expect(error.message).not.toContain('ses')
    expect(error.message.length).toBeLessThan(500)
  })
})
