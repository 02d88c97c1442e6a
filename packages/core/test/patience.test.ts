import { expect, test } from 'vitest'
import { measurePatience, patience, patienceFrom, patienceLine, within } from '../../../tests/support/patience.ts'

test('limits are multiplied with what was measured, and never become shorter', () => {
  expect(patience).toBeGreaterThanOrEqual(1)
  expect(within(1000)).toBe(Math.ceil(1000 * patience))
})

test.each(['0', '0.9', '-1', 'x', 'Infinity', ''])('"%s" is no patience', (given) => {
  expect(() => patienceFrom(given)).toThrow('TEST_PATIENCE must be a number of 1 or more')
})

test('where nobody says how much there is, it is 1', () => {
  expect([patienceFrom(undefined), patienceFrom('2.5')]).toEqual([1, 2.5])
})

test('a bare loop tells how much there must be, and people how it was found', async () => {
  const measured = await measurePatience()
  expect(measured.factor).toBeGreaterThanOrEqual(1)
  expect(measured.factor).toBeLessThanOrEqual(10)
  expect(measured.cores).toBeGreaterThan(0)
  expect(patienceLine(measured)).toMatch(
    /^patience [\d.]+: a bare loop on two threads took \d+ ms, \d+ of them on a core \(\d+ on the machine of reference\); [\d.]+ of 2 cores were free$/,
  )
})
