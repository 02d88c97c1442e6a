import { describe, expect, test } from 'vitest'
import { compile, memoryStore, openBook, type Message, type MinutebookError } from 'minutebook'
import { assistant, call, result } from '@minutebook/testing'
import { argumentsText, readMessage, type Content } from '../../src/log/message.ts'
import { refusal } from '../../../../tests/support/refusal.ts'
import { script } from '../support/scripted.ts'

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }
const imageJson = '{"image_url":{"url":"data:image/png;base64,AA"},"type":"image_url"}'

describe('reading a message', () => {
  test.each<[string, Message, Partial<Content>]>([
    [
      'a plain text',
      { role: 'user', content: 'hi' },
      { kind: 'user', text: 'hi', calls: [], images: [], attachments: [], reasoning: '', sealed: 0 },
    ],
    ['a developer', { role: 'developer', content: 'rules' }, { kind: 'system', text: 'rules' }],
    ['capitals in the role', { role: 'Assistant', content: 'hi' }, { kind: 'assistant', text: 'hi' }],
    ['no content', { role: 'assistant' }, { text: '' }],
    ['null content', assistant(null), { text: '' }],
    ['parts', { role: 'user', content: [{ type: 'text', text: 'a' }, 'b', { text: 'c' }] }, { text: 'abc' }],
    ['no parts', { role: 'user', content: [] }, { text: '', images: [] }],
    [
      'an image among the parts',
      { role: 'user', content: [{ type: 'text', text: 'look' }, image] },
      { text: 'look', images: [imageJson] },
    ],
    [
      "Ollama's images",
      { role: 'user', content: 'look', images: ['AA', new Uint8Array([1, 2])] },
      { text: 'look', images: ['AA', '1,2'] },
    ],
    ['images that are null', { role: 'user', content: 'look', images: null }, { images: [] }],
    [
      'a call of OpenAI',
      assistant('', call('c1', 'f', { a: 1 })),
      { calls: [{ id: 'c1', name: 'f', arguments: '{"a":1}' }] },
    ],
    [
      'a call of Ollama',
      { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] },
      { calls: [{ name: 'f', arguments: { a: 1 } }] },
    ],
    [
      'a call without arguments',
      { role: 'assistant', tool_calls: [{ function: { name: 'f' } }] },
      { calls: [{ name: 'f', arguments: {} }] },
    ],
    [
      'a custom call of OpenAI',
      { role: 'assistant', tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'sh', input: 'ls' } }] },
      { calls: [{ id: 'c1', name: 'sh', arguments: 'ls' }] },
    ],
    ['calls that are null', { role: 'assistant', content: 'a', tool_calls: null }, { calls: [] }],
    [
      "a user's calls are none",
      { role: 'user', content: 'a', tool_calls: [{ function: { name: 'f' } }] },
      { calls: [] },
    ],
    ['a result of OpenAI', result('c1', 'r'), { kind: 'tool', text: 'r', answers: { id: 'c1' } }],
    ['a result of Ollama', { role: 'tool', content: 'r', tool_name: 'f' }, { answers: { name: 'f' } }],
    [
      'an old function result',
      { role: 'function', content: 'r', name: 'f' } as Message,
      { kind: 'tool', answers: { name: 'f' } },
    ],
    ['a result that says nothing of its call', { role: 'tool', content: 'r' }, { answers: {} }],
    ["Ollama's thinking", { role: 'assistant', content: 'a', thinking: 'hm' } as Message, { reasoning: 'hm' }],
    ['reasoning', { role: 'assistant', content: 'a', reasoning: 'hm' } as Message, { reasoning: 'hm' }],
    ['reasoning_content', { role: 'assistant', content: 'a', reasoning_content: 'hm' } as Message, { reasoning: 'hm' }],
    ['reasoning that is null', { role: 'assistant', content: 'a', reasoning: null } as Message, { reasoning: '' }],
    ["a user's reasoning is none", { role: 'user', content: 'a', reasoning: 'hm' } as Message, { reasoning: '' }],
    ['a text named __proto__', { role: 'user', content: '__proto__' }, { text: '__proto__' }],
    ['half a surrogate pair', { role: 'user', content: '\ud800' }, { text: '\ud800' }],
  ])('%s', (_, message, expected) => {
    expect(readMessage(message)).toMatchObject(expected)
  })

  test('only a result answers', () => {
    expect(readMessage({ role: 'user', content: 'a', tool_call_id: 'c1' })).not.toHaveProperty('answers')
  })
})

describe('a malformed message', () => {
  const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
  test.each<[string, unknown, RegExp, RegExp]>([
    ['nothing', null, /not an object/, /Pass \{ role, content \}/],
    ['a text', 'hi', /not an object/, /Pass \{ role, content \}/],
    ['no role', { content: 'hi' }, /unknown role/, /Use system, .*user, assistant, tool/],
    ['a role nobody knows', { role: 'robot' }, /unknown role "robot"/, /Use system/],
    ['a role named __proto__', { role: '__proto__' }, /unknown role "__proto__"/, /Use system/],
    ['a role that is no text', { role: 3 }, /unknown role 3/, /Use system/],
    [
      'content that is a number',
      { role: 'user', content: 3 },
      /content is neither text nor a list/,
      /Pass a string, null or an array/,
    ],
    [
      'content that is an object',
      { role: 'user', content: {} },
      /content is neither text nor a list/,
      /Pass a string, null or an array/,
    ],
    ['content that nests too deep', { role: 'user', content: deep(501) }, /content .*500 levels/, /as JSON text/],
    ['calls that are no list', { role: 'assistant', tool_calls: {} }, /tool_calls is not a list/, /Pass an array/],
    ['a call that is a text', { role: 'assistant', tool_calls: ['f'] }, /not an object/, /Pass/],
    ['a call without a function', { role: 'assistant', tool_calls: [{ id: '1' }] }, /no function name/, /Pass/],
    ['a call of null', { role: 'assistant', tool_calls: [null] }, /not an object/, /Pass/],
    [
      'a call without a name',
      { role: 'assistant', tool_calls: [{ function: {} }] },
      /no function name/,
      /Pass \{ function: \{ name, arguments \} \}/,
    ],
    [
      'arguments that nest too deep',
      { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: deep(502) } }] },
      /arguments of f .*500 levels/,
      /as JSON text/,
    ],
    ['images that are no list', { role: 'user', images: 'AA' }, /images is not a list/, /Pass an array/],
    ['an image that is an object', { role: 'user', images: [{ url: 'x' }] }, /neither text nor bytes/, /Pass base64/],
  ])('%s: the error says what is wrong and what to pass', (_, message, wrong, fix) => {
    const error = refusal(() => readMessage(message as Message))
    expect(error.code).toBe('malformed_message')
    expect(error.message).toMatch(wrong)
    expect(error.message).toMatch(fix)
  })
})

describe('the text of arguments', () => {
  test.each<[string, unknown, string]>([
    ['a text stays as it came', '{ "a":1 }', '{ "a":1 }'],
    ['a value becomes JSON', { a: [1] }, '{"a":[1]}'],
    ['nothing becomes an empty object', undefined, '{}'],
  ])('%s', (_, given, text) => {
    expect(argumentsText({ name: 'f', arguments: given })).toBe(text)
  })
})

describe('a message of another library', () => {
  const foreign: [string, Message & { readonly parts?: unknown }, string][] = [
    [
      'a call of the AI SDK',
      { role: 'assistant', content: [{ type: 'tool-call', toolName: 'f' }] },
      'fromModelMessages',
    ],
    ['a result of the AI SDK', { role: 'tool', content: [{ type: 'tool-result', output: 1 }] }, 'fromModelMessages'],
    ['a UI message of the AI SDK', { role: 'user', parts: [{ type: 'text', text: 'Hi' }] }, 'fromUIMessages'],
    ['a call of Anthropic', { role: 'assistant', content: [{ type: 'tool_use', name: 'f' }] }, 'fromAnthropic'],
    ['a result of Anthropic', { role: 'user', content: [{ type: 'tool_result', content: '1' }] }, 'fromAnthropic'],
  ]

  test.each(foreign)('%s is refused before it loses anything, with what to do', async (_, message, fix) => {
    const question = { role: 'user', content: 'What grows?' }
    const thread = openBook({ store: memoryStore(), model: script('Spinach.'), window: 4096 }).thread('t')
    for (const refused of [
      refusal(() => compile([question, message], { window: 100_000 })),
      refusal(() => thread.send([message, question])),
      await thread.importMessages([message]).then(
        () => undefined,
        (error: unknown) => error as MinutebookError,
      ),
    ]) {
      expect(refused?.code).toBe('malformed_message')
      expect(refused?.fix).toContain(fix)
    }
    expect(await thread.entries()).toEqual([])
  })

  test('pictures and texts in parts are ours', () => {
    const parts = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ]
    expect(compile([{ role: 'user', content: parts }], { window: 4096 }).messages).toHaveLength(1)
  })
})
