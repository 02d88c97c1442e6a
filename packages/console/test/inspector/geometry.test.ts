import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases } from '../../../../tests/support/runs.ts'
import { runs, sections } from '../../src/inspector/geometry.ts'

describe('a strip', () => {
  test.each([
    ['is to scale', [1, 2, 1], 100, 1, [25, 50, 25]],
    ['shows what is tiny', [1000, 1], 100, 2, [98, 2]],
    ['shows what is nothing', [1, 0], 10, 1, [9, 1]],
    ['is even where nothing has a size', [0, 0], 10, 1, [5, 5]],
    ['is even where nothing has a size and none needs one', [0, 0], 10, 0, [5, 5]],
    ['is even where it is too narrow for all', [5, 1, 1, 1], 2, 1, [0.5, 0.5, 0.5, 0.5]],
    ['is empty without anything', [], 10, 1, []],
  ] as const)('%s', (_, sizes, width, least, widths) => {
    expect(sections(sizes, width, least).map((section) => section.width)).toEqual(widths)
  })

  test('is as wide as it is, in order, without gaps, none too narrow, and to scale but for what is lent to the narrow', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(8192), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 50, max: 2000 }),
        fc.integer({ min: 0, max: 4 }),
        (sizes, width, least) => {
          const found = sections(sizes, width, least)
          const total = found.reduce((sum, { width: own }) => sum + own, 0)
          expect(total).toBeCloseTo(width, 6)
          let from = 0
          for (const section of found) {
            expect(section.from).toBeCloseTo(from, 6)
            expect(section.width).toBeGreaterThanOrEqual(least - 1e-9)
            from += section.width
          }
          const sum = sizes.reduce((before, size) => before + size, 0)
          for (const [index, size] of sizes.entries())
            if (sum > 0)
              expect(Math.abs(found[index]!.width - (size / sum) * width)).toBeLessThanOrEqual(
                least * sizes.length + 1e-6,
              )
        },
      ),
      { numRuns: cases('sections') },
    )
  })
})

describe('runs', () => {
  test('gather neighbours that are alike, and only those', () => {
    expect(
      runs(
        ['a', 'a', 'b', 'a'],
        (letter) => letter,
        () => 2,
      ),
    ).toEqual([
      { key: 'a', from: 0, count: 2, size: 4 },
      { key: 'b', from: 2, count: 1, size: 2 },
      { key: 'a', from: 3, count: 1, size: 2 },
    ])
  })

  test('hold every item once', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (letters) => {
        const found = runs(
          letters,
          (letter) => letter,
          () => 1,
        )
        expect(found.flatMap(({ key, count }) => Array.from({ length: count }, () => key))).toEqual(letters)
      }),
      { numRuns: cases('sections') },
    )
  })
})
