import fc from 'fast-check'
import { history, memoryStore, visible, type Entry, type Message, type Store } from 'minutebook'
import { entryOf, type EntryFacts } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { createTail, type LogTail } from '../../src/watch/log-tail.ts'
import { headOf } from '../../src/log/log.ts'
import { newestTurn } from '../../src/log/next.ts'

type Growth =
  | { readonly what: 'ask' | 'answer' | 'note' | 'look' | 'result' | 'receipt' | 'pending' }
  | { readonly what: 'again' | 'branch'; readonly back: number }

const growth: fc.Arbitrary<Growth> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      what: fc.constantFrom(
        'ask' as const,
        'answer' as const,
        'note' as const,
        'look' as const,
        'result' as const,
        'result' as const,
        'receipt' as const,
        'pending' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('again' as const, 'branch' as const), back: fc.nat(20) }) },
)

const called = (name: string): object => ({
  tool_calls: [{ id: name, type: 'function', function: { name, arguments: '{}' } }],
})

/** A log that has grown in these steps. */
function grown(steps: readonly Growth[]): Entry[] {
  const log: Entry[] = []
  const byId = new Map<string | null, Entry>()
  const add = (message: Message, after: Entry | undefined, facts: EntryFacts = {}): void => {
    const entry = { ...entryOf(message, after, facts), seq: log.length }
    if (byId.has(entry.id)) return
    byId.set(entry.id, entry)
    log.push(entry)
  }
  for (const [number, step] of steps.entries()) {
    const head = byId.get(headOf(log))
    const users = 'back' in step ? log.filter(({ kind }) => kind === 'user') : []
    const earlier = 'back' in step ? users.at(-1 - (step.back % Math.max(1, users.length))) : undefined
    if (step.what === 'ask') add({ role: 'user', content: `${number}` }, head)
    if (step.what === 'branch') add({ role: 'user', content: `${number}` }, earlier && byId.get(earlier.parent))
    if (step.what === 'again' && earlier) add({ role: 'system', content: `${number}` }, earlier, { kind: 'retry' })
    if (step.what === 'answer') add({ role: 'assistant', content: `${number}` }, head)
    if (step.what === 'note')
      add({ role: 'assistant', content: `${number}`, ...called('note_to_self') } as Message, head)
    if (step.what === 'look') add({ role: 'assistant', content: `${number}`, ...called('look') } as Message, head)
    if (step.what === 'result' && head) add({ role: 'tool', content: `${number}` } as Message, head)
    if (step.what === 'receipt' && head)
      add({ role: 'system', content: JSON.stringify({ number }) }, head, { kind: 'receipt' })
    if (step.what === 'pending')
      add({ role: 'user', content: `${number}` }, head, { kind: 'pending', key: `${number}` })
  }
  return log
}

async function kept(log: readonly Entry[]): Promise<Store> {
  const store = memoryStore()
  await store.append('t', log)
  return store
}

test('whoever reads on from anywhere knows the turn that the log stands in, and sees what people see', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(growth, { maxLength: 60, size: 'max' }),
      fc.nat(60),
      fc.constantFrom(1, 7, Infinity),
      async (steps, start, most) => {
        const log = grown(steps)
        const from = Math.min(start, log.length)
        const tail = createTail(await kept(log), 't', from)
        const seen = []
        for (let at = from; !tail.isWhole;) {
          await tail.read(most)
          const fresh = tail.since(at)
          seen.push(...(await tail.view(fresh)))
          at += fresh.length
        }
        expect(seen.filter((entry) => entry !== undefined)).toEqual(visible(log).filter(({ seq }) => seq >= from))
        const head = headOf(log)
        const turn = head === null ? [] : newestTurn(history(log, { head }))
        // Without a question, what hangs off the root is no part of it.
        expect((await tail.turn()).map(({ id }) => id)).toEqual(
          turn.slice(turn.findIndex(({ kind }) => kind === 'user' || kind === 'assistant')).map(({ id }) => id),
        )
      },
    ),
  )
})

describe('the end of a long log', () => {
  const ask = (turns: number): Growth[] =>
    Array.from({ length: turns }, () => [{ what: 'ask' }, { what: 'answer' }, { what: 'receipt' }] as const).flat()

  test('is read without what was before', async () => {
    const store = await kept(grown(ask(1000)))
    const read: number[] = []
    const counting: Store = {
      ...store,
      read: async (thread, range) => {
        const entries = await store.read(thread, range)
        read.push(entries.length)
        return entries
      },
    }
    const tail = createTail(counting, 't', 2999)
    await tail.read()
    expect(await tail.turn()).toHaveLength(3)
    expect(read.reduce((sum, count) => sum + count, 0)).toBeLessThan(600)
  })

  test('is forgotten as more comes, and read again where it is needed', async () => {
    const log = grown([...ask(1000), { what: 'again', back: 999 }])
    const store = await kept(log.slice(0, -1))
    const tail = createTail(store, 't', 0)
    await tail.read()
    await tail.turn()
    expect(tail.since(0).length).toBeLessThan(1000)
    await store.append('t', log.slice(-1))
    await tail.read()
    expect((await tail.turn()).map(({ kind }) => kind)).toEqual(['user', 'retry'])
  })

  test('says nothing that was erased', async () => {
    const log = grown(ask(2))
    const store = await kept(log)
    const tail = createTail(store, 't', 0)
    await tail.read()
    expect((await tail.turn())[0]?.status).toBe('complete')
    await store.erase('t', [log[3]!.id])
    await tail.read()
    expect((await tail.turn())[0]?.status).toBe('erased')
  })
})

test('reads no further than the version that it took first: what comes later may be of another term', async () => {
  const store = memoryStore()
  const [first, ...later] = grown([{ what: 'ask' }, { what: 'answer' }, { what: 'receipt' }])
  await store.append('t', [first!])
  // Others write between the two readings of the store.
  const crowded: Store = {
    ...store,
    standing: async (thread) => {
      const standing = await store.standing(thread)
      if (standing.length === 1) await store.append('t', later)
      return standing
    },
  }
  const tail = createTail(crowded, 't', 0)
  await tail.read()
  expect({ length: tail.standing.length, read: tail.since(0).length, isWhole: tail.isWhole }).toEqual({
    length: 1,
    read: 1,
    isWhole: true,
  })
  await tail.read()
  expect(tail.since(0)).toHaveLength(3)
})

test.each([
  ['turn', (tail: LogTail) => tail.turn(600)],
  ['change', (tail: LogTail) => tail.change(590)],
])('says that a thread was removed whose older entries it needs: %s', async (_, need) => {
  const store = memoryStore()
  // One question and 600 steps after it: the loaded end of the log does not reach back to the question.
  const log = grown([
    { what: 'ask' },
    ...Array.from({ length: 600 }, () => ({ what: 'look' as const })),
    { what: 'branch', back: 0 },
  ])
  await store.append('t', log)
  const tail = createTail(store, 't', 595)
  await tail.read()
  await store.remove('t')
  await expect(need(tail)).rejects.toMatchObject({ code: 'thread_removed' })
})
