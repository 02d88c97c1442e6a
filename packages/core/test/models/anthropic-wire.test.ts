import fc from 'fast-check'
import { compile, type Message } from 'minutebook'
import { assistant, call, picture, result, system, user, words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { anthropicChat } from '../../../../tests/support/anthropic-chat.ts'
import { createMeter, messageTokens } from '../../src/tokens/prediction.ts'
import { cases, withSure } from '../../../../tests/support/runs.ts'
import { findRefused } from '../../../testing/src/upstream/anthropic-rules.ts'
import { redactedThinking, signedThinking } from '@minutebook/testing/server'
import { fromAnthropic, toAnthropic } from '../../src/models/anthropic-wire.ts'
import { toOllama } from '../../src/models/ollama-wire.ts'
import { toOpenAi } from '../../src/models/openai-wire.ts'
import { readMessage } from '../../src/log/message.ts'
import { fieldsOf } from '../../src/models/wire.ts'

const text = (said: string): object => ({ type: 'text', text: said })
const use = (id: string, name = 'look', input: object = {}): object => ({ type: 'tool_use', id, name, input })
const returned = (id: string, content: unknown): object => ({ type: 'tool_result', tool_use_id: id, content })
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }

describe('a request is read as a log keeps it', () => {
  test('results, then what the user says', () => {
    const content = [returned('t1', 'Sunny.'), { ...returned('t2', [image]), is_error: true }, text('And tomorrow?')]
    expect(fromAnthropic({ messages: [{ role: 'user', content }] })).toEqual([
      { role: 'tool', tool_call_id: 't1', content: 'Sunny.' },
      { role: 'tool', tool_call_id: 't2', content: [image], is_error: true },
      { role: 'user', content: [text('And tomorrow?')] },
    ])
  })

  test('an answer with thinking and calls', () => {
    const content = [signedThinking('Hm.'), redactedThinking('Ah.'), text('I look.'), use('t1', 'look', { at: 'sky' })]
    const [read] = fromAnthropic({ messages: [{ role: 'assistant', content }] })!
    expect(readMessage(read!)).toMatchObject({
      kind: 'assistant',
      text: 'I look.',
      calls: [{ id: 't1', name: 'look', arguments: { at: 'sky' } }],
      images: [],
    })
    expect(readMessage(read!).reasoning).toBe('Hm.')
    expect(read).not.toHaveProperty('block_order')
    expect(toAnthropic([read!])).toEqual([{ role: 'assistant', content }])
  })

  test('blocks in an unusual order come back in it, unless one of them is gone', () => {
    const content = [text('A'), signedThinking('Hm.'), use('t1'), text('B')]
    const [read] = fromAnthropic({ messages: [{ role: 'assistant', content }] })!
    expect(toAnthropic([read!])).toEqual([{ role: 'assistant', content }])
    const { thinking_blocks: _, ...unreasoned } = read as Message & { thinking_blocks: unknown }
    expect(toAnthropic([unreasoned])).toEqual([{ role: 'assistant', content: [text('A'), use('t1'), text('B')] }])
    expect(toAnthropic([{ ...unreasoned, content: 'A…' }])).toEqual([
      { role: 'assistant', content: [text('A…'), use('t1')] },
    ])
  })

  test('system as a text or as blocks; cache_control is left out', () => {
    const mark = { cache_control: { type: 'ephemeral' } }
    expect(fromAnthropic({ system: 'Be kind.', messages: [] })).toEqual([{ role: 'system', content: 'Be kind.' }])
    expect(fromAnthropic({ system: [{ ...text('Be kind.'), ...mark }], messages: [] })).toEqual([
      { role: 'system', content: [text('Be kind.')] },
    ])
    const content = [
      { ...returned('t1', [{ ...text('x'), ...mark }]), ...mark },
      { ...text('y'), ...mark },
    ]
    expect(JSON.stringify(fromAnthropic({ messages: [{ role: 'user', content }] }))).not.toContain('cache_control')
  })

  test.each<[string, unknown]>([
    ['a role that the protocol does not have', { role: 'system', content: 'x' }],
    ['content that is no list of blocks', { role: 'user', content: { type: 'text' } }],
    ['a block without a type', { role: 'user', content: [{ text: 'x' }] }],
    ['a result without an id', { role: 'user', content: [{ type: 'tool_result', content: 'x' }] }],
    ['a call without a name', { role: 'assistant', content: [{ type: 'tool_use', id: 't1', input: {} }] }],
    ['a field that means something else in a log', { role: 'user', content: 'x', tool_calls: [] }],
    ['a field of a message that becomes several', { role: 'user', content: [returned('t', 'x')], weather: 1 }],
  ])('not %s', (_, message) => {
    expect(fromAnthropic({ messages: [message] })).toBeUndefined()
  })
})

test('a prompt in this shape is counted by what it says, not as images', () => {
  const [asked, answered] = [
    { role: 'assistant', content: [signedThinking('Hm.'), text('I look.'), use('t1', 'look', { at: 'sky' })] },
    { role: 'user', content: [returned('t1', [text('Sunny.'), image]), returned('t2', 'Dry.'), text('And tomorrow?')] },
  ]
  expect(readMessage(asked)).toEqual({
    kind: 'assistant',
    text: 'I look.',
    calls: [{ id: 't1', name: 'look', arguments: { at: 'sky' } }],
    images: [],
    attachments: [],
    reasoning: 'Hm.',
    sealed: signedThinking('Hm.').signature.length - 'Hm.'.length,
  })
  expect(readMessage(answered)).toMatchObject({ kind: 'user', text: 'Sunny.Dry.And tomorrow?', calls: [] })
  expect(readMessage(answered).images).toHaveLength(1)
})

describe('messages of other protocols', () => {
  test('become blocks', () => {
    const messages = [
      system('Be kind.'),
      picture('What is this?', 'AAAA'),
      assistant('', call('c1', 'look', { at: 'sky' })),
      result('c1', 'Sunny.'),
      user('Thanks.'),
      { role: 'assistant', content: '' },
      user('Still there?'),
    ]
    expect(toAnthropic(messages)).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [text('What is this?'), image] },
      { role: 'assistant', content: [use('c1', 'look', { at: 'sky' })] },
      { role: 'user', content: [returned('c1', 'Sunny.'), text('Thanks.'), text('Still there?')] },
    ])
  })

  test('and blocks become theirs, without what only this protocol knows', () => {
    const content = [signedThinking('Hm.'), text('I look.'), use('t1', 'look', { at: 'sky' })]
    const read = fromAnthropic({
      messages: [
        { role: 'user', content: [text('What is this?'), image] },
        { role: 'assistant', content },
        { role: 'user', content: [{ ...returned('t1', 'Sunny.'), is_error: false }] },
      ],
    })!
    expect(toOpenAi(read)).toEqual([
      {
        role: 'user',
        content: [text('What is this?'), { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
      },
      {
        role: 'assistant',
        content: [text('I look.')],
        tool_calls: [{ id: 't1', type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } }],
      },
      { role: 'tool', tool_call_id: 't1', content: 'Sunny.' },
    ])
    expect(toOllama(read)[0]).toEqual({ role: 'user', content: 'What is this?', images: ['AAAA'] })
    expect(toOllama(read)[1]).toMatchObject({ role: 'assistant', content: 'I look.' })
  })
})

test.each([
  ['a document', { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'word '.repeat(500) } }],
  ['a document in blocks', { type: 'document', source: { type: 'content', content: [text('word '.repeat(500))] } }],
  ['a search result', { type: 'search_result', source: 'x', title: 'y', content: [text('word '.repeat(500))] }],
])('the text of %s is counted, and is not what the user says', (_, block) => {
  const read = fromAnthropic({ messages: [{ role: 'user', content: [block, text('Why?')] }] })!
  expect(readMessage(read[0]!).text).toBe('Why?')
  expect(messageTokens(words, read[0]!)).toBeGreaterThan(500)
  expect(messageTokens(words, read[0]!)).toBeLessThan(510)
  expect(compile(read, { window: 600, counter: words }).tokens).toBeGreaterThan(500)
  expect(() => compile(read, { window: 400, counter: words })).toThrow(
    expect.objectContaining({ code: 'window_overflow' }),
  )
  expect(createMeter(words).message(read[0]!).predicted).toBeGreaterThan(500)
})

const chats = anthropicChat(fc.constantFrom(1, -0.5, 1e21))

test('what comes in goes out as it came, but for marks for the cache', () => {
  fc.assert(
    fc.property(chats, ({ system: rules, messages }) => {
      const back = toAnthropic(fromAnthropic({ system: rules, messages })!)
      expect(sides(rules === undefined ? back : back.slice(1))).toEqual(sides(messages))
    }),
  )
})

/** What each side says before the other side speaks. Servers join neighbours themselves. */
function sides(messages: readonly object[]): readonly object[] {
  const found: { readonly role: unknown; readonly content: unknown[] }[] = []
  for (const { role, content } of messages.map(fieldsOf)) {
    const blocks: unknown[] = typeof content === 'string' ? [text(content)] : unmarked(content)
    const last = found.at(-1)
    if (last?.role === role) last!.content.push(...blocks)
    else found.push({ role, content: blocks })
  }
  return found
}

function unmarked<T>(value: T): T & unknown[] {
  const text = JSON.stringify(value, (field, each: unknown) => (field === 'cache_control' ? undefined : each))
  return JSON.parse(text) as T & unknown[]
}

test('every prompt of a chat, in any window, is one that the server accepts', () => {
  let fitted = 0
  const drawn = [chats, fc.integer({ min: 10, max: 400 })] as const
  fc.assert(
    fc.property(...drawn, ({ system: rules, messages, thinking }, window) => {
      const profile = { argumentsAs: 'object', onlyTheirSystem: true, needsUser: true } as const
      const read = fromAnthropic({ system: rules, messages })!
      const compiled = attempt(() => compile(read, { window, counter: words, profile }))
      if (!compiled) return
      const sent = toAnthropic(compiled.messages)
      const head = rules === undefined ? [] : sent.splice(0, 1)
      expect(head.map(({ content }) => content)).toEqual(rules === undefined ? [] : [unmarked(rules)])
      expect(findRefused({ messages: sent, max_tokens: 4096, thinking }, false)).toBeUndefined()
      if (compiled.messages.length < read.length) fitted++
    }),
    withSure(20, cases('usual'), drawn),
  )
  expect(fitted).toBeGreaterThan(0)
})

function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
