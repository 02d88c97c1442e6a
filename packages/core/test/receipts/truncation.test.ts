import fc from 'fast-check'
import { tokensRead } from 'minutebook/wire'
import { describe, expect, test } from 'vitest'
import { findTruncation, shiftLimits, type CheckedCall } from '../../src/receipts/truncation.ts'

const call: CheckedCall = { low: 3800, high: 4200, predicted: 4000, reused: 0, usage: {} }

const table: readonly (readonly [name: string, facts: Partial<CheckedCall>, truncated: string])[] = [
  ['nothing is reported', {}, 'unknown'],
  ['the counter does not know its margin', { low: undefined, high: undefined, usage: { prompt: 100 } }, 'unknown'],
  ['the count is in the interval', { usage: { prompt: 3800 } }, 'no'],
  ['the count is above it', { usage: { prompt: 9000 } }, 'no'],
  ['the count is below it', { usage: { prompt: 3799 } }, 'yes'],
  ['the count is below it, with a part of it cached', { usage: { prompt: 3000, cached: 2000 } }, 'yes'],
  ['the cached part stands beside the count', { usage: { prompt: 500, cached: 3500 } }, 'no'],
  ['the cached part stands beside the count, and both are too few', { usage: { prompt: 500, cached: 2000 } }, 'yes'],
  [
    'a half is left of the window',
    { usage: { prompt: 2048 }, reused: 3900, upstream: { window: 4096, keep: 0 } },
    'yes',
  ],
  ['a half and one are left', { usage: { prompt: 2049 }, reused: 3900, upstream: { window: 4096, keep: 0 } }, 'yes'],
  [
    'a half is left, with what Ollama keeps',
    { usage: { prompt: 2050 }, reused: 3900, upstream: { window: 4096 } },
    'yes',
  ],
  [
    'a half is left of a window that only counts what is not cached',
    { usage: { prompt: 2050 }, upstream: { window: 4096, counts: 'uncached' } },
    'yes',
  ],
  ['the count may be of what was not in the cache', { usage: { prompt: 400 }, reused: 3700 }, 'unknown'],
  ['the count may not be that: more was new', { usage: { prompt: 2500 }, reused: 3700 }, 'yes'],
  ['the count is of all of it', { usage: { prompt: 400 }, reused: 3700, upstream: { counts: 'whole' } }, 'yes'],
  ['the count is of what is not cached', { usage: { prompt: 2500 }, upstream: { counts: 'uncached' } }, 'unknown'],
  ['the count is so small that it can only be the uncached part', { usage: { prompt: 700 } }, 'unknown'],
  [
    'the count is what is left of a usual window, and nothing of it was sent before',
    { usage: { prompt: 1024 } },
    'yes',
  ],
  ['the same, if a part of it was', { usage: { prompt: 1024 }, reused: 3000 }, 'unknown'],
]

describe('the count of one call', () => {
  test.each(table)('where %s', (_, facts, truncated) => expect(findTruncation({ ...call, ...facts })).toBe(truncated))

  const interval = fc
    .tuple(
      fc.integer({ min: 1, max: 100_000 }),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    .map(([predicted, below, above, share]): CheckedCall => ({
      predicted,
      low: Math.floor(predicted * (1 - below)),
      high: Math.ceil(predicted * (1 + above)),
      reused: Math.floor(predicted * share),
      usage: {},
    }))
  const upstream = fc.record({
    window: fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: undefined }),
    keep: fc.option(fc.nat({ max: 8 }), { nil: undefined }),
    counts: fc.constantFrom('whole' as const, 'uncached' as const, 'unsure' as const, undefined),
  })

  test('never says yes to a count in the interval, whatever else is known', () => {
    fc.assert(
      fc.property(
        interval,
        upstream,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.option(fc.nat({ max: 100_000 }), { nil: undefined }),
        (facts, known, share, cached) => {
          const prompt = facts.low! + Math.floor((facts.high! - facts.low!) * share)
          expect(
            findTruncation({ ...facts, usage: { prompt, ...(cached !== undefined && { cached }) }, upstream: known }),
          ).toBe('no')
        },
      ),
    )
  })

  const usual = new Set(
    [2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072].flatMap((window) => shiftLimits({ window })),
  )

  // Except for one coincidence: the prompt shares nothing with the one before, another thread has filled the cache, and
  // what was not cached is, to the token, half of a usual window. A cut by a server that hides its window looks the same.
  test('never says yes to an honest count of the uncached part, whether it is told so or not', () => {
    fc.assert(
      fc.property(interval, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (facts, share, isTold) => {
        const rest = Math.max(0, facts.high! - Math.floor((facts.reused * facts.low!) / facts.predicted))
        const prompt = Math.floor((facts.reused > 0 ? rest : facts.predicted / 5) * share)
        fc.pre(isTold || facts.reused > 0 || !usual.has(prompt))
        expect(
          findTruncation({ ...facts, usage: { prompt }, upstream: isTold ? { counts: 'uncached' } : {} }),
        ).not.toBe('yes')
      }),
    )
  })

  test('always says yes to a cut that is larger than the interval, where counts are of the whole', () => {
    fc.assert(
      fc.property(interval, fc.nat({ max: 100_000 }), fc.boolean(), (facts, cut, hasCache) => {
        const prompt = facts.high! - (facts.high! - facts.low!) - 1 - cut
        fc.pre(prompt >= 0)
        const usage = hasCache ? { prompt, cached: Math.min(prompt, 7) } : { prompt }
        expect(findTruncation({ ...facts, usage, upstream: hasCache ? {} : { counts: 'whole' } })).toBe('yes')
      }),
    )
  })

  test('always says yes to what is left when an upstream shifts, whatever it counts', () => {
    fc.assert(
      fc.property(interval, upstream, fc.nat({ max: 3 }), (facts, known, which) => {
        const prompt = shiftLimits(known).at(which)
        fc.pre(prompt !== undefined && prompt < facts.low!)
        expect(findTruncation({ ...facts, usage: { prompt: prompt! }, upstream: known })).toBe('yes')
      }),
    )
  })
})

test('what a server read includes what it had in its cache, wherever it counts that', () => {
  expect([{ prompt: 120, cached: 1800 }, { prompt: 1920, cached: 1800 }, { prompt: 1920 }, {}].map(tokensRead)).toEqual(
    [1920, 1920, 1920, undefined],
  )
})
