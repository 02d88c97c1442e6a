import fc from 'fast-check'
import { compile, defaultPolicy, firstAndRecent, lastMessages, tiered, type Message, type Profile } from 'minutebook'
import { createFold, advance, type Fold, entriesOf } from 'minutebook/fold'
import { inspect, type Inspection } from '@minutebook/inspect'
import { withShares } from 'minutebook/inspect'
import { assistant, call, result, system, user, words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'

function drawn(
  messages: readonly Message[],
  options: Parameters<typeof createFold>[0],
): { readonly inspected: Inspection; readonly messages: readonly Message[]; readonly fold: Fold } {
  const fold = messages.reduce<Fold>(advance, createFold(options))
  const compiled = compile(fold)
  return {
    inspected: inspect({ ...compiled, tools: [], entries: entriesOf(fold), unchanged: false }, words),
    messages: compiled.messages,
    fold,
  }
}

const exchange = fc
  .tuple(fc.nat(30), fc.boolean())
  .map(([length, tools]) => [
    user(`question ${'word '.repeat(length)}`),
    ...(tools ? [assistant('', call('1', 'look', { at: 'it' })), result('1', `seen ${'it '.repeat(length)}`)] : []),
    assistant(`answer ${'word '.repeat(length)}`),
  ])
const log = fc
  .tuple(fc.array(exchange, { minLength: 1, maxLength: 12 }), fc.nat(20))
  .map(([exchanges, length]) => [system('Be brief.'), ...exchanges.flat(), user(`and now ${'word '.repeat(length)}?`)])
const policy = fc.constantFrom(
  defaultPolicy(),
  tiered({ verbatim: 1 }),
  lastMessages(4),
  firstAndRecent(),
  withShares(defaultPolicy(), { recall: 0.6, outline: 0.3 }),
)
const profile = fc.constantFrom<Profile>({}, { systemFirstOnly: true }, { mustAlternate: true }, { noTools: true })

describe('an inspection', () => {
  test('tells every entry once, fills the window, and its pieces are what the messages say', () => {
    fc.assert(
      fc.property(log, policy, profile, fc.integer({ min: 260, max: 900 }), (messages, chosen, flags, window) => {
        const {
          inspected,
          messages: sent,
          fold,
        } = drawn(messages, { window, counter: words, policy: { ...chosen, overflow: 'keep' }, profile: flags })
        expect(inspected.entries.map(({ id }) => id)).toEqual(entriesOf(fold).map(({ id }) => id))
        const plan = compile(fold).plan
        expect(inspected.shares.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(Math.max(plan.window, plan.tokens))
        for (const [index, { pieces }] of inspected.messages.entries())
          expect(pieces.map(({ text }) => text).join('\n\n')).toBe(sent[index]!.content ?? '')
      }),
    )
  })

  test('says of what is sent where it stands, whatever the profile', () => {
    fc.assert(
      fc.property(log, profile, fc.integer({ min: 260, max: 900 }), (messages, flags, window) => {
        const { inspected } = drawn(messages, {
          window,
          counter: words,
          policy: defaultPolicy({ overflow: 'keep' }),
          profile: flags,
        })
        const held = new Set(inspected.messages.flatMap(({ pieces }) => pieces.flatMap(({ entries }) => entries)))
        for (const { id, kind, verdict } of inspected.entries) {
          // A call without words has no stretch of its own where neighbours are joined.
          if (verdict === 'recalled' || (verdict === 'verbatim' && kind !== 'assistant'))
            expect(held.has(id)).toBe(true)
          if (verdict === 'omitted' || verdict === 'outlined' || verdict === 'digested')
            expect(held.has(id)).toBe(false)
        }
      }),
    )
  })
})
