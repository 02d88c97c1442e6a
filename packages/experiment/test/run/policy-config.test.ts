import { defaultPolicy, firstAndRecent, lastMessages, tiered, type Policy } from 'minutebook'
import { withShares } from 'minutebook/inspect'
import { expect, test } from 'vitest'
import { policyOf, type PolicyConfig } from '../../src/run/policy-config.ts'

test.each<[PolicyConfig, Policy]>([
  [{ preset: 'default' }, defaultPolicy()],
  [
    { preset: 'default', recall: 'off', epochs: false, overflow: 'keep' },
    defaultPolicy({ recall: 'off', epochs: false, overflow: 'keep' }),
  ],
  [{ preset: 'lastMessages', messages: 7 }, lastMessages(7)],
  [{ preset: 'tiered' }, tiered()],
  [{ preset: 'tiered', verbatim: 5 }, tiered({ verbatim: 5 })],
  [{ preset: 'tiered', verbatim: 1, line: 96, share: 0.4 }, tiered({ verbatim: 1, line: 96, share: 0.4 })],
  [
    { preset: 'tiered', digesters: [{ id: 'x@1', template: '{a}' }] },
    { ...tiered(), digesters: [{ id: 'x@1', template: '{a}' }] },
  ],
  [{ preset: 'tiered', notesRole: 'user' }, withShares(tiered(), { notesRole: 'user' })],
  [
    { preset: 'default', shares: { outline: 0.2, recall: 0 } },
    withShares(defaultPolicy(), { outline: 0.2, recall: 0 }),
  ],
  [{ preset: 'firstAndRecent', overflow: 'keep' }, firstAndRecent({ overflow: 'keep' })],
])('%j', (settings, policy) => {
  expect(policyOf(settings)).toEqual(policy)
})
