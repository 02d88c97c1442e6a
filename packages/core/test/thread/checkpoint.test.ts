import fc from 'fast-check'
import {
  defaultPolicy,
  defineState,
  defineTool,
  lastMessages,
  memoryStore,
  openBook,
  tiered,
  type Entry,
  type Message,
  type Model,
  type Policy,
  type Store,
  type ThreadOptions,
  type Tool,
  type TurnResult,
} from 'minutebook'
import { entryOf } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sha256 } from '#sha256'
import { lineOf } from '../../src/log/stored-entry.ts'
import { assistant, call, result, user, words } from '@minutebook/testing'
import { readers } from '../support/everything.ts'
import type { Mood } from '../support/moody-model.ts'
import { cases, withSure } from '../../../../tests/support/runs.ts'
import { tick } from '../../../../tests/support/tick.ts'
import { createTwin, offline, type Event, type Opening } from '../support/twin.ts'

const openings: fc.Arbitrary<Opening> = fc.record({
  window: fc.constantFrom(230, 300, 420),
  system: fc.constantFrom(undefined, 'Be brief.', 'Be kind.'),
  policy: fc.constantFrom(...offline, tiered({ verbatim: 1 }), lastMessages(6), defaultPolicy()),
})

const moods: readonly Mood[] = [
  'answer',
  'answer',
  'answer',
  'again',
  'note',
  'note',
  'one',
  'two',
  'empty',
  'fails',
  'failsLate',
  'length',
  'noteOnly',
]
const place = fc.oneof(
  { weight: 7, arbitrary: fc.constant('head' as const) },
  { weight: 3, arbitrary: fc.nat(8) },
  { weight: 1, arbitrary: fc.nat(60) },
  { weight: 1, arbitrary: fc.constant('root' as const) },
)
const from = fc.constantFrom<readonly Message[]>(
  [user('Earlier?'), assistant('Indeed.')],
  [user('Adopted?')],
  [assistant(null, call('x', 'once', { number: 0 }))],
  [
    user('Two?'),
    assistant(null, call('x', 'once', { number: 0 }), call('y', 'once', { number: 0 })),
    result('x', 'forged'),
  ],
  [{ role: 'system', content: 'Obey.' }],
)

const events: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      common: fc.constant(false),
      key: fc.constant(undefined),
      after: fc.constant('head' as const),
      cancelAt: fc.constant(undefined),
      own: fc.constant(false),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      common: fc.boolean(),
      key: fc.option(fc.nat(4), { nil: undefined }),
      after: place,
      cancelAt: fc.option(fc.nat(3), { nil: undefined, freq: 3 }),
      own: fc.constant(false),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      common: fc.constant(false),
      key: fc.constant(undefined),
      after: fc.constant('head' as const),
      cancelAt: fc.constant(undefined),
      own: fc.constant(true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('history' as const), drop: fc.nat(3), trusted: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('queue' as const), taken: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('retry' as const, 'retry' as const, 'resume' as const, 'look' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const), pick: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), pick: fc.nat(60) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pin' as const), pick: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unpin' as const), pick: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('import' as const), messages: from, trusted: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('left' as const), key: fc.nat(4), after: fc.nat(30) }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('restart' as const),
      opening: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(1)),
    }),
  },
)

test('whatever happens to a thread, it makes no difference but to what is read whether its log is read from a checkpoint on', async () => {
  let parts = 0
  let pasts = 0
  const drawn = [
    fc.array(openings, { minLength: 1, maxLength: 2 }),
    fc.array(fc.constantFrom(...moods), { minLength: 1, maxLength: 12, size: 'max' }),
    fc.array(events, { minLength: 8, maxLength: 40, size: 'max' }),
  ] as const
  await fc.assert(
    fc.asyncProperty(...drawn, async (ways, moods, script) => {
      const [plain, each, some] = [
        createTwin(ways, moods, Infinity),
        createTwin(ways, moods, 1),
        createTwin(ways, moods, 9),
      ]
      for (const event of script) {
        const outcomes: unknown[] = []
        for (const twin of [plain, each, some]) outcomes.push([await twin.apply(event), await linesOf(twin)])
        await tick()
        expect(outcomes[1]).toEqual(outcomes[0])
        expect(outcomes[2]).toEqual(outcomes[0])
      }
      const reader = openBook({ store: each.store, counter: words }).thread('t')
      expect(await reader.verify()).toMatchObject({ ok: true, problems: [] })
      parts += each.reads.parts
      await expectSameAfterImport(plain.store, ways)
      const { dumps } = await dumpsIn(plain.store)
      for (const { store } of [each, some]) {
        const known = await dumpsIn(store)
        expect(known.dumps).toEqual(dumps)
        pasts += known.pasts
      }
    }),
    withSure(5, cases('checkpoints'), drawn),
  )
  expect(parts).toBeGreaterThan(0)
  expect(pasts).toBeGreaterThan(20)
})

/** Whoever reads a log that was just imported makes the same prompt and writes the same, however large its parts are. */
async function expectSameAfterImport(from: Store, ways: readonly Opening[]): Promise<void> {
  const lines: string[] = []
  for await (const line of openBook({ store: from }).thread('t').export()) lines.push(line)
  for (const way of ways) {
    const outcomes: unknown[] = []
    for (const checkpointEvery of [Infinity, 1, 3]) {
      const store = memoryStore()
      const book = openBook({
        store,
        model: says('So.'),
        counter: words,
        clock: readers.clock,
        checkpointEvery,
        ...way,
      })
      if (lines.length > 0) await book.restore('t', lines)
      const dumped = await book
        .thread('t')
        .dump()
        .catch((error: unknown) => error)
      const { status } = await book.thread('t').send('And now?').done
      outcomes.push([JSON.stringify(dumped), status, (await store.read('t')).map(lineOf)])
    }
    expect(outcomes[1]).toEqual(outcomes[0])
    expect(outcomes[2]).toEqual(outcomes[0])
  }
}

/** The dumps of all calls, with the entries that they are about. `pasts`: how many were made from a checkpoint on. */
async function dumpsIn(behind: Store): Promise<{ readonly dumps: unknown[]; readonly pasts: number }> {
  let isWhole = false
  let pasts = 0
  const store: Store = {
    ...behind,
    read: async (thread, range) => {
      isWhole ||= range?.from === 0
      return behind.read(thread, range)
    },
  }
  const thread = openBook({ store, counter: words }).thread('t')
  const dumps: unknown[] = []
  for (const { kind, id } of await behind.read('t')) {
    if (kind !== 'receipt') continue
    isWhole = false
    const dump = await thread.dump({ receipt: id }).catch((error: unknown) => String(error))
    if (!isWhole) pasts++
    dumps.push(typeof dump === 'string' ? dump : { ...dump, entries: await dump.entries?.() })
  }
  return { dumps, pasts }
}

async function linesOf({ store }: ReturnType<typeof createTwin>): Promise<string[]> {
  return (await store.read('t')).map(lineOf)
}

/** A thread of so many entries, and how many are read of it from now on. */
async function longThread(
  length: number,
): Promise<{ readonly store: Store; readonly counts: { entries: number; characters: number } }> {
  const behind = memoryStore()
  const counts = { entries: 0, characters: 0 }
  const entries: Entry[] = []
  for (let seq = 0; seq < length; seq++)
    entries.push(entryOf(seq % 2 ? assistant(`answer ${seq}`) : user(`question ${seq}`), entries.at(-1)))
  await behind.append('t', entries)
  const store: Store = {
    ...behind,
    read: async (...given) => {
      const read = await behind.read(...given)
      counts.entries += read.length
      return read
    },
    snapshots: {
      ...behind.snapshots,
      load: async (...given) => {
        const loaded = await behind.snapshots.load(...given)
        counts.characters += JSON.stringify(loaded ?? null).length
        return loaded
      },
    },
  }
  return { store, counts }
}

const says = (text: string): Model =>
  async function* () {
    yield { type: 'end', message: assistant(text), finish: 'stop' }
  }

describe('a long thread', () => {
  const options = { model: says('Yes.'), window: 300, counter: words, clock: readers.clock } as const
  const sent = async (store: Store, policy: Policy, text: string, more: ThreadOptions = {}): Promise<string> =>
    (
      await openBook({ store, ...options, policy, ...more })
        .thread('t')
        .send(text).done
    ).status

  test.each([
    ['with recall', defaultPolicy()],
    ['without recall', offline[0]!],
  ])('is read once; whoever comes after that reads its end, however long it is: %s', async (_, policy) => {
    const most: number[] = []
    for (const length of [500, 5000]) {
      const { store, counts } = await longThread(length)
      expect(await sent(store, policy, 'first')).toBe('complete')
      const read: number[] = []
      for (let turn = 0; turn < 40; turn++) {
        const before = counts.entries
        expect(await sent(store, policy, `turn ${turn}`)).toBe('complete')
        read.push(counts.entries - before)
      }
      expect(Math.max(...read)).toBeLessThan(200)
      most.push(counts.characters)
      expect(await openBook({ store, counter: words }).thread('t').verify()).toMatchObject({
        ok: true,
        underivable: 0,
        prompts: 41,
      })
    }
    expect(most[1]).toBeLessThan(1.5 * most[0]!)
  })

  test.each<[string, Policy, ThreadOptions]>([
    ['without recall', offline[0]!, { checkpointEvery: Infinity }],
    ['with recall', defaultPolicy(), { checkpointEvery: Infinity }],
  ])('is read whole each time if no checkpoints are wished: %s', async (_, policy, more) => {
    const { store, counts } = await longThread(600)
    for (let turn = 0; turn < 3; turn++) expect(await sent(store, policy, `turn ${turn}`, more)).toBe('complete')
    expect(counts.entries).toBeGreaterThan(1800)
    expect(await store.snapshots.load('t', 'fold')).toBeUndefined()
  })

  test('is read from its end also where tools are run; a tool that asks is told everything up to its call', async () => {
    const { store, counts } = await longThread(600)
    const told: unknown[] = []
    const set = defineState({ name: 'set', tools: { set: { schema: z.object({ number: z.number() }) } } })
    const tools: Tool[] = [
      defineTool({ name: 'set', parameters: {}, run: (number) => number }),
      defineTool({
        name: 'look',
        parameters: {},
        run: async (_, { entries, state }) => told.push((await entries()).length, await state(set)),
      }),
    ]
    const turn = async (...calls: readonly ReturnType<typeof call>[]): Promise<number> => {
      const before = counts.entries
      const model: Model = async function* ({ messages }) {
        yield {
          type: 'end',
          message: messages.at(-1)?.role === 'tool' ? assistant('Done.') : assistant(null, ...calls),
          finish: 'stop',
        }
      }
      expect(await sent(store, offline[0]!, 'tool, please', { tools, model })).toBe('complete')
      return counts.entries - before
    }
    await turn(call('a', 'set', { number: 0 }))
    expect(await turn(call('b', 'set', { number: 7 }))).toBeLessThan(100)
    const length = (await openBook({ store }).thread('t').entries()).length
    // What is set in the same breath is not set yet.
    expect(await turn(call('c', 'look', {}), call('d', 'set', { number: 9 }))).toBeGreaterThan(600)
    // The question, the calls and the receipt of the prompt that led to them have come.
    expect(told).toEqual([length + 3, { number: 7 }])
  })

  test('is read whole where another window, system text or an older place is wanted, and then goes on', async () => {
    const { store, counts } = await longThread(600)
    const [, , third] = await store.read('t', { to: 3 })
    await sent(store, offline[0]!, 'first')
    for (const more of [{ window: 320 }, { system: 'Be brief.' }]) {
      const before = counts.entries
      expect(await sent(store, offline[0]!, `with ${JSON.stringify(more)}`, more)).toBe('complete')
      expect(counts.entries - before).toBeGreaterThan(600)
    }
    const thread = openBook({ store, ...options, policy: offline[0]! }).thread('t')
    expect((await thread.send('again', { after: third!.parent }).done).status).toBe('complete')
    expect((await thread.visible()).map(({ text }) => text)).toEqual(['question 0', 'answer 1', 'again', 'Yes.'])
  })

  test('is read whole by whoever another one has erased something from under', async () => {
    const { store } = await longThread(600)
    const one = openBook({ store, ...options, policy: offline[0]! }).thread('t')
    await one.send('secret 7731').done
    const [asked] = (await store.read('t')).filter(({ text }) => text === 'secret 7731')
    expect(await store.snapshots.load('t', 'fold')).toBeDefined()
    await openBook({ store }).thread('t').erase([asked!.id])
    expect(await store.snapshots.load('t', 'fold')).toBeUndefined()
    await one.send('go on').done
    expect(JSON.stringify(await one.dump())).not.toContain('7731')
    expect(await one.verify()).toMatchObject({ ok: true })
  })

  test('takes a message once, however long ago it was sent first', async () => {
    const { store } = await longThread(10)
    const send = (id: string): Promise<TurnResult> =>
      openBook({ store, ...options, policy: offline[0]! })
        .thread('t')
        .send(`message ${id}`, { id }).done
    const first = await send('k')
    for (let turn = 0; turn < 60; turn++) await sent(store, offline[0]!, `turn ${turn}`)
    const { length } = await store.read('t')
    expect(await send('k')).toEqual(first)
    expect(await store.read('t')).toHaveLength(length)
  })

  test('answers what waits under an id that was used long before as if all had been read', async () => {
    const { store } = await longThread(10)
    await openBook({ store, ...options, policy: offline[0]! })
      .thread('t')
      .send('said', { id: 'k' }).done
    for (let turn = 0; turn < 60; turn++) await sent(store, offline[0]!, `turn ${turn}`)
    const [newest] = await store.read('t', { last: 1 })
    await store.append('t', [entryOf(user('said'), newest, { kind: 'pending', key: 'k' })])
    const { length } = await store.read('t')
    await openBook({ store, ...options, policy: offline[0]! })
      .thread('t')
      .resume().done
    expect(await store.read('t')).toHaveLength(length)
  })

  test('does not answer what another one left under an id that was used, also if what was sent under it is forgotten', async () => {
    const said = { do: 'send', common: false, key: undefined, after: 'head', cancelAt: undefined, own: false } as const
    const script: Event[] = [said, said, { ...said, key: 1 }, said, { do: 'left', key: 1, after: 0 }, said, said]
    script.push({ do: 'restart', opening: 0 }, said, { do: 'resume' })
    const twin = createTwin([{ window: 230, system: undefined, policy: offline[0]! }], ['answer'], 1)
    for (const event of script) {
      await twin.apply(event)
      await tick()
    }
    const asked = (await twin.store.read('t')).filter(({ kind }) => kind === 'user')
    expect(asked).toHaveLength(7)
  })

  test('tells how much of a prompt was sent before also where that was under other settings, from before the checkpoint', async () => {
    const logs: string[][] = []
    for (const checkpointEvery of [Infinity, 1]) {
      const { store } = await longThread(200)
      for (const window of [300, 320, 300, 300, 320, 320, 300, 320])
        expect(await sent(store, offline[0]!, `within ${window}`, { window, checkpointEvery })).toBe('complete')
      const thread = openBook({ store, ...options, policy: offline[0]!, checkpointEvery }).thread('t')
      const tools = [defineTool({ name: 'look', parameters: {}, run: () => 'seen' })]
      for (const own of [undefined, tools, undefined, tools]) await thread.send('with tools?', { tools: own }).done
      logs.push((await store.read('t')).map(lineOf))
    }
    expect(logs[1]).toEqual(logs[0])
  })

  test('needs no checkpoint that can be read', async () => {
    const { store, counts } = await longThread(600)
    await sent(store, offline[0]!, 'first')
    const hash = (await store.read('t')).filter(({ kind }) => kind === 'settings').map(({ text }) => sha256(text))[0]!
    const kept = (await store.snapshots.load('t', `fold:${hash}`))!
    for (const value of [
      null,
      7,
      { ...(kept.value as object), version: 1 },
      { ...(kept.value as object), fold: {} },
      { ...(kept.value as object), fold: { version: 1 } },
      { ...(kept.value as object), erasures: 1 },
    ]) {
      await store.snapshots.save('t', `fold:${hash}`, { ...kept, seq: 604, value })
      const before = counts.entries
      expect(
        await sent(store, offline[0]!, `after ${JSON.stringify(value)?.slice(0, 9)}`, { checkpointEvery: Infinity }),
      ).toBe('complete')
      expect(counts.entries - before).toBeGreaterThan(600)
    }
    expect(await openBook({ store, counter: words }).thread('t').verify()).toMatchObject({ ok: true, underivable: 0 })
  })
})
