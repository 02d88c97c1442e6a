import { describe, expect, test } from 'vitest'
import {
  at,
  between,
  columnOf,
  nextPlace,
  keeping,
  knownAt,
  lastNotAfter,
  mapped,
  push,
  upTo,
  type Column,
} from '../../src/compiler/columns.ts'

const forgotten = expect.objectContaining({ code: 'not_loaded' })
/** 0, 10, 20, … 90, of which 20, 30, 40 and 60 are forgotten. */
const column: Column<number> = keeping(columnOf(0, 10, 20, 30, 40, 50, 60, 70, 80, 90), 10, 7, [0, 1, 5])

describe('a column that has forgotten its beginning', () => {
  test('knows single places of it, and all that follows', () => {
    expect([0, 1, 5, 7, 9].map((place) => at(column, place))).toEqual([0, 10, 50, 70, 90])
    for (const place of [2, 4, 6]) expect(() => at(column, place)).toThrow(forgotten)
    expect(knownAt(column.older, 2)).toBeUndefined()
  })

  test('grows, is copied and is changed like any other', () => {
    const copy = upTo(column, 9)
    push(copy, 85)
    expect([nextPlace(copy), at(copy, 9), at(column, 9)]).toEqual([10, 85, 90])
    expect(
      at(
        mapped(column, (value) => `${value}!`),
        5,
      ),
    ).toBe('50!')
  })

  test('has no stretch of what is forgotten', () => {
    expect(between(column, 7, 9)).toEqual([70, 80])
    expect(between(column, 5, 5)).toEqual([])
    expect(() => between(column, 5, 9)).toThrow(forgotten)
    expect(() => keeping(column, 10, 6, [])).toThrow(forgotten)
    expect(keeping(column, 10, 8, [5])).toEqual({ from: 8, values: [80, 90], older: [[5, 50]] })
  })

  test.each([
    [-1, -1],
    [0, 0],
    [9, 0],
    [70, 7],
    [95, 9],
  ])('finds that the last not after %i stands in place %i', (number, place) => {
    expect(lastNotAfter(column, 10, number)).toBe(place)
  })

  test.each([10, 15, 20, 45, 50, 69])(
    'does not guess the last that is not after %i, where the next is forgotten',
    (number) => {
      expect(() => lastNotAfter(column, 10, number)).toThrow(forgotten)
    },
  )

  test('looks no further than it is told', () => {
    expect(lastNotAfter(column, 8, 95)).toBe(7)
    expect(lastNotAfter(columnOf<number>(), 0, 5)).toBe(-1)
  })
})
