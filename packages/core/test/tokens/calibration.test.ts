import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimator } from '../../src/tokens/estimator.ts'
import { calibrated, counterNamed, overheadOf, type TokenCounter, type UsageSample } from '../../src/tokens/tokens.ts'
import { cases } from '../../../../tests/support/runs.ts'

const letters: TokenCounter = {
  name: 'letters',
  count: (text) => text.length,
  overhead: { message: 10, prompt: 3, call: 0, image: 100 },
}
const sample = (predicted: number, reported: number): UsageSample => ({ predicted, reported })
const repeated = (times: number, one: UsageSample): UsageSample[] => Array.from({ length: times }, () => one)

describe('calibrated', () => {
  const table: readonly [what: string, samples: readonly UsageSample[], name: string][] = [
    ['one sample has a wide margin', [sample(1000, 800)], 'letters×0.90 (1)'],
    ['ten samples have a narrow one', repeated(10, sample(1000, 800)), 'letters×0.83 (10)'],
    ['the worst of them decides', [...repeated(9, sample(1000, 500)), sample(1000, 900)], 'letters×0.93 (10)'],
    ['too low a counter is raised', repeated(10, sample(1000, 1400)), 'letters×1.45 (10)'],
    ['only the last 32 count', [sample(1000, 1900), ...repeated(32, sample(1000, 500))], 'letters×0.52 (32)'],
    ['never above 3', repeated(10, sample(1000, 4900)), 'letters×3.00 (10)'],
    ['never below 0.25', repeated(10, sample(1000, 210)), 'letters×0.25 (10)'],
    ['a report of the uncached rest is ignored', [sample(1000, 40), sample(1000, 800)], 'letters×0.90 (1)'],
    ['a report of another prompt is ignored', [sample(1000, 9000), sample(1000, 800)], 'letters×0.90 (1)'],
    ['a tiny prompt is ignored', [sample(3, 9), sample(1000, 800)], 'letters×0.90 (1)'],
  ]
  test.each(table)('%s', (_, samples, name) => expect(calibrated(letters, samples).name).toBe(name))

  const nonsense: readonly UsageSample[] = [
    sample(1000, 0),
    sample(0, 1000),
    sample(Number.NaN, 5),
    sample(1000, Number.NaN),
    sample(1000, Infinity),
    sample(-10, -10),
  ]
  test('is the counter itself without a sensible sample', () => {
    expect(calibrated(letters, [])).toBe(letters)
    expect(calibrated(letters, nonsense)).toBe(letters)
  })

  test('scales counts and overhead, rounding up', () => {
    const scaled = calibrated(letters, [sample(1000, 800)])
    expect([0, 1, 10, 11, 1000].map((length) => scaled.count('x'.repeat(length)))).toEqual([0, 1, 9, 10, 900])
    expect(overheadOf(scaled)).toEqual({ message: 9, prompt: 3, call: 0, image: 90 })
  })

  test('does not round a whole product up', () => {
    const scaled = calibrated(letters, repeated(10, sample(10_000, 10_670)))
    expect(scaled.name).toBe('letters×1.10 (10)')
    expect(scaled.count('x'.repeat(100))).toBe(110)
  })

  test('covers every recent prompt that it learned from', () => {
    const ratio = fc.tuple(fc.integer({ min: 100, max: 100_000 }), fc.double({ min: 0.3, max: 2.5, noNaN: true }))
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 1, maxLength: 32 }), (pairs) => {
        const samples = pairs.map(([predicted, factor]) => sample(predicted, Math.round(predicted * factor)))
        const counter = calibrated(letters, samples)
        for (const { predicted, reported } of samples)
          expect(counter.count('x'.repeat(predicted))).toBeGreaterThanOrEqual(reported)
      }),
      { numRuns: cases('few') },
    )
  })

  test('the estimator says so in its name', () =>
    expect(calibrated(estimator, [sample(1200, 1000)]).name).toBe('estimate@1×0.94 (1)'))
})

describe('the margin of a calibration', () => {
  const table: readonly [
    what: string,
    samples: readonly UsageSample[],
    margin: { below: number; above: number } | undefined,
  ][] = [
    ['is not known from 19 samples', repeated(19, sample(1000, 800)), undefined],
    [
      'is a tenth to either side of samples that agree',
      repeated(20, sample(1000, 800)),
      { below: 1 - (0.8 * 0.9) / 0.82, above: (0.8 * 1.1) / 0.82 - 1 },
    ],
    [
      'is wider by what lies between samples that do not, below by half of it',
      [...repeated(19, sample(1000, 500)), sample(1000, 700)],
      { below: 1 - 0.4 / 0.72, above: 0.9 / 0.72 - 1 },
    ],
  ]
  test.each(table)('%s', (_, samples, margin) => {
    const known = calibrated(letters, samples).margin
    expect(known && { below: known.below.toFixed(6), above: known.above.toFixed(6) }).toEqual(
      margin && { below: margin.below.toFixed(6), above: margin.above.toFixed(6) },
    )
  })

  test('holds every sample that it was made of', () => {
    const samples = fc.array(
      fc.record({
        predicted: fc.integer({ min: 100, max: 9000 }),
        ratio: fc.double({ min: 0.3, max: 2.5, noNaN: true }),
      }),
      { minLength: 20, maxLength: 32 },
    )
    fc.assert(
      fc.property(samples, (given) => {
        const known = given.map(({ predicted, ratio }) => sample(predicted, Math.round(predicted * ratio)))
        const { margin, scales } = calibrated(letters, known)
        for (const { predicted, reported } of known) {
          expect(reported).toBeGreaterThanOrEqual(Math.floor(predicted * scales!.factor * (1 - margin!.below)))
          expect(reported).toBeLessThanOrEqual(Math.ceil(predicted * scales!.factor * (1 + margin!.above)))
        }
      }),
    )
  })
})

describe('a counter of the past', () => {
  const earlier = calibrated(letters, repeated(23, sample(1000, 900)))
  const later = calibrated(letters, repeated(30, sample(1000, 1100)))
  const twice = calibrated(earlier, repeated(5, sample(1000, 700)))

  test.each([
    ['the counter itself', letters],
    ['a later calibration', later],
    ['the same one', earlier],
  ] as const)('is made again from its name and %s', (_, atHand) => {
    const again = counterNamed(earlier.name, atHand)!
    expect([again.name, overheadOf(again)]).toEqual([earlier.name, overheadOf(earlier)])
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => again.count(text) === earlier.count(text)))
  })

  test('may be a calibration of a calibration', () =>
    expect(counterNamed(twice.name, later)?.count('x'.repeat(1000))).toBe(twice.count('x'.repeat(1000))))

  test.each(['words', 'letters×', 'letters×0.9 (3)', 'letters×0.90', 'letters×0.90 (3', 'other×0.90 (3)', '×0.90 (3)'])(
    'is unknown where its name is %s',
    (name) => expect(counterNamed(name, later)).toBeUndefined(),
  )
})
