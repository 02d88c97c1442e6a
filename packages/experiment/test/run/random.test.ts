import fc from 'fast-check'
import { seeded } from '@minutebook/experiment/run'
import { expect, test } from 'vitest'

test('the same place has the same chance, another place or seed another', () => {
  fc.assert(
    fc.property(fc.integer(), fc.string(), fc.string(), (seed, place, other) => {
      const draw = (...at: Parameters<typeof seeded>): readonly number[] => {
        const random = seeded(...at)
        return Array.from({ length: 5 }, () => random.next())
      }
      expect(draw(seed, place)).toEqual(draw(seed, place))
      if (other !== place) expect(draw(seed, other)).not.toEqual(draw(seed, place))
      expect(draw(seed + 1, place)).not.toEqual(draw(seed, place))
      expect(new Set(draw(seed, place)).size).toBe(5)
    }),
  )
})

test('numbers are below one, whole numbers between their ends, and what is picked is of the list', () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.integer({ min: -1000, max: 1000 }),
      fc.nat(50),
      fc.array(fc.integer(), { minLength: 1 }),
      (seed, low, span, items) => {
        const random = seeded(seed, 'here')
        const [number, whole, picked] = [random.next(), random.integer(low, low + span), random.pick(items)]
        expect(number >= 0 && number < 1).toBe(true)
        expect(Number.isInteger(whole) && whole >= low && whole <= low + span).toBe(true)
        expect(items).toContain(picked)
      },
    ),
  )
})

test('each number comes about as often as the others', () => {
  const random = seeded(7, 'dice')
  const counts = Array.from({ length: 6 }, () => 0)
  for (let thrown = 0; thrown < 6000; thrown++) counts[random.integer(1, 6) - 1]!++
  expect(Math.min(...counts)).toBeGreaterThan(880)
  expect(Math.max(...counts)).toBeLessThan(1120)
})

test('what comes out is written down here, so that runs on record can be played again by later versions', () => {
  const random = seeded(7, 'roundStart 3')
  expect([random.next(), random.integer(1, 100), random.pick(['sunny', 'cloudy', 'rainy'])]).toMatchInlineSnapshot(`
    [
      0.24623815977326413,
      11,
      "sunny",
    ]
  `)
})
