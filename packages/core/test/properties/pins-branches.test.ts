import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  defaultPolicy,
  memoryStore,
  MinutebookError,
  openBook,
  tiered,
  type Entry,
  type ModelRequest,
  type Policy,
  type Thread,
  type Turn,
} from 'minutebook'
import { words } from '@minutebook/testing'
import { cases, withSure } from '../../../../tests/support/runs.ts'
import { pinnedIn } from '../../src/log/pins.ts'
import { moodyModel, moodyTools, type Mood } from '../support/moody-model.ts'
import { times } from '../support/times.ts'

interface Event {
  readonly do: 'send' | 'edit' | 'leave' | 'pin' | 'unpin' | 'fork' | 'forkAt' | 'switch' | 'reopen'
  readonly pick: number
}

const event = (weight: number, ...what: readonly Event['do'][]): fc.WeightedArbitrary<Event> => ({
  weight,
  arbitrary: fc.record({ do: fc.constantFrom(...what), pick: fc.nat(60) }),
})
const events = fc.oneof(
  event(6, 'send'),
  event(4, 'edit', 'leave'),
  event(5, 'pin'),
  event(1, 'unpin', 'reopen'),
  event(2, 'fork', 'forkAt', 'switch'),
)

const policies: readonly Policy[] = [
  defaultPolicy(),
  defaultPolicy({ recall: 'off', epochs: false }),
  { ...defaultPolicy(), pins: { share: 0 } },
  tiered({ verbatim: 1 }),
]

/** The first word of what was said, which even the smallest clip keeps. */
const signOf = ({ text }: Entry): string => text.split(' ')[0]!

test('on every branch and in every fork that has it, a pinned entry is in every later prompt, or the error names it', async () => {
  /** Prompts that had to have a pinned entry: on the first branch, on another one, in a fork; and errors that name one. */
  const seen = { first: 0, branch: 0, fork: 0, named: 0 }
  const drawn = [
    fc.constantFrom(...policies),
    fc.constantFrom(110, 160, 400),
    fc.array(fc.constantFrom<Mood>('answer', 'answer', 'one', 'two'), { minLength: 1, maxLength: 6 }),
    fc.array(events, { minLength: 8, maxLength: 25, size: 'max' }),
  ] as const
  await fc.assert(
    fc.asyncProperty(...drawn, async (policy, window, moods, script) => {
      let [called, sent, ran, forks] = [0, 0, 0, 0]
      const store = memoryStore()
      /** What is pinned, told by what was done: for each thread the ids. */
      const pins = new Map<string, Set<string>>([['t', new Set()]])
      let name = 't'
      let expected: readonly Entry[] = []
      const missing: string[] = []
      let place: 'first' | 'branch' | 'fork' = 'first'
      const moody = moodyModel(() => moods[called++ % moods.length]!)
      const model = Object.assign(
        (request: ModelRequest) => {
          const prompt = JSON.stringify(request.messages)
          // Thrown here it would be a failure of the model.
          missing.push(...expected.filter((entry) => !prompt.includes(signOf(entry))).map(({ text }) => text))
          if (expected.length > 0) seen[place]++
          return moody(request)
        },
        { model: 'moody' },
      )
      const open = (): Thread =>
        openBook({
          store,
          model,
          window,
          policy,
          counter: words,
          steps: 3,
          checkpointEvery: 3,
          tools: moodyTools(() => `result${++ran}. ${times(9, 'found')}`),
        }).thread(name)
      let thread = open()
      const all = async (): Promise<readonly Entry[]> => store.read(name)
      /** Where a turn can go on: after a whole answer. */
      const ends = async (): Promise<readonly Entry[]> =>
        (await all()).filter(
          ({ kind, calls, status }) => kind === 'assistant' && calls.length === 0 && status === 'complete',
        )
      /** Runs a turn after an entry, whose branch says what each of its prompts must have. */
      const run = async (after: string | undefined, begin: (text: string) => Turn): Promise<void> => {
        const branch = after === undefined ? await thread.entries() : await thread.entries({ head: after })
        expected = branch.filter(({ id }) => pins.get(name)!.has(id))
        const newest = new Set((await thread.entries()).map(({ id }) => id))
        place = name !== 't' ? 'fork' : (await all()).every(({ id }) => newest.has(id)) ? 'first' : 'branch'
        const { error } = await begin(`asked${++sent}. ${times(9 + (sent % 3) * 14)}`).done
        expect(missing).toEqual([])
        if (!MinutebookError.isInstance(error) || error.code !== 'window_overflow') return
        const { items } = error.details as { readonly items: readonly { readonly pinned?: true }[] }
        if (!items.some((item) => item.pinned)) return
        seen.named++
        expect(error.message).toContain('pinned ')
        expect(error.fix).toContain('unpin')
      }
      const pick = <T>(from: readonly T[], by: number): T | undefined => from[by % Math.max(1, from.length)]
      const step = async ({ do: what, pick: by }: Event): Promise<void> => {
        const spoken = (await all()).filter(
          ({ kind, status }) => /^(?:user|assistant|tool)$/.test(kind) && status === 'complete',
        )
        switch (what) {
          case 'send':
            return run(undefined, (text) => thread.send(text))
          case 'leave': {
            const end = pick(await ends(), by)
            return end && run(end.id, (text) => thread.send(text, { after: end.id }))
          }
          case 'edit': {
            const question = pick(
              spoken.filter(({ kind, parent }) => kind === 'user' && parent !== null),
              by,
            )
            return question && run(question.parent!, (text) => thread.edit(question.id, text))
          }
          case 'pin':
          case 'unpin': {
            const entry = pick(
              spoken.filter(({ text }) => text !== ''),
              by,
            )
            if (!entry) return
            const isPinned = pins.get(name)!.has(entry.id)
            expect(await thread[what](entry.id)).toBe(isPinned === (what === 'unpin'))
            pins.get(name)![what === 'pin' ? 'add' : 'delete'](entry.id)
            return
          }
          case 'fork':
          case 'forkAt': {
            const at = what === 'fork' ? undefined : pick(await ends(), by)?.id
            const as = `f${++forks}`
            await thread.fork({ as, ...(at !== undefined && { at }) })
            const copied = new Set((await store.read(as)).map(({ id }) => id))
            pins.set(as, new Set([...pins.get(name)!].filter((id) => copied.has(id))))
            name = as
            break
          }
          case 'switch':
            name = pick([...pins.keys()], by)!
        }
        thread = open()
      }
      for (const each of script) {
        await step(each)
        const log = await all()
        expect([...pinnedIn(log)].toSorted()).toEqual([...pins.get(name)!].toSorted())
      }
      // Each branch of each thread goes on once more.
      for (name of pins.keys()) {
        thread = open()
        for (const { id } of (await ends()).slice(-2)) await run(id, (text) => thread.send(text, { after: id }))
        expect(await thread.verify()).toMatchObject({ ok: true, problems: [] })
      }
    }),
    withSure(16, cases('pins'), drawn),
  )
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5)
})
