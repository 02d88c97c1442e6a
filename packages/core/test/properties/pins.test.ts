import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compile,
  defaultPolicy,
  dump,
  lastMessages,
  memoryStore,
  MinutebookError,
  openBook,
  tiered,
  type Entry,
  type Message,
  type ModelRequest,
  type Policy,
  type Thread,
} from 'minutebook'
import { verdicts } from 'minutebook/compile'
import { assistant, call, result, user, words } from '@minutebook/testing'
import { entriesOf, pinned } from '../../../../tests/support/entries.ts'
import { cases, withSure } from '../../../../tests/support/runs.ts'
import { pinnedIn, pinnedSteps } from '../../src/log/pins.ts'
import { moodyModel, moodyTools, type Mood } from '../support/moody-model.ts'
import { times } from '../support/times.ts'

type Event =
  | { readonly do: 'send'; readonly length: number }
  | { readonly do: 'pin' | 'unpin' | 'erase'; readonly pick: number }
  | { readonly do: 'reopen' | 'retry' }

const events: fc.Arbitrary<Event> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('send' as const), length: fc.constantFrom(2, 9, 40, 150) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pin' as const), pick: fc.nat(40) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('unpin' as const, 'erase' as const), pick: fc.nat(40) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('reopen' as const, 'retry' as const) }) },
)

const policies: readonly Policy[] = [
  defaultPolicy(),
  defaultPolicy({ recall: 'off', epochs: false }),
  defaultPolicy({ recall: 'eager' }),
  { ...defaultPolicy(), pins: { share: 0 } },
  tiered({ verbatim: 1 }),
  lastMessages(3),
]

/** The first word of what an entry said, which even the smallest clip keeps; or its first call. */
function signOf({ text, calls }: Entry): string {
  return text.split(' ')[0] || String(calls[0]?.name ?? '')
}

test('whatever is pinned is in every later prompt, whole or clipped, or the error names it', async () => {
  const seen = { whole: 0, clipped: 0, named: 0 }
  const drawn = [
    fc.constantFrom(...policies),
    fc.constantFrom(160, 220, 330, 600),
    fc.array(fc.constantFrom<Mood>('answer', 'answer', 'one', 'two', 'nameless'), { minLength: 1, maxLength: 8 }),
    fc.array(events, { minLength: 6, maxLength: 25, size: 'max' }),
  ] as const
  await fc.assert(
    fc.asyncProperty(...drawn, async (policy, window, moods, script) => {
      let [called, sent, ran] = [0, 0, 0]
      const store = memoryStore()
      let thread: Thread
      let pinnedNow: ReadonlySet<string> = new Set()
      const moody = moodyModel(() => moods[called++ % moods.length]!)
      const model = Object.assign(
        (request: ModelRequest) => {
          // Thrown here it would be a failure of the model.
          missing.push(...absent(request.messages))
          return moody(request)
        },
        { model: 'moody' },
      )
      let expected: readonly Entry[] = []
      const missing: string[] = []
      const absent = (messages: readonly Message[]): readonly string[] => {
        const all = JSON.stringify(messages)
        return expected.map(signOf).filter((sign) => !all.includes(sign))
      }
      const reopen = (): void => {
        thread = openBook({
          store,
          model,
          window,
          policy,
          counter: words,
          steps: 3,
          checkpointEvery: 2,
          tools: moodyTools(() => `result${++ran}. ${times(ran % 2 ? 6 : 60, 'found')}`),
        }).thread('t')
      }
      /** The branch that the next turn continues, and what is pinned on it. */
      const note = async (): Promise<void> => {
        const branch = await thread.entries()
        pinnedNow = pinnedSteps(branch)
        expected = branch.filter(({ id }) => pinnedNow.has(id))
      }
      const spoken = async (): Promise<readonly Entry[]> =>
        (await thread.entries()).filter(({ kind, status }) => /user|assistant|tool/.test(kind) && status !== 'erased')
      reopen()
      for (const event of script) {
        const entries = await spoken()
        const picked = 'pick' in event ? entries[event.pick % Math.max(1, entries.length)] : undefined
        switch (event.do) {
          case 'send':
          case 'retry': {
            await note()
            // What is said again replaces the answer, pinned or not.
            if (event.do === 'retry') {
              const branch = await thread!.entries()
              const asked = new Set(branch.slice(0, branch.findLastIndex(({ kind }) => kind === 'user') + 1))
              expected = branch.filter((entry) => pinnedNow.has(entry.id) && asked.has(entry))
            }
            const turn = event.do === 'send' ? thread!.send(`asked${++sent}. ${times(event.length)}`) : thread!.retry()
            const { error } = await turn.done
            expect(missing).toEqual([])
            if (MinutebookError.isInstance(error) && error.code === 'window_overflow') {
              const { items } = error.details as { items: readonly { index: number; pinned?: true }[] }
              if (items.some((item) => item.pinned)) {
                seen.named++
                expect(error.message).toContain('pinned ')
                expect(error.fix).toContain('unpin')
              }
            }
            break
          }
          case 'pin':
            if (picked) {
              const was = pinnedIn(await thread!.entries()).has(picked.id)
              expect(await thread!.pin(picked.id)).toBe(!was)
              expect(await thread!.pin(picked.id)).toBe(false)
            }
            break
          case 'unpin':
            if (picked) await thread!.unpin(picked.id)
            break
          case 'erase':
            if (picked && event.pick % 3 === 0) {
              await thread!.erase([picked.id])
              expect(pinnedIn(await thread!.entries())).not.toContain(picked.id)
            }
            break
          case 'reopen':
            reopen()
        }
        if (event.do === 'send') continue
        await note()
        const next = await thread!.dump().catch((error: unknown) => error)
        if (MinutebookError.isInstance(next)) continue
        const { plan, messages } = next as Awaited<ReturnType<Thread['dump']>>
        expect(absent(messages)).toEqual([])
        const folded = (await thread!.entries()).filter(
          ({ kind, status }) => /system|user|assistant|tool|note|journal/.test(kind) && status !== 'erased',
        )
        for (const { index, verdict } of verdicts(plan, folded)) {
          if (!pinnedNow.has(folded[index]!.id)) continue
          expect(['verbatim', 'clipped']).toContain(verdict)
          seen[verdict === 'clipped' ? 'clipped' : 'whole']++
        }
      }
      expect(await thread!.verify()).toMatchObject({ ok: true, problems: [] })
    }),
    withSure(25, cases('pins'), drawn),
  )
  expect(Math.min(seen.whole, seen.clipped, seen.named)).toBeGreaterThan(5)
})

describe('a pinned entry', () => {
  const talk = (turns: number): Message[] =>
    Array.from({ length: turns }, (_, turn) => [user(`q${turn} ${times(5)}`), assistant(`a${turn} ${times(9)}`)]).flat()
  const options = { window: 300, policy: defaultPolicy({ recall: 'eager' }), counter: words }
  const textOf = ({ messages }: { readonly messages: readonly Message[] }): string =>
    messages.map(({ content }) => String(content)).join('\n')

  test('is sent in its place while it is recent, and quoted once after that', () => {
    const said = [user('First?'), assistant('Yes.'), pinned(user('Lena sits in a wheelchair.')), assistant('I see.')]
    for (let turns = 0; turns < 40; turns++) {
      const prompt = compile(entriesOf(...said, ...talk(turns), user('Where does Lena sit?')), options)
      expect(textOf(prompt).split('Lena sits in a wheelchair.')).toHaveLength(2)
      expect(prompt.messages.filter(({ role }) => role === 'system').map(String)).not.toContain('wheelchair')
    }
    const prompt = compile(entriesOf(...said, ...talk(40), user('Where does Lena sit?')), options)
    expect(dump(prompt)).toContain('--- PINNED (user) ---')
    expect(textOf(prompt)).toContain('#2 user> Lena sits in a wheelchair.')
    expect(prompt.plan.spans).toContainEqual(
      expect.objectContaining({ from: 2, to: 3, verdict: 'verbatim', tier: 'pinned', reason: 'pinned' }),
    )
  })

  test('brings its whole step: the call with all its results', () => {
    const step = [
      assistant('Looking.', call('x', 'look', { page: 1 }), call('y', 'look', { page: 2 })),
      result('x', 'Page one.'),
      result('y', 'Page two.'),
    ]
    const log = [user('First?'), pinned(step[0]!), ...step.slice(1), assistant('Done.'), ...talk(40)]
    const quoted = textOf(compile(entriesOf(...log, user('And?')), options))
    expect(quoted).toContain(
      '#1 assistant> Looking.\n[The assistant called look with]\n> {"page":1}\n[The assistant called look with]\n> {"page":2}\n#2 tool> Page one.\n#3 tool> Page two.\n[End of pinned messages]',
    )
  })

  // Found by the properties of compile: only one entry of the step is pinned, and another one matches the question.
  test.each([
    ['its call', [assistant('Looking at page one.', call('x', 'look', {})), pinned(result('x', 'Page two.'))]],
    [
      'another result',
      [
        assistant('', call('x', 'look', {}), call('y', 'look', {})),
        result('x', 'Page one.'),
        pinned(result('y', 'Page two.')),
      ],
    ],
  ])('is not recalled once more with %s', (_, step) => {
    const log = entriesOf(user('First?'), ...step, assistant('Done.'), ...talk(40), user('What is on page one?'))
    const prompt = compile(log, options)
    expect([...verdicts(prompt.plan, log)].map(({ index }) => index)).toEqual([...log.keys()])
    expect(textOf(prompt).split('Page two.')).toHaveLength(2)
  })

  test('that is the first question is sent once, as the policy sends it', () => {
    const prompt = compile(entriesOf(pinned(user('First of all.')), ...talk(40), user('And?')), options)
    expect(textOf(prompt).split('First of all.')).toHaveLength(2)
    expect(prompt.plan.spans[0]).toMatchObject({ reason: 'first user message, pinned' })
    const capped = compile(entriesOf(pinned(user('First of all.')), ...talk(40), user('And?')), {
      ...options,
      policy: lastMessages(4),
    })
    expect(textOf(capped)).toContain('#0 user> First of all.')
  })

  test('that costs more than its share is clipped to it, and says so', () => {
    const log = entriesOf(user('First?'), pinned(assistant(`Long. ${times(500)}`)), ...talk(40), user('And?'))
    const prompt = compile(log, options)
    const [part] = prompt.plan.parts.filter(({ shape }) => shape === 'pins')
    expect(part!.tokens).toBeLessThanOrEqual(Math.floor((300 - 37) / 4))
    expect(prompt.plan.spans).toContainEqual(
      expect.objectContaining({ from: 1, verdict: 'clipped', reason: 'pinned, clipped to fit' }),
    )
  })

  test('that has an image says that the image is not quoted', () => {
    const image = { role: 'user', content: 'See.', images: ['aGk='] }
    const prompt = compile(entriesOf(user('First?'), pinned(image), ...talk(40), user('And?')), options)
    expect(prompt.plan.spans).toContainEqual(
      expect.objectContaining({ from: 1, verdict: 'clipped', reason: 'pinned, quoted without what is attached' }),
    )
  })

  test('is named by the error if even its smallest clip does not fit', () => {
    const pins = Array.from({ length: 12 }, (_, index) => pinned(user(`p${index} ${times(50)}`)))
    const error = (() => {
      try {
        return compile(entriesOf(user('First?'), ...pins, ...talk(40), user('And?')), { ...options, window: 200 })
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toMatchObject({
      code: 'window_overflow',
      message: expect.stringContaining('pinned user #'),
      fix: expect.stringContaining('unpin messages'),
    })
  })
})
