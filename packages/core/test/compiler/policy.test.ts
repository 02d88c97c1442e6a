import {
  compile,
  defaultPolicy,
  explain,
  firstAndRecent,
  lastMessages,
  tiered,
  type Message,
  type Policy,
} from 'minutebook'
import { assistant, call, result, system, user, words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { markerText } from '../../src/compiler/framing.ts'

const conversation: Message[] = [
  system('You are a lighthouse.'),
  ...Array.from({ length: 20 }, (_, index) => [
    user(`question ${index} about the storm`),
    assistant('', call('1', 'look')),
    result('1', 'grey sea '.repeat(10)),
    assistant(`answer ${index}`),
  ]).flat(),
  user('was there a storm in question 3?'),
]

const policies: [string, Policy][] = [
  ['the default', defaultPolicy()],
  ['eager recall', defaultPolicy({ recall: 'eager' })],
  ['no recall, no epochs', defaultPolicy({ recall: 'off', epochs: false, overflow: 'keep' })],
  ['lastMessages', lastMessages(6)],
  ['tiered', tiered({ verbatim: 3 })],
  ['firstAndRecent', firstAndRecent()],
]

describe('a policy is data', () => {
  test.each(policies)('%s: stored as JSON and read again, it gives the same prompt and plan', (_, policy) => {
    const stored = JSON.parse(JSON.stringify(policy)) as Policy
    expect(stored).toEqual(policy)
    const options = { window: 300, counter: words }
    const [before, after] = [policy, stored].map((each) => compile(conversation, { ...options, policy: each }))
    expect(JSON.stringify(after)).toBe(JSON.stringify(before))
    expect(before?.plan.spans.some(({ verdict }) => verdict !== 'verbatim')).toBe(true)
  })

  test('each has a name of its own, which a plan shows', () => {
    const names = policies.map(([, policy]) => policy.name)
    expect(new Set(names).size).toBe(names.length)
    for (const [, policy] of policies)
      expect(explain(compile(conversation, { window: 300, counter: words, policy }).plan)).toContain(
        `policy ${policy.name} ·`,
      )
  })

  test.each<[string, Policy, Message[], string]>([
    [
      'pins and marker text',
      { ...firstAndRecent(), marker: '(cut)' },
      [user('one'), assistant('two'), user('three'), assistant('four four four four'), user('five')],
      'one (cut) five',
    ],
    [
      'no pin, no marker',
      { ...firstAndRecent(), firstUser: null, marker: null },
      [user('one'), assistant('two'), user('three'), assistant('four four four four'), user('five')],
      'three four four four four five',
    ],
    [
      'a number in the marker',
      { ...firstAndRecent(), marker: '({messages} cut)' },
      [user('one'), assistant('two'), user('three'), assistant('four four four four'), user('five')],
      'one (3 messages cut) five',
    ],
  ])('its fields can be changed: %s', (_, policy, messages, expected) => {
    const { messages: sent } = compile(messages, { window: 6, reserve: 0, counter: words, policy })
    expect(sent.map(({ content }) => content).join(' ')).toBe(expected)
  })
})

test.each([
  ['[{messages} left out]', 1, '[1 message left out]'],
  ['[{messages} left out]', 12, '[12 messages left out]'],
  ['{messages}, yes, {messages}', 2, '2 messages, yes, 2 messages'],
  ['[cut]', 12, '[cut]'],
])('the marker %s for %i', (marker, messages, expected) => {
  expect(markerText(marker, messages)).toBe(expected)
})
