import { describe, expect, test } from 'vitest'
import { assistant, call, user, words } from '@minutebook/testing'
import { createReuseMeter } from '../../src/tokens/prediction.ts'

describe('how much of a prompt was there before', () => {
  test.each<[string, ReturnType<typeof user>[], ReturnType<typeof user>[], number]>([
    ['nothing of the first', [user('one two')], [], 0],
    [
      'all that it begins with',
      [user('one two'), assistant('three'), user('four')],
      [user('one two'), assistant('three')],
      3,
    ],
    [
      'up to the first difference',
      [user('one two'), assistant('x'), user('four')],
      [user('one two'), assistant('y'), user('four')],
      2,
    ],
    ['nothing after another beginning', [user('x'), user('one two')], [user('one two')], 0],
    ['not more than there is', [user('one two')], [user('one two'), assistant('three')], 2],
    [
      'its calls, too',
      [assistant('one', call('a', 'two', { n: 1 }))],
      [assistant('one', call('a', 'two', { n: 1 }))],
      3,
    ],
  ])('%s', (_, prompt, before, tokens) => {
    expect(createReuseMeter(words)(prompt, before)).toBe(tokens)
  })

  test('a message is counted once', () => {
    let counted = 0
    const meter = createReuseMeter({ ...words, count: (text) => (counted++, words.count(text)) })
    const said = [user('one two'), user('three')]
    meter(said, said)
    const { length } = said
    const before = counted
    expect(meter([...said], said)).toBe(3)
    expect([counted - before, length]).toEqual([0, 2])
  })
})
