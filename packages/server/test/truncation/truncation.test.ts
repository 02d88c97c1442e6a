import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createReadCurves,
  type CurveKey,
  type EvidenceTrust,
  type ReadCall,
  type ReadCurves,
} from '../../src/truncation/truncation.ts'

const place = { tenant: 'default', owner: 'one', upstream: 'http://127.0.0.1:11434', model: 'gemma3:4b' }

/** A thread of so many calls that grows by as much each time, and what a server says to each. */
function grow(
  readings: ReadCurves,
  {
    calls,
    by,
    count,
    place: at = place,
    ...more
  }: {
    readonly calls: number
    readonly by: number
    readonly count: (sent: number, reused: number) => ReadCall['usage']
    readonly place?: CurveKey
  } & Partial<ReadCall>,
): string[] {
  return Array.from({ length: calls }, (_, index) => {
    const [sent, reused] = [by * (index + 1), by * index]
    return readings.note(at, {
      thread: 'one',
      sent,
      sure: sent - 8 * (index + 1),
      optional: 0,
      reused,
      tools: 0,
      images: 0,
      usage: count(sent, reused),
      told: 8192,
      countsRead: true,
      trust: 'alone',
      ...more,
    }).truncated
  })
}

describe('readings', () => {
  test('a server that says 8,192, has 2,048 and drops the oldest is named, and its window is worked out', () => {
    const readings = createReadCurves()
    const verdicts = grow(readings, {
      calls: 44,
      by: 135,
      count: (sent) => ({ prompt: Math.min(sent, 1990 + (sent % 50)) }),
    })
    const first = Math.ceil(1990 / 135)
    expect(verdicts.slice(0, first - 1)).not.toContain('yes')
    expect(verdicts.indexOf('yes')).toBeLessThanOrEqual(first + 2)
    expect(verdicts.slice(first + 2)).toEqual(verdicts.slice(first + 2).map(() => 'yes'))
    expect(readings.windowOf(place, 8192)).toEqual({ window: 2048, source: 'read' })
  })

  test('a count that stands still at the size of the new part is a cache', () => {
    const readings = createReadCurves()
    expect(grow(readings, { calls: 44, by: 135, count: (sent, reused) => ({ prompt: sent - reused }) })).not.toContain(
      'yes',
    )
    expect(readings.windowOf(place)).toBeUndefined()
  })

  test('a count that follows what is sent is said to be whole, if its protocol counts what was read', () => {
    expect(
      new Set(grow(createReadCurves(), { calls: 20, by: 135, count: (sent) => ({ prompt: sent }) }).slice(1)),
    ).toEqual(new Set(['no']))
    expect(
      new Set(grow(createReadCurves(), { calls: 20, by: 135, count: (sent) => ({ prompt: sent }), countsRead: false })),
    ).toEqual(new Set(['unknown']))
  })

  test('a count that is larger than the window is not of what was read', () => {
    expect(
      grow(createReadCurves(), { calls: 44, by: 135, count: (sent) => ({ prompt: sent }), told: 2048 }).slice(16),
    ).toEqual(Array.from({ length: 28 }, () => 'unknown'))
  })

  test('what was learnt is forgotten when the server says that it has another window, or reads more', () => {
    const readings = createReadCurves()
    const learn = (): void =>
      void grow(readings, { calls: 30, by: 135, count: (sent) => ({ prompt: Math.min(sent, 2048) }) })
    learn()
    expect(readings.windowOf(place, 8192)).toEqual({ window: 2048, source: 'read' })
    expect(readings.windowOf(place, 16_384)).toBeUndefined()
    expect(readings.windowOf({ ...place, tenant: 'other' })).toBeUndefined()
    readings.note(place, {
      thread: 'two',
      sent: 3000,
      sure: 2990,
      optional: 0,
      reused: 0,
      tools: 0,
      images: 0,
      usage: { prompt: 3010 },
      told: 8192,
    })
    expect(readings.windowOf(place, 8192)).toBeUndefined()
  })

  test('counts of cut prompts are never clean, and counts below them are', () => {
    const readings = createReadCurves()
    const clean = Array.from({ length: 44 }, (_, index) =>
      readings.note(place, {
        thread: 'one',
        sent: 135 * (index + 1),
        sure: 130 * (index + 1),
        optional: 0,
        reused: 135 * index,
        tools: 0,
        images: 0,
        usage: { prompt: Math.min(2048, 135 * (index + 1)) },
      }),
    ).flatMap((reading) => reading.clean)
    expect(clean.length).toBeGreaterThan(10)
    expect(clean.filter(({ predicted, reported }) => reported < predicted)).toEqual([])
  })

  const seen = (keys: Readonly<Record<string, readonly [window: number, trust: EvidenceTrust]>>): ReadCurves => {
    const readings = createReadCurves()
    for (const [owner, [window, trust]] of Object.entries(keys))
      for (const told of [undefined, 8192])
        grow(readings, {
          calls: 44,
          by: 135,
          count: (sent) => ({ prompt: Math.min(sent, window) }),
          place: { ...place, owner, model: told === undefined ? 'untold' : 'told' },
          told,
          trust,
        })
    return readings
  }

  test.each<[string, Parameters<typeof seen>[0], told: Readonly<Record<string, number>>, untold: object]>([
    ['one key', { a: [2048, 'none'] }, {}, { a: 2048 }],
    ['one trusted key', { a: [2048, 'shared'] }, {}, { a: 2048 }],
    ['the only user', { a: [2048, 'alone'] }, { a: 2048, b: 2048, c: 2048 }, { a: 2048, b: 2048, c: 2048 }],
    ['two keys', { a: [2048, 'none'], b: [2048, 'none'] }, {}, { a: 2048, b: 2048 }],
    ['a key and a trusted one', { a: [2048, 'none'], b: [2048, 'shared'] }, {}, { a: 2048, b: 2048 }],
    [
      'two trusted keys',
      { a: [2048, 'shared'], b: [2048, 'shared'] },
      { a: 2048, b: 2048, c: 2048 },
      { a: 2048, b: 2048, c: 2048 },
    ],
    [
      'two trusted keys that differ: no less than both say',
      { a: [2048, 'shared'], b: [4096, 'shared'] },
      { a: 4096, b: 4096, c: 4096 },
      { a: 2048, b: 4096, c: 4096 },
    ],
  ])('what the counts of %s lower', (_, keys, told, untold) => {
    const readings = seen(keys)
    const windows = (model: string, size?: number): object =>
      Object.fromEntries(
        ['a', 'b', 'c'].flatMap((owner) => {
          const found = readings.windowOf({ ...place, owner, model }, size)
          return found ? [[owner, found.window]] : []
        }),
      )
    expect([windows('told', 8192), windows('untold')]).toEqual([told, untold])
    expect(readings.windowOf({ ...place, tenant: 'other', model: 'told' }, 8192)).toBeUndefined()
  })
})

describe('a window that two keys agree on', () => {
  const whole = (sent: number): ReadCall['usage'] => ({ prompt: sent })
  const keyOf = (owner: string): CurveKey => ({ ...place, owner })
  const agreed = (now?: () => number): ReadCurves => {
    const readings = createReadCurves({ now })
    for (const owner of ['a', 'b'])
      grow(readings, {
        calls: 30,
        by: 135,
        count: (sent) => ({ prompt: Math.min(sent, 2048) }),
        place: keyOf(owner),
        trust: 'shared',
      })
    expect(readings.windowOf(keyOf('c'), 8192)?.window).toBe(2048)
    return readings
  }

  test.each<[calls: string, more: Partial<Parameters<typeof grow>[1]>, window: number | undefined]>([
    ['a trusted key has more read', { count: whole }, undefined],
    ['a key without trust has more read', { count: whole, trust: 'none' }, 2048],
    ['a trusted key has as much read', { count: whole, calls: 15 }, 2048],
    ['a trusted key has more read than a server can that says 8192', { count: whole, by: 8200, calls: 4 }, 2048],
  ])('after %s', (_, more, window) => {
    const readings = agreed()
    grow(readings, { calls: 30, by: 135, count: whole, place: keyOf('c'), trust: 'shared', ...more })
    for (const owner of ['a', 'b', 'c', 'd']) expect(readings.windowOf(keyOf(owner), 8192)?.window).toBe(window)
  })

  test('is not ended by what was read before', () => {
    const readings = createReadCurves()
    const trust = 'shared'
    grow(readings, { calls: 30, by: 135, count: whole, place: keyOf('c'), trust })
    for (const owner of ['a', 'b'])
      grow(readings, {
        calls: 30,
        by: 135,
        count: (sent) => ({ prompt: Math.min(sent, 2048) }),
        place: keyOf(owner),
        trust,
      })
    grow(readings, { calls: 1, by: 135, count: () => ({}), place: keyOf('c'), trust })
    expect(readings.windowOf(keyOf('c'), 8192)?.window).toBe(2048)
  })

  test('ends an hour after the newest truncation', () => {
    let now = 5000
    const readings = agreed(() => now)
    const window = (): number | undefined => readings.windowOf(keyOf('c'), 8192)?.window
    const again = (calls: number): void => {
      for (const owner of ['a', 'b'])
        grow(readings, {
          calls,
          by: 135,
          count: (sent) => ({ prompt: Math.min(sent, 2048) }),
          place: keyOf(owner),
          thread: `${calls} at ${now}`,
          trust: 'shared',
        })
    }
    now += 3_000_000
    expect(window()).toBe(2048)
    again(30)
    now += 3_000_000
    expect(window()).toBe(2048)
    // What fits says nothing.
    again(12)
    now += 600_000
    expect(window()).toBeUndefined()
    again(30)
    expect(window()).toBe(2048)
  })
})

const amount = fc.nat({ max: 200_000 })
const call: fc.Arbitrary<ReadCall> = fc.record({
  thread: fc.constantFrom('one', 'two', 'three'),
  sent: amount,
  sure: amount,
  optional: fc.nat({ max: 1000 }),
  reused: amount,
  tools: fc.nat({ max: 1000 }),
  images: fc.nat({ max: 2 }),
  usage: fc
    .record({ prompt: fc.option(amount, { nil: undefined }), cached: fc.option(amount, { nil: undefined }) })
    .map(({ prompt, cached }) => ({
      ...(prompt !== undefined && { prompt }),
      ...(cached !== undefined && { cached }),
    })),
  told: fc.option(fc.constantFrom(2048, 8192), { nil: undefined }),
  countsRead: fc.boolean(),
  countsWhole: fc.boolean(),
  alone: fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const, undefined),
})

describe('whatever servers report', () => {
  test('the same calls have the same readings, nothing in them is changed, and a window is a whole number', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
        const text = JSON.stringify(calls)
        const [one, other] = [createReadCurves(), createReadCurves()]
        const readings = calls.map((each) => one.note(place, each))
        expect(calls.map((each) => other.note(place, each))).toEqual(readings)
        expect(JSON.stringify(calls)).toBe(text)
        expect(
          readings.every(({ truncated }, index) => calls[index]!.usage.prompt !== undefined || truncated === 'unknown'),
        ).toBe(true)
        const seen = one.windowOf(place)
        expect(seen === undefined || (Number.isSafeInteger(seen.window) && seen.window > 0)).toBe(true)
      }),
    )
  })

  test('of the calls of a place the newest are kept', () => {
    const last = (points: number): string => {
      const readings = createReadCurves({ points })
      grow(readings, { calls: 10, by: 135, count: (sent) => ({ prompt: sent }) })
      for (let other = 0; other < 8; other++)
        readings.note(place, {
          thread: `other ${other}`,
          sent: 500,
          sure: 490,
          optional: 0,
          reused: 0,
          tools: 0,
          images: 0,
          usage: { prompt: 500 },
        })
      return readings.note(place, {
        thread: 'one',
        sent: 1485,
        sure: 1397,
        optional: 0,
        reused: 1350,
        tools: 0,
        images: 0,
        usage: { prompt: 1485 },
        countsRead: true,
      }).truncated
    }
    expect([last(64), last(8)]).toEqual(['no', 'unknown'])
  })

  test('of many places those that were used last are kept', () => {
    const readings = createReadCurves({ places: 3 })
    const placeOf = (tenant: number): typeof place => ({ ...place, tenant: String(tenant) })
    for (let tenant = 0; tenant < 5; tenant++) learn(readings, placeOf(tenant))
    expect([0, 1, 2, 3, 4].map((tenant) => readings.windowOf(placeOf(tenant))?.window)).toEqual([
      undefined,
      undefined,
      2048,
      2048,
      2048,
    ])
  })

  test.each<[what: string, placeOf: (number: number) => CurveKey]>([
    ['a key with many models loses its own', (number) => ({ ...place, owner: 'many', model: `m${number}` })],
    ['a tenant with many keys loses its own', (number) => ({ ...place, tenant: 'many', owner: `k${number}` })],
  ])('if there are too many, %s', (_, placeOf) => {
    const readings = createReadCurves({ places: 8 })
    const others = [place, { ...place, model: 'other' }, { ...place, tenant: 'other' }]
    for (const other of others) learn(readings, other)
    for (let number = 0; number < 20; number++) learn(readings, placeOf(number))
    for (const other of others) expect(readings.windowOf(other)?.window).toBe(2048)
    expect([13, 15, 19].map((number) => readings.windowOf(placeOf(number))?.window)).toEqual([undefined, 2048, 2048])
  })
})

/** Lets a place learn that its window is 2048. */
function learn(readings: ReadCurves, at: CurveKey): void {
  for (let index = 0; index < 30; index++)
    readings.note(at, {
      thread: 'one',
      sent: 135 * (index + 1),
      sure: 130 * (index + 1),
      optional: 0,
      reused: 135 * index,
      tools: 0,
      images: 0,
      usage: { prompt: Math.min(2048, 135 * (index + 1)) },
      countsWhole: true,
    })
}
