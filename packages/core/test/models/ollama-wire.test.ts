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
  user,
} from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { toOllama } from '../../src/models/ollama-wire.ts'
import { refusal } from '../../../../tests/support/refusal.ts'

const encode = (message: unknown): Message => toOllama([message as Message])[0]!

describe('what has the shape of Ollama is the very same object', () => {
  test.each<[string, unknown]>([
    ['a text', user('hi')],
    ['images', ollamaPicture('look', dot)],
    ['no images', { role: 'user', content: 'a', images: [] }],
    ['thinking', { role: 'assistant', content: 'a', thinking: 'hm' }],
    ['a call', ollamaAssistant('', ollamaCall('now', { zone: 'UTC' }))],
    [
      'a call with an id, a type and an index',
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { index: 0, name: 'f', arguments: {} } }],
      },
    ],
    ['a result', ollamaResult('now', '12:00')],
    ['fields that nobody knows', { role: 'user', content: 'a', name: 'Ann', weather: { wind: 3 } }],
    ['a text that is the path of a file among the images', ollamaPicture('look', '/etc/hostname')],
  ])('%s', (_, message) => {
    expect(encode(message)).toBe(message)
  })
})

describe('what has another shape is brought into it', () => {
  test.each<[string, unknown, unknown]>([
    ['capitals in the role', { role: 'User', content: 'hi' }, user('hi')],
    ['a developer', { role: 'developer', content: 'rules' }, { role: 'system', content: 'rules' }],
    ['content that is missing', { role: 'assistant' }, ollamaAssistant('')],
    ['content that is null', assistant(null), ollamaAssistant('')],
    ['parts of text', { role: 'user', content: [{ type: 'text', text: 'a' }, 'b'] }, user('ab')],
    ['parts with an image', picture('look', dot), ollamaPicture('look', dot)],
    ['an image beside images', { ...picture('look', 'AAAA'), images: ['BBBB'] }, ollamaPicture('look', 'AAAA', 'BBBB')],
    ['a data URL among the images', ollamaPicture('look', `data:image/jpeg;base64,${dot}`), ollamaPicture('look', dot)],
    [
      'an image in bytes',
      { role: 'user', content: '', images: [new Uint8Array([1]), new Uint8Array([1, 2]), new Uint8Array([1, 2, 3])] },
      ollamaPicture('', 'AQ==', 'AQI=', 'AQID'),
    ],
    [
      'a refusal among the parts',
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
      ollamaAssistant('no'),
    ],
    [
      'reasoning',
      { role: 'assistant', content: 'a', reasoning: 'hm' },
      { role: 'assistant', content: 'a', thinking: 'hm' },
    ],
    [
      'reasoning in all fields',
      { role: 'assistant', content: 'a', thinking: '1', reasoning: '2', reasoning_content: '3' },
      { role: 'assistant', content: 'a', thinking: '123' },
    ],
    [
      'reasoning that is no text',
      { role: 'assistant', content: 'a', reasoning: { id: 1 }, reasoning_content: '3' },
      { role: 'assistant', content: 'a', reasoning: { id: 1 }, thinking: '3' },
    ],
    [
      'a call',
      assistant('', call('c1', 'f', { a: 1 })),
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: { a: 1 } } }],
      },
    ],
    [
      'a custom call',
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'sh', input: 'ls' } }],
      },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'custom', function: { name: 'sh', arguments: { value: 'ls' } } }],
      },
    ],
  ])('%s', (_, message, expected) => {
    expect(encode(message)).toEqual(expected)
    expect(findMisshapen([encode(message)], 'ollama')).toBeUndefined()
  })

  test.each<[string, unknown, unknown]>([
    ['an object', '{"a":1}', { a: 1 }],
    ['an object with a key named __proto__', '{"__proto__":1}', JSON.parse('{"__proto__":1}')],
    ['nothing', '', {}],
    ['null', null, {}],
    ['a list', '[1]', { value: [1] }],
    ['a number', '3', { value: 3 }],
    ['a text that is not JSON', '{"a":', { value: '{"a":' }],
    ['what is nested too deep', '['.repeat(600) + ']'.repeat(600), { value: '['.repeat(600) + ']'.repeat(600) }],
    ['a list as a value', [1], { value: [1] }],
  ])('arguments that are %s become an object', (_, given, expected) => {
    const message = { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: given } }] }
    expect(encode(message)).toEqual({
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: 'f', arguments: expected } }],
    })
  })

  test('a result says the name of the tool that it comes from, and keeps the id', () => {
    expect(
      toOllama([assistant('', call('c1', 'a'), call('c2', 'b')), result('c2', '2'), result('c1', '1')]).slice(1),
    ).toEqual([
      { ...result('c2', '2'), tool_name: 'b' },
      { ...result('c1', '1'), tool_name: 'a' },
    ])
  })

  test('an old function result becomes a tool result', () => {
    expect(encode({ role: 'function', name: 'a', content: '1' })).toEqual({
      role: 'tool',
      name: 'a',
      content: '1',
      tool_name: 'a',
    })
  })
})

describe('what Ollama cannot take', () => {
  test.each<[string, unknown, string]>([
    [
      'an address among the parts',
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://secret.example/a.png' } }] },
      'remote_image',
    ],
    ['an address among the images', ollamaPicture('look', 'https://secret.example/a.png'), 'remote_image'],
    ['a data URL without base64', ollamaPicture('look', 'data:image/svg+xml,%3Csecret%3E'), 'remote_image'],
    [
      'sound',
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'secret' } }] },
      'unsupported_part',
    ],
    ['a part that is a number', { role: 'user', content: [3] }, 'unsupported_part'],
  ])('%s: the error says where it is and what to do, and nothing of what it says', (_, message, code) => {
    const error = refusal(() => toOllama([user('a'), message as Message]))
    expect(error).toMatchObject({ code, details: { index: 1 } })
    expect(error.message).toMatch(/^Message 1 of the prompt .*\. (Fetch|Leave)/)
    expect(error.message).not.toContain('secret')
  })
})
