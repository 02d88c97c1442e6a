import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diff, type DiffLine } from '../../src/inspector/diff.ts'

const told = (left: string, right: string, most?: number): string =>
  diff(left.split(''), right.split(''), (letter) => letter, most)
    .map(({ side, item }) => ({ both: ' ', left: '-', right: '+' })[side] + item)
    .join('')
const sideOf = (lines: readonly DiffLine<string>[], side: 'left' | 'right'): string =>
  lines
    .filter((line) => line.side === 'both' || line.side === side)
    .map(({ item }) => item)
    .join('')

describe('a diff', () => {
  test.each([
    ['abc', 'abc', ' a b c'],
    ['', 'ab', '+a+b'],
    ['ab', '', '-a-b'],
    ['abcd', 'abxd', ' a b-c+x d'],
    ['abc', 'bcd', '-a b c+d'],
    ['abcabba', 'cbabac', '-a-b c-a b+a b a+c'],
  ])('of %j and %j is %j', (left, right, lines) => {
    expect(told(left, right)).toHaveLength(lines.length)
    if (left.length < 7) expect(told(left, right)).toBe(lines)
  })

  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 14 }).map((list) => list.join(''))

  test('holds both sides, and is as short as can be', () => {
    fc.assert(
      fc.property(letters, letters, (left, right) => {
        const lines = diff(left.split(''), right.split(''), (letter) => letter)
        expect([sideOf(lines, 'left'), sideOf(lines, 'right')]).toEqual([left, right])
        expect(lines.filter(({ side }) => side === 'both')).toHaveLength(longestCommon(left, right))
      }),
    )
  })

  test('of lists that differ too much still holds both sides', () => {
    fc.assert(
      fc.property(letters, letters, (left, right) => {
        const lines = diff(left.split(''), right.split(''), (letter) => letter, 1)
        expect([sideOf(lines, 'left'), sideOf(lines, 'right')]).toEqual([left, right])
      }),
    )
  })
})

/** By the plain recurrence. */
function longestCommon(left: string, right: string): number {
  const row = Array.from({ length: right.length + 1 }, () => 0)
  for (const letter of left) {
    let corner = 0
    for (let index = 1; index <= right.length; index++) {
      const above = row[index]!
      row[index] = letter === right[index - 1] ? corner + 1 : Math.max(above, row[index - 1]!)
      corner = above
    }
  }
  return row.at(-1)!
}
