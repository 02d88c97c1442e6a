import { compile, defaultPolicy, tiered, type Policy } from 'minutebook'
import { withShares } from 'minutebook/inspect'
import type { PolicyChanges } from 'minutebook/inspect'
import { assistant, user, words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { checkPolicy } from '../../src/compiler/policy.ts'
import { entriesOf, note } from '../../../../tests/support/entries.ts'

const gated = defaultPolicy().recall!

describe('a policy with other shares', () => {
  test.each<[string, Policy, PolicyChanges, Partial<Policy>]>([
    ['is the same without any', tiered(), {}, tiered()],
    [
      'outlines more',
      defaultPolicy(),
      { outline: 0.25 },
      { outline: { share: 0.25, line: 64 }, name: 'default (recall gated), outline 25%' },
    ],
    ['outlines nothing', defaultPolicy(), { outline: 0 }, { outline: null }],
    [
      'outlines where it did not',
      { ...tiered(), outline: null },
      { outline: 0.5 },
      { outline: { share: 0.5, line: 64 } },
    ],
    ['recalls nothing', defaultPolicy(), { recall: 0 }, { recall: null }],
    [
      'recalls more, in a block that holds it',
      defaultPolicy(),
      { recall: 0.5 },
      { recall: { ...gated, reserve: 0.5, largest: 0.5 } },
    ],
    ['recalls where it did not', tiered(), { recall: 0.1 }, { recall: { ...gated, reserve: 0.1 } }],
    ['folds fewer notes', defaultPolicy(), { notes: 0.05 }, { notes: { share: 0.05 } }],
    [
      'puts notes under the user role',
      defaultPolicy(),
      { notesRole: 'user' },
      { notes: { role: 'user' }, name: 'default (recall gated), notes as user' },
    ],
    [
      'keeps what it had of notes',
      { ...defaultPolicy(), notes: { role: 'user' } },
      { notes: 0.05 },
      { notes: { share: 0.05, role: 'user' } },
    ],
  ])('%s', (_, policy, shares, expected) => {
    expect(withShares(policy, shares)).toMatchObject(expected)
    expect(() => checkPolicy(withShares(policy, shares))).not.toThrow()
  })

  test('folds no notes where they may take nothing', () => {
    const log = entriesOf(
      ...Array.from({ length: 60 }, (_, index) => [
        user(`question ${index} ${'word '.repeat(10)}`),
        assistant(`answer ${index}`),
        note(`noted ${index}`),
      ]).flat(),
      user('and now?'),
    )
    const folded = (policy: Policy): number =>
      compile(log, { window: 500, counter: words, policy }).plan.parts.filter(({ tier }) => tier === 'notes').length
    expect([folded(defaultPolicy()), folded(withShares(defaultPolicy(), { notes: 0 }))]).toEqual([1, 0])
  })
})
