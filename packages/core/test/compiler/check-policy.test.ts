import {
  compile,
  defaultPolicy,
  firstAndRecent,
  lastMessages,
  tiered,
  type CompileOptions,
  type Policy,
} from 'minutebook'
import { user } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'

const refusal = (options: unknown): { code: string; message: string } => {
  try {
    compile([user('hi')], options as CompileOptions)
  } catch (error) {
    return error as { code: string; message: string }
  }
  throw new Error('nothing was refused')
}

describe('a policy that could not be followed is refused', () => {
  test.each<[string, unknown, string]>([
    ['a word', 'default', 'not an object'],
    ['a preset that was not called', defaultPolicy, 'not an object'],
    ['an empty object', {}, 'name is missing'],
    ['a missing field', { ...defaultPolicy(), marker: undefined }, 'marker is missing'],
    ['an empty marker', { ...defaultPolicy(), marker: '' }, 'marker is ""'],
    ['a misspelt word', { ...defaultPolicy(), system: 'frist' }, "'in place' or 'first' or 'once'"],
    ['a share above 1', { ...defaultPolicy(), outline: { share: 5, line: 64 } }, 'outline is {"share":5,"line":64}'],
    ['a negative share', { ...defaultPolicy(), epochs: { low: -1 } }, 'a share from 0 to 1'],
    ['a number for an object', { ...defaultPolicy(), verbatim: 5 }, 'verbatim is 5'],
    ['a negative cap', lastMessages(-1), 'verbatim is'],
    ['an unknown overflow', { ...defaultPolicy(), overflow: 'explode' }, "'error' or 'keep'"],
    ['a cap with epochs', { ...lastMessages(4), epochs: { low: 0.5 } }, 'Set epochs to null'],
    ['an unknown role for notes', { ...defaultPolicy(), notes: { role: 'tool' } }, "'system' or 'user', each of which"],
    [
      'a share of notes above 1',
      { ...defaultPolicy(), notes: { share: 2, role: 'user' } },
      'notes is {"share":2,"role":"user"}',
    ],
    ['an unknown word about notes', { ...defaultPolicy(), notes: { roll: 'user' } }, 'notes is {"roll":"user"}'],
    ['an unknown field', { ...defaultPolicy(), tacks: [] }, 'no field tacks'],
  ])('%s', (_, policy, words) => {
    const { code, message } = refusal({ window: 100, policy })
    expect(code).toBe('invalid_policy')
    expect(message).toContain(words)
  })

  test.each<Policy>([
    defaultPolicy(),
    defaultPolicy({ recall: 'eager' }),
    defaultPolicy({ recall: 'off', epochs: false }),
    tiered(),
    firstAndRecent(),
    lastMessages(50),
    { ...tiered(), notes: {} },
    { ...tiered(), notes: { role: 'user' } },
    { ...tiered(), notes: { share: 0, role: 'system' } },
  ])('$name is not', (policy) => {
    expect(() => compile([user('hi')], { window: 100, policy })).not.toThrow()
  })
})

describe('other options are refused, too', () => {
  test.each<[string, unknown, string]>([
    ['no window', {}, 'invalid_window'],
    ['nothing at all', undefined, 'invalid_window'],
    ['a window as a text', { window: '4096' }, 'invalid_window'],
    ['a negative window', { window: -1 }, 'invalid_window'],
    ['a reserve that is not a number', { window: 10, reserve: Number.NaN }, 'invalid_reserve'],
    ['a function for a counter', { window: 10, counter: (text: string) => text.length }, 'counter_broken'],
    ['a counter without overhead', { window: 10, counter: { name: 'x', count: () => 1 } }, 'counter_broken'],
    ['a digester without a version', { window: 10, digesters: [{ id: 'w', digest: () => 'x' }] }, 'invalid_digester'],
    ['a digester without a function', { window: 10, digesters: [{ id: 'w@1' }] }, 'invalid_digester'],
  ])('%s', (_, options, code) => {
    expect(refusal(options).code).toBe(code)
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['an object', {}],
    ['a text', 'hi'],
    ['a promise', Promise.resolve([])],
  ])('%s instead of messages', (_, messages) => {
    expect(() => compile(messages as [], { window: 100 })).toThrow(
      expect.objectContaining({ code: 'invalid_messages' }),
    )
  })

  test('a message that cannot be read is named by its place', () => {
    const messages = [user('one'), { role: 'assistant', content: 'two' }, { role: 'user', content: 3 }]
    expect(() => compile(messages, { window: 100 })).toThrow(
      expect.objectContaining({
        code: 'malformed_message',
        message: expect.stringContaining('message 2'),
        details: expect.objectContaining({ index: 2 }),
      }),
    )
  })
})
