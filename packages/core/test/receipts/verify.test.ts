import {
  defaultPolicy,
  memoryStore,
  MinutebookError,
  openBook,
  type Message,
  type Model,
  type Store,
  type Thread,
} from 'minutebook'
import type { Verification } from 'minutebook/inspect'
import { entryOf, type StoredEntry } from 'minutebook/store'
import { assistant, user, words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { relayBook } from '../../../../tests/support/relays.ts'

const model: Model = async function* () {
  yield { type: 'end', message: assistant('Yes.'), finish: 'stop' }
}
const answer = { type: 'end', message: assistant('Yes.'), finish: 'stop' } as const
const part = { entries: 60, prompts: 10 }

/** A store that counts what is read, and in which entries may be damaged. */
interface Damageable {
  readonly store: Store
  readonly read: { calls: number; entries: number }
  /** By seq: another entry than was written, or undefined for one that cannot be read. */
  readonly damage: Map<number, ((entry: StoredEntry) => StoredEntry) | undefined>
}

function damageable(): Damageable {
  const behind = memoryStore()
  const read = { calls: 0, entries: 0 }
  const damage: Damageable['damage'] = new Map()
  const damaged = (entry: StoredEntry): StoredEntry => {
    if (!damage.has(entry.seq)) return entry
    const change = damage.get(entry.seq)
    if (!change) throw new MinutebookError('corrupt_entry', `Entry ${entry.seq} is damaged.`, '')
    return change(entry)
  }
  return {
    read,
    damage,
    store: {
      ...behind,
      read: async (...given) => {
        const entries = await behind.read(...given)
        read.calls++
        read.entries += entries.length
        return entries.map(damaged)
      },
    },
  }
}

const otherText = (entry: StoredEntry): StoredEntry => ({
  ...entry,
  text: 'Another text.',
  raw: { ...entry.raw, content: 'Another text.' },
})

/** A client that sends all that was said is passed through. With `anew`, it begins another conversation each time. */
async function relayed(thread: Thread, turns: number, anew = false): Promise<void> {
  const said: Message[] = []
  for (let turn = 0; turn < turns; turn++) {
    said.push(user(`what of lamp ${turn}?`))
    const sent: Message[] = anew ? [user(`garden ${turn}`), assistant(`It has lamp ${turn}.`), ...said.slice(-1)] : said
    const relay = await thread.relay(sent)
    expect(relay.mode).toBe('unchanged')
    await relay.answer(answer)
    said.push(assistant('Yes.'))
  }
}

/** A long log with calls near its end, whose prompts have messages from before these. */
async function talked(store: Store): Promise<Thread> {
  const thread = openBook({ store, model, window: 300, counter: words, policy: defaultPolicy() }).thread('t')
  for (let from = 0; from < 6; from++) {
    await thread.importMessages(
      Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0 ? user(`what of the garden ${from * 200 + index}?`) : assistant(`lamp ${index} it is`),
      ),
    )
    await thread.send(`what of lamp ${from * 30}?`).done
  }
  for (let turn = 0; turn < 8; turn++) await thread.send(`and of lamp ${turn}?`).done
  return thread
}

const large = (store: Store): Thread => relayBook({ window: 1_000_000 }, store).thread('t')

describe('the newest entries and prompts', () => {
  test('of a client that sends all are checked without the old ones: prompts that need those are left out', async () => {
    const costs: number[] = []
    for (const turns of [60, 120]) {
      const { store, read } = damageable()
      await relayed(large(store), turns)
      read.entries = 0
      expect(await large(store).verify(part)).toEqual({
        ok: true,
        entries: 60,
        prompts: 0,
        underivable: 0,
        unchecked: 10,
        problems: [],
      })
      costs.push(read.entries)
      expect(await large(store).verify()).toMatchObject({ ok: true, prompts: turns, underivable: 0 })
    }
    expect(Math.max(...costs)).toBeLessThan(100)
  })

  test('of a client that begins anew each time are checked by these, at the same cost in longer threads', async () => {
    const costs: number[] = []
    for (const turns of [60, 120]) {
      const { store, read } = damageable()
      await relayed(large(store), turns, true)
      read.entries = 0
      expect(await large(store).verify(part)).toMatchObject({ ok: true, entries: 60, prompts: 10, problems: [] })
      costs.push(read.entries)
    }
    expect(Math.max(...costs)).toBeLessThan(100)
  })

  test('of turns are derived from checkpoints', async () => {
    const { store, read } = damageable()
    const thread = await talked(store)
    const { length } = await store.standing('t')
    read.entries = 0
    const { unchecked = 0, ...found } = await thread.verify({ entries: 40, prompts: 4 })
    expect(found).toEqual({ ok: true, entries: 40, prompts: 4, underivable: 0, problems: [] })
    expect(unchecked).toBe(0)
    expect(read.entries).toBeLessThan(length)
    expect(await openBook({ store }).thread('t').verify({ entries: 40, prompts: 4 })).toMatchObject({
      ok: true,
      prompts: 0,
      underivable: 4,
    })
    expect(await thread.verify({ entries: 40, prompts: 0 })).toMatchObject({ ok: true, prompts: 0, entries: 40 })
  })

  test('are all of them, if the thread is short', async () => {
    const { store } = damageable()
    await relayed(large(store), 10)
    expect(await large(store).verify(part)).toEqual({
      ok: true,
      entries: 31,
      prompts: 10,
      underivable: 0,
      problems: [],
    })
  })
})

describe('damage', () => {
  const checked = async (
    change: (given: Damageable & { readonly from: number; readonly log: readonly StoredEntry[] }) => void,
  ): Promise<Verification> => {
    const world = damageable()
    const thread = await talked(world.store)
    const log = await world.store.read('t')
    change({ ...world, from: log.length - 6, log })
    return thread.verify({ entries: 6, prompts: 1 })
  }

  test('of an older text is reported as that of its entry, if a prompt has it', async () => {
    let at = 0
    const { ok, problems } = await checked(({ damage, from, log }) => {
      at = log.findLast(({ kind, seq }) => kind === 'user' && seq < from)!.seq
      damage.set(at, otherText)
    })
    expect({ ok, problems }).toEqual({
      ok: false,
      problems: [{ seq: at, of: 'entry', problem: 'does not match its checksum' }],
    })
  })

  test('of an older entry that cannot be read is a problem', async () => {
    let at = 0
    const { problems } = await checked(({ damage, from, log }) => {
      at = log.findLast(({ kind, seq }) => kind === 'user' && seq < from)!.seq
      damage.set(at, undefined)
    })
    expect(problems[0]).toEqual({ seq: at, of: 'entry', problem: 'cannot be read' })
  })

  test('of older settings that are no JSON is a problem', async () => {
    let at = 0
    const { problems } = await checked(({ damage, log }) => {
      at = log.find(({ kind }) => kind === 'settings')!.seq
      damage.set(at, otherText)
    })
    expect(problems).toEqual([{ seq: at, of: 'entry', problem: 'does not match its checksum' }])
  })

  test('that no prompt needs is outside of the part', async () => {
    expect(await checked(({ damage }) => damage.set(300, undefined))).toMatchObject({ ok: true, prompts: 1 })
  })

  test.each([
    ['that cannot be read', undefined, 'cannot be read'],
    ['with another text', otherText, 'does not match its checksum'],
    ['in another place', (entry: StoredEntry) => ({ ...entry, seq: 7 }), /its place is/],
  ])('of the newest entries is a problem: one %s', async (_, change, problem) => {
    const { problems, prompts } = await checked(({ damage, log }) => damage.set(log.length - 3, change))
    expect(problems).toEqual([
      { seq: expect.any(Number) as number, of: 'entry', problem: expect.stringMatching(problem) as string },
    ])
    expect(prompts).toBe(0)
  })

  test.each([undefined, part])('of a receipt that is no JSON is a problem, in all and in a part: %j', async (given) => {
    const { store } = damageable()
    await relayed(large(store), 40)
    const log = await store.read('t')
    const last = log.findLast(({ kind }) => kind === 'assistant')!
    const { origin } = log.find(({ kind }) => kind === 'receipt')!
    const bad = entryOf({ role: 'system', content: 'Dear diary,' }, last, { kind: 'receipt', origin })
    await store.append('t', [bad])
    const { length } = await store.standing('t')
    expect((await large(store).verify(given)).problems).toEqual([
      { seq: length - 1, of: 'entry', problem: 'is a receipt that cannot be read' },
    ])
  })

  test('is found page by page, with pauses: only the entries of a bad page are read one by one', async () => {
    const { store, read, damage } = damageable()
    await openBook({ store })
      .thread('t')
      .importMessages(Array.from({ length: 3000 }, (_, index) => user(`lamp ${index}`)))
    damage.set(2900, undefined)
    let pauses = 0
    const clock = { now: () => '', after: async () => undefined, pause: async () => void pauses++ }
    read.calls = 0
    const { problems } = await openBook({ store, clock }).thread('t').verify({ entries: 2000, prompts: 0 })
    expect(problems).toEqual([{ seq: 2900, of: 'entry', problem: 'cannot be read' }])
    expect(read.calls).toBeLessThan(530)
    expect(pauses).toBeGreaterThan(20)
  })
})
