import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { defineState, history, memoryStore, stateOf, type Entry, type Store } from 'minutebook'
import type { Snapshot } from 'minutebook/store'
import { assistant, call, result, system, user } from '@minutebook/testing'
import { readState } from '../../src/state/state-snapshot.ts'
import { branchOf, type Line } from '../support/lines.ts'
import { heads, someLog, tape } from './arbitrary-log.ts'
import { countingStore, mustAppend } from './counting-store.ts'

const total = defineState({
  name: 'total',
  initial: { sum: 0, last: null as string | null },
  tools: {
    add: {
      schema: z.object({ n: z.number() }),
      reduce: ({ sum }, { n }, { entry }) => ({ sum: sum + n, last: entry.id }),
    },
  },
})
const thread = 'ann'

/** Four chained entries and, where asked for, the receipts that hang off them. */
function turn(n: number, receipts = false): Line[] {
  const receipt: Line[] = receipts ? [[system(`receipt ${n}`), { kind: 'receipt' }]] : []
  return [
    [user(`add ${n}`)],
    [assistant(null, call(`c${n}`, 'add', { n }))],
    ...receipt,
    [result(`c${n}`, `{"n":${n}}`)],
    [assistant(`added ${n}`)],
    ...receipt,
  ]
}

function turns(from: number, to: number, after?: Entry, receipts = false): Entry[] {
  return branchOf(Array.from({ length: to - from }, (_, index) => turn(from + index, receipts)).flat(), after)
}

const headOf = (entries: readonly Entry[]): string =>
  entries.findLast(({ kind }) => !['receipt', 'note'].includes(kind))!.id

describe('state of a long thread', () => {
  test('is read from all of it once, and then from its end', async () => {
    const { store, counted, reset } = countingStore()
    const log = turns(0, 2500)
    await mustAppend(store, thread, log)
    const cold = stateOf(total, log)
    expect(await readState(total, { store, thread, head: headOf(log) })).toEqual(cold)
    expect(counted.read).toBe(10_000)
    reset()
    expect(await readState(total, { store, thread, head: headOf(log) })).toEqual(cold)
    expect(counted.read).toBeLessThanOrEqual(70)
    expect(counted.saves).toBe(0)
  })

  test.each<[string, boolean]>([
    ['', false],
    [', its receipts included', true],
  ])('is read from at most 70 entries each turn, inside of tools and at rest%s', async (_, receipts) => {
    const { store, counted, reset } = countingStore()
    const log = turns(0, 300, undefined, receipts)
    for (const [index, entry] of log.entries()) {
      await mustAppend(store, thread, [entry])
      const inTool = entry.kind === 'assistant' && entry.calls.length > 0
      if (!inTool && index % 17 > 0) continue
      reset()
      expect(await readState(total, { store, thread, head: entry.id })).toEqual(stateOf(total, log.slice(0, index + 1)))
      expect(counted.read).toBeLessThanOrEqual(receipts ? 72 : 70)
    }
  })

  test('is kept even where it is only ever read while a call is open', async () => {
    const { store, counted } = countingStore()
    const log = [...turns(0, 40)]
    const asking = branchOf(turn(40).slice(0, 2), log.at(-1))
    await mustAppend(store, thread, [...log, ...asking])
    await readState(total, { store, thread, head: asking.at(-1)!.id })
    expect(counted.saves).toBe(1)
    expect(await store.snapshots.load(thread, 'state:total@1')).toMatchObject({ id: asking[0]!.id, seq: 160 })
  })

  test('is not kept for 64 entries or fewer', async () => {
    const { store, counted } = countingStore()
    const log = turns(0, 17)
    await mustAppend(store, thread, log)
    await readState(total, { store, thread, head: log[63]!.id })
    expect(counted.saves).toBe(0)
    await readState(total, { store, thread, head: log[64]!.id })
    expect(counted.saves).toBe(1)
  })
})

describe('state as of an entry', () => {
  const log = turns(0, 100)
  const asOf = (index: number): unknown => stateOf(total, log.slice(0, index + 1))
  const head = headOf(log)

  test.each([0, 1, 2, 3, 63, 64, 65, 66, 202, 399])(
    '%i counts what it says and nothing later, by id and by seq, with and without snapshots',
    async (index) => {
      for (const warm of [false, true]) {
        const store = memoryStore()
        await mustAppend(store, thread, log)
        if (warm) for (const place of [399, 150, 70]) await readState(total, { store, thread, head, at: place })
        expect(await readState(total, { store, thread, head, at: log[index]!.id })).toEqual(asOf(index))
        expect(await readState(total, { store, thread, head, at: index })).toEqual(asOf(index))
      }
    },
  )

  test('reads little from a thread that has gone on', async () => {
    const { store, counted, reset } = countingStore()
    await mustAppend(store, thread, log)
    for (const at of [100, 200, 300, 399]) await readState(total, { store, thread, head, at })
    for (const at of [210, log[210]!.id]) {
      reset()
      expect(await readState(total, { store, thread, head, at })).toEqual(asOf(210))
      expect(counted.read).toBeLessThanOrEqual(80)
    }
  })

  test('may be one that hangs off another', async () => {
    const store = memoryStore()
    const hung = turns(0, 3, undefined, true)
    await mustAppend(store, thread, hung)
    const receipt = hung.find(({ kind, seq }) => kind === 'receipt' && seq > 6)!
    expect(await readState(total, { store, thread, head: headOf(hung), at: receipt.id })).toEqual(
      stateOf(total, history(hung, { head: receipt.id })),
    )
  })

  test('before the first one is the initial state', async () => {
    const store = memoryStore()
    expect(await readState(total, { store, thread, head: null })).toEqual({ sum: 0, last: null })
    await mustAppend(store, thread, log)
    expect(await readState(total, { store, thread, head, at: -1 })).toEqual({ sum: 0, last: null })
  })

  test('that the thread does not have is refused', async () => {
    const store = memoryStore()
    await mustAppend(store, thread, log)
    await expect(readState(total, { store, thread, head, at: 'nobody' })).rejects.toMatchObject({
      code: 'unknown_entry',
    })
    await expect(readState(total, { store, thread: 'bob', head })).rejects.toMatchObject({ code: 'unknown_entry' })
  })
})

describe('a snapshot', () => {
  test('of another branch is never used', async () => {
    const { store, counted, reset } = countingStore()
    const trunk = turns(0, 30)
    const left = turns(1000, 1030, trunk.at(-1))
    const right = turns(5000, 5003, trunk[99]).map((entry, index) => ({ ...entry, seq: 240 + index }))
    await mustAppend(store, thread, [...trunk, ...left, ...right])
    const log = await store.read(thread)
    const [leftHead, rightHead] = [headOf(left), headOf(right)]
    await readState(total, { store, thread, head: trunk[79]!.id })
    await readState(total, { store, thread, head: leftHead })
    reset()
    expect(await readState(total, { store, thread, head: rightHead })).toEqual(
      stateOf(total, history(log, { head: rightHead })),
    )
    expect(counted.loads, 'the newest one is of the other branch, the one before it is shared').toBe(2)
    expect(counted.read).toBeLessThanOrEqual(80)
    expect(await readState(total, { store, thread, head: leftHead })).toEqual(
      stateOf(total, history(log, { head: leftHead })),
    )
  })

  test('at the very entry from which a branch goes off is used', async () => {
    const { store, counted, reset } = countingStore()
    const trunk = turns(0, 30)
    const [left, right] = [turns(1000, 1030, trunk[79]), turns(5000, 5001, trunk[79])]
    await mustAppend(store, thread, [...trunk, ...left, ...right])
    for (const entries of [trunk.slice(0, 80), left]) await readState(total, { store, thread, head: headOf(entries) })
    const head = headOf(right)
    const cold = stateOf(total, history(await store.read(thread), { head }))
    reset()
    expect(await readState(total, { store, thread, head })).toEqual(cold)
    expect(counted.read).toBeLessThanOrEqual(70)
  })

  test('of another branch costs one look, however many there are', async () => {
    const { store, counted, reset } = countingStore()
    const trunk = turns(0, 2)
    const long = turns(100, 600, trunk.at(-1))
    const short = turns(9000, 9003, trunk[3])
    await mustAppend(store, thread, [...trunk, ...long])
    for (let at = 100; at < 2000; at += 100) await readState(total, { store, thread, head: headOf(long), at })
    await mustAppend(store, thread, short)
    const head = headOf(short)
    reset()
    expect(await readState(total, { store, thread, head })).toEqual(
      stateOf(total, history(await store.read(thread), { head })),
    )
    expect(counted.loads).toBeLessThanOrEqual(2)
  })

  test('of another thread, state or version is never used', async () => {
    const store = memoryStore()
    const log = turns(0, 30)
    await mustAppend(store, thread, log)
    await mustAppend(store, 'bob', log)
    const twice = defineState({
      name: 'total',
      version: 2,
      initial: { sum: 0, last: null as string | null },
      tools: {
        add: { schema: z.object({ n: z.number() }), reduce: ({ sum, last }, { n }) => ({ sum: sum + 2 * n, last }) },
      },
    })
    const place = { store, head: headOf(log) }
    expect((await readState(total, { ...place, thread })).sum).toBe(435)
    expect((await readState(twice, { ...place, thread })).sum).toBe(870)
    await store.snapshots.save('bob', 'state:total@1', {
      id: headOf(log),
      seq: log.length - 1,
      value: '{"value":{"sum":1,"last":null}}',
    })
    expect((await readState(total, { ...place, thread })).sum).toBe(435)
    expect((await readState(total, { ...place, thread: 'bob' })).sum, 'its own is used, so this test can fail').toBe(1)
  })

  test('is forgotten with what was erased', async () => {
    const store = memoryStore()
    const log = turns(0, 30)
    await mustAppend(store, thread, log)
    const place = { store, thread, head: headOf(log) }
    const before = await readState(total, place)
    await store.erase(thread, [log[6]!.id])
    expect((await readState(total, place)).sum).toBe(before.sum - 1)
  })

  test('is not kept where something was erased while it was worked out', async () => {
    const behind = memoryStore()
    const log = turns(0, 30)
    await mustAppend(behind, thread, log)
    const store: Store = {
      ...behind,
      read: async (...given) => {
        const entries = await behind.read(...given)
        await behind.erase(thread, [log[6]!.id])
        return entries
      },
    }
    const place = { store, thread, head: headOf(log) }
    const before = await readState(total, place)
    expect((await readState(total, { ...place, store: behind })).sum).toBe(before.sum - 1)
  })

  test('cannot be reached by what a caller does to the value', async () => {
    const store = memoryStore()
    const log = turns(0, 30)
    await mustAppend(store, thread, log)
    const place = { store, thread, head: headOf(log) }
    for (const _ of [1, 2, 3]) {
      const value = await readState(total, place)
      expect(value.sum).toBe(435)
      value.sum = -1
    }
  })

  test.each<[string, Snapshot['value']]>([
    ['a number', 5],
    ['a text that is not JSON', '{'],
    ['JSON of another shape', 'null'],
    ['nothing', null],
  ])('that is %s is worked out again', async (_, value) => {
    const store = memoryStore()
    const log = turns(0, 30)
    await mustAppend(store, thread, log)
    await store.snapshots.save(thread, 'state:total@1', { id: headOf(log), seq: log.length - 1, value })
    expect((await readState(total, { store, thread, head: headOf(log) })).sum).toBe(435)
  })

  test.each<[string, z.ZodType, boolean]>([
    ['undefined', z.string().transform(() => undefined), true],
    ['null', z.string().transform(() => null), true],
    [
      'lists and objects',
      z.string().transform((text) => ({ text, list: [1, 'a', { deep: [true, null, '\ud800'] }] })),
      true,
    ],
    ['an undefined field', z.string().transform(() => ({ a: undefined })), false],
    ['a date', z.string().transform(() => new Date(0)), false],
    ['a map', z.string().transform(() => new Map([[1, 2]])), false],
    ['not a number', z.string().transform(() => ({ n: Number.NaN })), false],
    ['minus zero', z.string().transform(() => [-0]), false],
    ['a big integer', z.string().transform(() => 1n), false],
    ['a list with a hole', z.string().transform(() => Object.assign([], { length: 2 })), false],
    ['a circle', z.string().transform(() => circle()), false],
    ['a class', z.string().transform(() => new Lamp()), false],
  ])('is taken of %s only where JSON gives it back', async (_, schema, kept) => {
    const { store, counted } = countingStore()
    const log = branchOf([
      [user('go')],
      [assistant(null, call('1', 'make'))],
      [result('1', 'made')],
      ...Array.from({ length: 70 }, (_line, index): Line => [user(`${index}`)]),
    ])
    await mustAppend(store, thread, log)
    const reader = defineState({ name: 'made', tools: { make: { schema } } })
    const place = { store, thread, head: headOf(log) }
    const first = await readState(reader, place)
    expect(counted.saves).toBe(kept ? 1 : 0)
    expect(await readState(reader, place)).toStrictEqual(first)
  })
})

class Lamp {
  readonly on = true
}

function circle(): object {
  const self: { self?: object } = {}
  self.self = self
  return self
}

describe('whatever the log, its branches and its snapshots', () => {
  const reads = fc.array(
    fc.record({
      written: fc.nat({ max: 60 }),
      place: fc.nat({ max: 60 }),
      every: fc.constantFrom(0, 1, 3, 10),
      bySeq: fc.boolean(),
      at: fc.nat({ max: 60 }),
    }),
    { minLength: 1, maxLength: 12 },
  )

  test('state that is read is the cold fold', async () => {
    await fc.assert(
      fc.asyncProperty(
        someLog.filter((log) => heads(log).length > 0),
        reads,
        async (log, asked) => {
          const store = memoryStore()
          let written = 0
          for (const ask of asked.toSorted((left, right) => left.written - right.written)) {
            const upTo = Math.max(
              written,
              Math.min(ask.written, log.length),
              log.findIndex(({ id }) => heads(log).includes(id)) + 1,
            )
            await mustAppend(store, thread, log.slice(written, upTo))
            written = upTo
            const known = heads(log.slice(0, written))
            const head = known[ask.place % known.length]!
            const branch = history(log.slice(0, written), { head })
            const at = ask.at % written
            const expected = stateOf(tape, ask.bySeq ? branch.filter(({ seq }) => seq <= at) : branch)
            expect(await readState(tape, { store, thread, head, every: ask.every, ...(ask.bySeq && { at }) })).toEqual(
              expected,
            )
          }
        },
      ),
    )
  })
})
