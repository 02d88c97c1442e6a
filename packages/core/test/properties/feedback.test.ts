import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  defaultPolicy,
  lastMessages,
  memoryStore,
  openBook,
  tiered,
  type Entry,
  type ModelRequest,
  type Thread,
} from 'minutebook'
import { words } from '@minutebook/testing'
import { cases, withSure } from '../../../../tests/support/runs.ts'
import { moodyModel, moodyTools, type Mood } from '../support/moody-model.ts'
import { times } from '../support/times.ts'

type Event =
  | { readonly do: 'send'; readonly length: number }
  | { readonly do: 'rate'; readonly pick: number; readonly rating: 'up' | 'down' | undefined; readonly by: string }
  | { readonly do: 'pin'; readonly pick: number }
  | { readonly do: 'reopen' | 'retry' | 'edit' }

const events: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('send' as const), length: fc.constantFrom(2, 9, 40) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('rate' as const),
      pick: fc.nat(40),
      rating: fc.constantFrom('up' as const, 'down' as const, undefined),
      by: fc.constantFrom('ann', 'bob'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pin' as const), pick: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('reopen' as const, 'retry' as const, 'edit' as const) }) },
)

const canary = 'canaryfeedback'

function promptsOf(requests: readonly ModelRequest[]): unknown[] {
  return requests.map(({ messages, tools, window }) => ({ messages, tools, window }))
}

test('feedback is in no prompt, and changes none', async () => {
  const seen = { rated: 0, compared: 0 }
  const drawn = [
    fc.constantFrom(defaultPolicy(), defaultPolicy({ recall: 'eager' }), tiered({ verbatim: 1 }), lastMessages(3)),
    fc.constantFrom(160, 330, 600),
    fc.array(fc.constantFrom<Mood>('answer', 'answer', 'one', 'two'), { minLength: 1, maxLength: 8 }),
    fc.array(events, { minLength: 6, maxLength: 25, size: 'max' }),
  ] as const
  await fc.assert(
    fc.asyncProperty(...drawn, async (policy, window, moods, script) => {
      /** One that is rated and one that is not live through the same. */
      const live = (): { readonly requests: readonly ModelRequest[]; play(event: Event): Promise<void> } => {
        let [called, sent] = [0, 0]
        const store = memoryStore()
        const model = Object.assign(
          moodyModel(() => moods[called++ % moods.length]!),
          { model: 'moody' },
        )
        const reopen = (): Thread =>
          openBook({
            store,
            model,
            window,
            policy,
            counter: words,
            steps: 3,
            checkpointEvery: 2,
            tools: moodyTools(() => `Found ${times(6, 'things')}`),
          }).thread('t')
        let thread = reopen()
        const spoken = async (): Promise<readonly Entry[]> =>
          (await thread.entries()).filter(({ kind }) => /user|assistant|tool/.test(kind))
        const picked = async (pick: number): Promise<string | undefined> => {
          const entries = await spoken()
          return entries[pick % Math.max(1, entries.length)]?.id
        }
        return {
          requests: model.requests,
          play: async (event) => {
            if (event.do === 'reopen') thread = reopen()
            if (event.do === 'send') await thread.send(`asked${++sent}. ${times(event.length)}`).done
            if (event.do === 'retry') await thread.retry().done
            if (event.do === 'edit') {
              const asked = (await spoken()).findLast(({ kind }) => kind === 'user')
              if (asked) await thread.edit(asked.id, `edited${++sent}.`).done
            }
            if (event.do === 'pin') {
              const id = await picked(event.pick)
              if (id !== undefined) await thread.pin(id)
            }
            if (event.do === 'rate') {
              const id = await picked(event.pick)
              const said = { rating: event.rating, comment: event.rating && canary, tags: event.rating && [canary] }
              if (id !== undefined && (await thread.rate(id, { ...said, by: event.by }))) seen.rated++
            }
            const { messages } = await thread.dump().catch(() => ({ messages: [] }))
            expect(JSON.stringify(messages)).not.toContain(canary)
            expect(JSON.stringify(await thread.messages())).not.toContain(canary)
          },
        }
      }
      const [rated, plain] = [live(), live()]
      for (const event of script) {
        await rated.play(event)
        if (event.do !== 'rate') await plain.play(event)
        expect(promptsOf(rated.requests)).toEqual(promptsOf(plain.requests))
      }
      seen.compared += plain.requests.length
    }),
    withSure(20, cases('long'), drawn),
  )
  expect(Math.min(seen.rated, seen.compared)).toBeGreaterThan(20)
})
