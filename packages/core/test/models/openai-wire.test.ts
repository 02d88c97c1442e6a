import type { Message } from 'minutebook'
import {
  assistant,
  call,
  dot,
  findMisshapen,
  ollamaAssistant,
  ollamaCall,
  ollamaPicture,
  ollamaResult,
  picture,
  result,
  system,
  user,
} from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { toOpenAi, toResponses } from '../../src/models/openai-wire.ts'

const encode = (message: unknown): Message => toOpenAi([message as Message])[0]!

describe('what has the shape of OpenAI is the very same object', () => {
  test.each<[string, unknown]>([
    ['a text', user('hi')],
    ['a developer', { role: 'developer', content: 'rules' }],
    ['parts', picture('look', dot)],
    [
      'an image by its address',
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' } }],
      },
    ],
    ['sound', { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } }] }],
    ['a refusal', { role: 'assistant', content: null, refusal: 'no' }],
    ['reasoning', { role: 'assistant', content: 'a', reasoning: 'hm' }],
    ['reasoning_content', { role: 'assistant', content: 'a', reasoning_content: 'hm' }],
    ['fields that nobody knows', { role: 'user', content: 'a', name: 'Ann', weather: { wind: 3 } }],
    ['an assistant without content that calls', { role: 'assistant', tool_calls: [call('c1', 'now')] }],
    [
      'a custom call',
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'sh', input: 'ls' } }],
      },
    ],
    [
      'arguments that are not JSON',
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":' } }],
      },
    ],
  ])('%s', (_, message) => {
    expect(encode(message)).toBe(message)
  })

  test('calls with their results, in any order', () => {
    const messages = [assistant('', call('c1', 'a'), call('c2', 'b')), result('c2', '2'), result('c1', '1')]
    for (const [index, message] of toOpenAi(messages).entries()) expect(message).toBe(messages[index])
  })
})

describe('what has another shape is brought into it', () => {
  test.each<[string, unknown, unknown]>([
    ['capitals in the role', { role: 'User', content: 'hi' }, user('hi')],
    ['content that is missing', { role: 'user' }, user('')],
    ['content that is null', { role: 'user', content: null }, user('')],
    ['an assistant that says nothing', { role: 'assistant', content: null }, assistant('')],
    ['no parts', { role: 'user', content: [] }, user('')],
    [
      'parts that are bare texts',
      { role: 'user', content: ['a', { text: 'b' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ],
    [
      'an address that stands by itself',
      { role: 'user', content: [{ type: 'image_url', image_url: 'https://example.org/a.png' }] },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }] },
    ],
    ['images', ollamaPicture('look', dot), picture('look', dot)],
    [
      'images without a text',
      ollamaPicture('', dot),
      { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${dot}` } }] },
    ],
    [
      'an image in bytes',
      { role: 'user', content: '', images: [new Uint8Array([255, 216, 255, 0])] },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/AA==' } }] },
    ],
    ['images that are none', { role: 'user', content: 'a', images: [] }, user('a')],
    ['images that are null', { role: 'user', content: 'a', images: null }, user('a')],
    [
      'thinking',
      { role: 'assistant', content: 'a', thinking: 'hm' },
      { role: 'assistant', content: 'a', reasoning_content: 'hm' },
    ],
    ['thinking that is empty', { role: 'assistant', content: 'a', thinking: '' }, assistant('a')],
    ['a list of no calls', { role: 'assistant', content: 'a', tool_calls: [] }, assistant('a')],
    ['calls that are null', { role: 'assistant', content: 'a', tool_calls: null }, assistant('a')],
    [
      'a call in half the shape',
      { role: 'assistant', tool_calls: [{ id: 'c1', function: { index: 0, name: 'f', arguments: { a: 1 }, own: 2 } }] },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}', own: 2 } }],
      },
    ],
    [
      'a call without arguments',
      { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'f' } }] },
      { role: 'assistant', tool_calls: [call('c1', 'f')] },
    ],
  ])('%s', (_, message, expected) => {
    expect(encode(message)).toEqual(expected)
    expect(findMisshapen([encode(message)], 'openai')).toBeUndefined()
  })

  test.each([
    ['jpeg', '/9j/4AAQ'],
    ['gif', 'R0lGODlh'],
    ['webp', 'UklGRiQA'],
    ['bmp', 'Qk1GAAAA'],
    ['png', dot],
    ['png', 'AAAA'],
  ])('an image that looks like %s is called one', (type, data) => {
    expect(JSON.stringify(encode(ollamaPicture('', data)))).toContain(`data:image/${type};base64,${data}`)
  })
})

describe('ids', () => {
  const idsOf = (messages: readonly Message[]): string[] =>
    toOpenAi(messages).flatMap(({ tool_calls: calls, tool_call_id: id }) =>
      Array.isArray(calls) ? calls.map((each: { id: string }) => each.id) : id === undefined ? [] : [id as string],
    )

  test('calls without an id get one, and their results the same, in order', () => {
    const [first, second, third, fourth, ...more] = idsOf([
      ollamaAssistant('', ollamaCall('a'), ollamaCall('b')),
      ollamaResult('a', '1'),
      ollamaResult('b', '2'),
    ])
    expect([third, fourth, more]).toEqual([first, second, []])
    expect(first).toMatch(/^[0-9a-f]{9}$/)
    expect(second).not.toBe(first)
  })

  test('the same call twice has two ids', () => {
    const ids = idsOf([
      ollamaAssistant('', ollamaCall('a'), ollamaCall('a')),
      ollamaResult('a', '1'),
      ollamaResult('a', '2'),
      ollamaAssistant('', ollamaCall('a')),
      ollamaResult('a', '3'),
    ])
    expect(ids).toEqual([ids[0], ids[1], ids[0], ids[1], ids[4], ids[4]])
    expect(new Set(ids).size).toBe(3)
  })

  test('an id stays while the prompt before it changes, and depends on no order of keys', () => {
    const late = [ollamaAssistant('', ollamaCall('a', { x: 1, y: 2 })), ollamaResult('a', '1')]
    const other = [ollamaAssistant('', ollamaCall('a', { y: 2, x: 1 })), ollamaResult('a', '1')]
    expect(
      idsOf([system('s'), ollamaAssistant('', ollamaCall('b')), ollamaResult('b', '0'), ...late]).slice(2),
    ).toEqual(idsOf(other))
  })

  test('a fresh id is never one that another call has', () => {
    const [taken] = idsOf([ollamaAssistant('', ollamaCall('a'))])
    const ids = idsOf([
      ollamaAssistant('', ollamaCall('a')),
      ollamaResult('a', '1'),
      assistant('', call(taken!, 'b')),
      result(taken!, '2'),
    ])
    expect(ids[0]).not.toBe(taken)
    expect(ids.slice(2)).toEqual([taken, taken])
  })

  test('a result by name for a call with an id repeats that id', () => {
    expect(toOpenAi([assistant('', call('c1', 'a')), ollamaResult('a', '1')])[1]).toEqual(result('c1', '1'))
  })

  test('a result with an id for a call without one takes the id of the call', () => {
    const ids = idsOf([ollamaAssistant('', ollamaCall('a')), result('c9', '1')])
    expect(ids[1]).toBe(ids[0])
  })

  test('an empty id is none', () => {
    const ids = idsOf([assistant('', call('', 'a')), result('', '1')])
    expect(ids[0]).toMatch(/^[0-9a-f]{9}$/)
    expect(ids[1]).toBe(ids[0])
  })

  test('an old function result becomes a tool result', () => {
    const [, answer] = toOpenAi([
      assistant('', call('c1', 'a')),
      { role: 'function', name: 'a', content: '1' } as Message,
    ])
    expect(answer).toEqual({ role: 'tool', name: 'a', content: '1', tool_call_id: 'c1' })
  })

  test('a result without a call has an id too, and keeps its name', () => {
    expect(encode(ollamaResult('a', '1'))).toEqual({
      role: 'tool',
      content: '1',
      tool_name: 'a',
      tool_call_id: expect.stringMatching(/^[0-9a-f]{9}$/) as string,
    })
  })
})

test('for Responses, a message keeps the items in which it was written', () => {
  const items = [
    { type: 'reasoning', encrypted_content: 'a' },
    { role: 'assistant', content: 'hi' },
  ]
  const written = { ...ollamaAssistant('hi'), sdk: {}, items } as Message
  expect(toResponses([user('hi'), written])).toEqual([user('hi'), { ...assistant('hi'), items }])
})
