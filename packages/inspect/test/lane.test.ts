import fc from 'fast-check'
import {
  defaultPolicy,
  history,
  lastMessages,
  memoryStore,
  openBook,
  tiered,
  type Entry,
  type Message,
  type Policy,
  type Store,
  type Thread,
} from 'minutebook'
import { inspect, isSeen, isWithout, laneOf, restorationsOf, type InspectedEntry, type Lane } from '@minutebook/inspect'
import { createDeriver, receiptsOf } from 'minutebook/inspect'
import { verdicts } from 'minutebook/compile'
import { assistant, scriptedModel, user, words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { headOf } from '../../core/src/log/log.ts'
import { relayBook, said } from '../../../tests/support/relays.ts'
import { cases, withSure } from '../../../tests/support/runs.ts'
import { everything } from '../../core/test/support/everything.ts'
import { moodyModel, moodyTools, type Mood } from '../../core/test/support/moody-model.ts'
import { pinned } from '../../core/test/support/pinned.ts'
import { relayed } from '../../core/test/support/relayed.ts'
import { times } from '../../core/test/support/times.ts'

/** What `inspect` says of every entry in every call of the newest branch. */
async function inspected(
  thread: Thread,
): Promise<{ readonly receipt: string; readonly same: boolean; readonly entries: readonly InspectedEntry[] }[]> {
  const calls = []
  for (const { id: receipt, sent } of await thread.receipts()) {
    const dump = await thread.dump({ receipt }).catch(() => undefined)
    // After an erasure, what is left may not fit.
    if (!dump) continue
    const entries = await dump.entries!()
    const drawn = inspect({ ...dump, entries, unchanged: sent !== undefined }, words)
    calls.push({ receipt, same: dump.same, entries: drawn.entries })
  }
  return calls
}

/**
 * Compares the lanes of entries of the newest branch with their inspections: of all, or of every so many. Returns how
 * often each verdict was.
 */
async function compared(store: Store, thread: Thread, every = 1): Promise<Record<string, number>> {
  const log = await store.read(thread.id)
  // Not the newest chained entry: after a retry that failed, the answer of before is on another branch.
  const head = headOf(log)!
  const branch = history(log, { head })
  const calls = await inspected(thread)
  const counts: Record<string, number> = {}
  for (const { id, status } of branch.filter((_, index) => index % every === 0)) {
    const lane = await laneOf(log, id, { counter: words, head })
    expect(lane.earlier).toBe(0)
    const expected = calls.flatMap(({ receipt, same, entries }) => {
      const found = entries.find((entry) => entry.id === id)
      return found ? [{ receipt, same, verdict: found.verdict, reason: found.reason }] : []
    })
    const derived = new Set(calls.map(({ receipt }) => receipt))
    for (const { receipt, verdict } of lane.calls) if (!derived.has(receipt)) expect(verdict).toBe(null)
    const told = lane.calls.filter(({ receipt, reason }) => derived.has(receipt) && reason !== 'replaced or revoked')
    if (status === 'erased') expect(told.every(({ verdict }) => verdict === null)).toBe(true)
    else
      expect(told.map(({ receipt, same, verdict, reason }) => ({ receipt, same, verdict, reason }))).toEqual(expected)
    for (const { verdict, tokens, since, recall, turn } of told) {
      counts[verdict ?? 'unknown'] = (counts[verdict ?? 'unknown'] ?? 0) + 1
      expect(tokens > 0).toBe(verdict === 'verbatim' || verdict === 'clipped' || verdict === 'recalled')
      expect(since === undefined).toBe(!isWithout(verdict))
      if (since !== undefined) expect(since).toBeLessThanOrEqual(turn)
      for (const word of recall?.shared ?? []) expect(recall!.words).toContain(word)
    }
  }
  return counts
}

type Event =
  | { readonly do: 'send'; readonly length: number }
  | { readonly do: 'pin' | 'unpin' | 'erase' | 'branch' | 'fork'; readonly pick: number }
  | { readonly do: 'retry' }

const events: fc.Arbitrary<Event> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('send' as const), length: fc.constantFrom(2, 9, 40, 150) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('pin' as const, 'pin' as const, 'unpin' as const, 'branch' as const, 'fork' as const),
      pick: fc.nat(40),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), pick: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'retry' as const }) },
)

const policies: readonly Policy[] = [
  defaultPolicy(),
  defaultPolicy({ recall: 'off', epochs: false }),
  defaultPolicy({ recall: 'eager' }),
  tiered({ verbatim: 1 }),
  lastMessages(3),
]

test('the lane of an entry has the verdicts of all inspections, with branches, forks, pins, clips and erasures', async () => {
  const seen: Record<string, number> = {}
  const drawn = [
    fc.constantFrom(...policies),
    fc.constantFrom(160, 220, 330, 600),
    fc.array(fc.constantFrom<Mood>('answer', 'answer', 'note', 'two', 'nameless'), { minLength: 1, maxLength: 8 }),
    fc.array(events, { minLength: 6, maxLength: 18, size: 'max' }),
  ] as const
  await fc.assert(
    fc.asyncProperty(...drawn, async (policy, window, moods, script) => {
      let [called, sent, ran] = [0, 0, 0]
      const store = memoryStore()
      const tools = moodyTools(() => `result${++ran}. ${times(ran % 2 ? 6 : 60, 'found')}`)
      const model = Object.assign(
        moodyModel(() => moods[called++ % moods.length]!),
        { model: 'moody' },
      )
      let thread = openBook({ store, model, window, policy, counter: words, steps: 3, notes: 'block', tools }).thread(
        't',
      )
      for (const event of script) {
        const entries = (await thread.entries()).filter(
          ({ kind, status }) => /user|assistant|tool/.test(kind) && status !== 'erased',
        )
        const picked = 'pick' in event ? entries[event.pick % Math.max(1, entries.length)] : undefined
        if (event.do === 'send') await thread.send(`asked${++sent}. ${times(event.length)} asked${sent % 5}?`).done
        else if (event.do === 'retry') await thread.retry().done
        else if (!picked) continue
        else if (event.do === 'branch' && picked.kind === 'user') await thread.edit(picked.id, `other${++sent}`).done
        else if (event.do === 'fork') thread = await thread.fork({ as: `f${++sent}`, at: picked.id })
        else if (event.do === 'erase') await thread.erase([picked.id])
        else if (event.do === 'pin') await thread.pin(picked.id)
        else if (event.do === 'unpin') await thread.unpin(picked.id)
      }
      for (const [verdict, count] of Object.entries(await compared(store, thread, 2)))
        seen[verdict] = (seen[verdict] ?? 0) + count
    }),
    withSure(25, cases('long'), drawn),
  )
  for (const verdict of ['verbatim', 'clipped', 'recalled', 'digested', 'omitted', 'hidden', 'unknown'])
    expect(seen[verdict] ?? 0, verdict).toBeGreaterThan(0)
})

describe('the lanes of a thread', () => {
  test.each([
    ['with everything in it', async (store: Store) => (await everything(store))[0]!],
    ['of relays', relayed],
    ['with pins', pinned],
  ])('%s have the verdicts of its inspections', async (_, fill) => {
    const store = memoryStore()
    const counts = await compared(store, await fill(store))
    expect(Object.keys(counts).length).toBeGreaterThan(2)
  })
})

describe('a lane', () => {
  const talk = async (turns: number, policy: Policy = defaultPolicy()): Promise<{ log: Entry[]; chair: string }> => {
    const store = memoryStore()
    const answers = Array.from({ length: turns + 2 }, (_, day) => `Day ${day}: the castle and a walk. ${times(30)}`)
    const model = scriptedModel(answers, { wire: 'openai', model: 'scripted' })
    const thread = openBook({ store, model, window: 400, policy, counter: words, journal: false }).thread('t')
    await thread.ask('What should we see?')
    await thread.ask('Lena sits in a wheelchair, so no steps.')
    for (let day = 0; day < turns; day++)
      await thread.ask(day % 4 === 3 ? 'Are there steps for the wheelchair?' : `Which tower${day} has view${day}?`)
    const log = await store.read('t')
    return { log, chair: log.find(({ text }) => text.startsWith('Lena'))!.id }
  }
  const marks = ({ calls }: Lane): string =>
    calls
      .map(
        ({ verdict }) =>
          ({ verbatim: 'V', recalled: 'R', digested: 'd', outlined: 'd', omitted: 'd' })[verdict as 'verbatim'] ?? '?',
      )
      .join('')

  test('says turn by turn whether the model had it, what recall looked for, and since when it is gone', async () => {
    const { log, chair } = await talk(14)
    const lane = await laneOf(log, chair, { counter: words })
    expect(marks(lane)).toMatch(/^V+d+Rd+$/)
    expect(lane.calls.map(({ turn }) => turn)).toEqual(Array.from({ length: 15 }, (_, index) => index + 2))
    const first = lane.calls.find(({ verdict }) => isWithout(verdict))!
    expect(first.since).toBe(first.turn)
    expect(first.recall).toMatchObject({ words: [`tower${first.turn - 3}`, `view${first.turn - 3}`], shared: [] })
    const last = lane.calls.at(-1)!
    expect(last.since).toBeGreaterThan(first.turn)
    const recalled = lane.calls.find(({ verdict }) => verdict === 'recalled')!
    expect(recalled).not.toHaveProperty('recall')
    expect(recalled.tokens).toBeGreaterThan(8)
  })

  test('says nothing of recall if there is none, and names words that were not enough', async () => {
    const off = await talk(14, defaultPolicy({ recall: 'off' }))
    const without = (await laneOf(off.log, off.chair, { counter: words })).calls.filter(({ verdict }) =>
      isWithout(verdict),
    )
    expect(without.length).toBeGreaterThan(2)
    for (const call of without) expect(call).not.toHaveProperty('recall')
    const { log, chair } = await talk(14, {
      ...defaultPolicy(),
      recall: { ...defaultPolicy().recall!, leastWeight: 99 },
    })
    const { calls } = await laneOf(log, chair, { counter: words })
    expect(calls.find(({ verdict }) => isWithout(verdict))!.recall).toBeDefined()
    expect(calls.flatMap(({ recall }) => recall?.shared ?? [])).toContain('wheelchair')
  })

  test('names the words that recall looked for, and what would have kept it, also if a prompt holds only what its request sent', async () => {
    const store = memoryStore()
    const thread = relayBook({ window: 200, counter: words }, store).thread('t')
    const sent: Message[] = [
      user('What should we see?'),
      assistant('Much.'),
      user('Lena sits in a wheelchair, so no steps.'),
    ]
    for (let day = 0; day < 8; day++) {
      const relay = await thread.relay(sent, { onlySent: true })
      const { answer } = await relay.answer(said(`Day ${day}: ${times(30)}`))
      sent.push(answer!.raw, user(`Which tower${day} has view${day}?`))
    }
    const log = await store.read('t')
    const chair = log.find(({ text }) => text.startsWith('Lena'))!.id
    const { calls } = await laneOf(log, chair, { counter: words })
    const without = calls.findLast(({ verdict }) => isWithout(verdict))!
    expect(without.recall).toMatchObject({ words: ['tower6', 'view6'] })
    const receipt = receiptsOf(log).find(({ id }) => id === without.receipt)!
    const found = await restorationsOf(log, receipt, chair, { counter: words })
    // The pin of a branch, the window of the request.
    expect(found).toMatchObject([{ by: 'pin' }, { by: 'window' }, { by: 'system' }])
  })

  test('has the newest calls only, if that is asked for', async () => {
    const { log, chair } = await talk(6)
    const all = await laneOf(log, chair, { counter: words })
    const some = await laneOf(log, chair, { counter: words, calls: 2 })
    expect(some.earlier).toBe(5)
    expect(some.calls.map(({ receipt, verdict }) => [receipt, verdict])).toEqual(
      all.calls.slice(-2).map(({ receipt, verdict }) => [receipt, verdict]),
    )
  })

  test('tells what would have kept the entry, and each of these does', async () => {
    const { log, chair } = await talk(14)
    const { calls } = await laneOf(log, chair, { counter: words })
    const { receipt: id } = calls.findLast(({ verdict }) => isWithout(verdict))!
    const receipt = receiptsOf(log).find((known) => known.id === id)!
    const found = await restorationsOf(log, receipt, chair, { counter: words })
    expect(found.map(({ by }) => by)).toEqual(['pin', 'window', 'system'])
    const [pin, window, system] = found
    // Seven words, and what is around a quoted message.
    expect(pin).toEqual({ by: 'pin', tokens: expect.any(Number), verdict: 'verbatim' })
    expect(pin!.tokens).toBeGreaterThan(7)
    expect(pin!.tokens).toBeLessThan(40)
    expect(system!.tokens).toBe(words.count('Lena sits in a wheelchair, so no steps.'))
    const prompt = await createDeriver(log, { counter: words }, window!.changes as { window: number })(receipt)
    const entries = prompt.planned()
    const { verdict } = [...verdicts(prompt.compiled.plan, entries)].find(({ index }) => entries[index]!.id === chair)!
    expect(isSeen(verdict)).toBe(true)
    const recorded = await createDeriver(log, { counter: words })(receipt)
    expect(prompt.compiled.tokens - recorded.compiled.tokens).toBe(window!.tokens)
    expect(await restorationsOf(log, receipt, chair)).toEqual([])
  })

  test('tells what a pin costs, as later prompts show it, and whether pins would need more than their share', async () => {
    const store = memoryStore()
    const model = scriptedModel(
      Array.from({ length: 30 }, () => times(40)),
      { wire: 'openai', model: 'scripted' },
    )
    const thread = openBook({ store, model, window: 400, counter: words, journal: false }).thread('t')
    await thread.ask('What should we see?')
    await thread.ask('Lena sits in a wheelchair, so no steps.')
    await thread.ask(`A long one: ${times(100, 'stone')}`)
    for (let day = 0; day < 11; day++) await thread.ask(`Which tower${day}?`)
    const find = async (text: string): Promise<string> =>
      (await thread.entries()).find((entry) => entry.text.startsWith(text))!.id
    const newest = async (): Promise<[Entry[], Awaited<ReturnType<Thread['receipts']>>[number]]> => [
      await store.read('t'),
      (await thread.receipts()).at(-1)!,
    ]
    const chair = await find('Lena')
    const [pin] = await restorationsOf(...(await newest()), chair, { counter: words })
    const [large] = await restorationsOf(...(await newest()), await find('A long'), { counter: words })
    expect(large).toMatchObject({ by: 'pin', verdict: 'clipped', exceeds: true })
    await thread.pin(chair)
    await thread.ask('And now?')
    const { plan } = await thread.dump({ turn: 15 })
    expect(plan.parts.find(({ shape }) => shape === 'pins')?.tokens).toBe(pin!.tokens)
    expect((await restorationsOf(...(await newest()), chair, { counter: words })).map(({ by }) => by)).not.toContain(
      'pin',
    )
  })

  test('says of a call that cannot be derived why, instead of failing', async () => {
    const { log, chair } = await talk(3)
    const { calls } = await laneOf(log, chair)
    expect(calls).toHaveLength(4)
    for (const { verdict, reason } of calls)
      expect([verdict, reason]).toEqual([null, expect.stringContaining('the counter "words"')])
    await expect(laneOf(log, 'missing')).rejects.toMatchObject({ code: 'unknown_entry' })
    const settings = log.find(({ kind }) => kind === 'settings')!
    expect((await laneOf(log, settings.id)).calls).toEqual([])
  })

  test('lets others work in between, if the clock can pause', async () => {
    const { log, chair } = await talk(30)
    let pauses = 0
    const clock = {
      now: () => '',
      after: () => Promise.resolve(),
      pause: () => Promise.resolve(void pauses++),
    }
    const lane = await laneOf(log, chair, { counter: words, clock })
    expect(lane).toEqual(await laneOf(log, chair, { counter: words }))
    expect(pauses).toBeGreaterThan(0)
  })
})
