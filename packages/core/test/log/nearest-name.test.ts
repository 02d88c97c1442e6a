import { editDistance, nearestName } from 'minutebook/inspect'
import { expect, test } from 'vitest'

test.each([
  ['csh', ['weather', 'cash'], 'cash'],
  ['CASH', ['cash'], 'cash'],
  ['bobby', ['alice', 'bob'], 'bob'],
  ['ab', ['ba'], 'ba'],
  ['debt', ['cash'], undefined],
  ['x'.repeat(65), ['x'.repeat(65)], undefined],
  ['cash', [], undefined],
])('%s among %j', (name, known, near) => {
  expect(nearestName(name, known)).toBe(near)
})

test('of several the nearest, and of those the first', () => {
  expect(nearestName('stand', ['strand', 'stands', 'stand1', 'band'])).toBe('strand')
  expect(nearestName('lemonade', ['lemonide', 'lemonaed', 'lemonade'])).toBe('lemonade')
})

test('a distance is exact up to the limit, and beyond it infinite', () => {
  const words = ['', 'a', 'ab', 'ba', 'abc', 'cab', 'cash', 'csah', 'stand', 'strand', 'weather', 'whether']
  for (const one of words)
    for (const other of words) {
      const exact = editDistance(one, other, 100)
      expect(exact).toBe(editDistance(other, one, 100))
      for (let most = 0; most < 8; most++)
        expect(editDistance(one, other, most), `${one} ${other} ${most}`).toBe(exact <= most ? exact : Infinity)
    }
  expect(editDistance('weather', 'whether', 3)).toBe(2)
  expect(editDistance('ab', 'ba', 1)).toBe(1)
})
