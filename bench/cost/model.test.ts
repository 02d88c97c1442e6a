import { expect, test } from 'vitest'
import { busy, bytes, demands, needOf, needTable, peak } from './model.ts'

const cost = { instances: 10_000, database: 5_000, stored: 4_000, logged: 8_000 }

test('a load needs what its busiest hour needs, with room to spare', () => {
  // 10 turns a second at the mean.
  const need = needOf(cost, 864_000)
  expect(need.turnsASecond).toBeCloseTo(10 * peak)
  expect(need.instanceCores).toBeCloseTo((10 * peak * 0.01) / busy)
  expect(need.databaseCores).toBeCloseTo(need.instanceCores / 2)
  expect(need.bytesADay).toBe(864_000 * 4_000)
  expect(need.loggedASecond).toBeCloseTo(10 * peak * 8_000)
})

test('a need grows with the turns, and a table has a row for each demand', () => {
  const cores = demands.map(({ turnsADay }) => needOf(cost, turnsADay).instanceCores)
  expect(cores.toSorted((one, other) => one - other)).toEqual(cores)
  expect(needTable(cost).split('\n')).toHaveLength(2 + demands.length)
})

test('without a database server there are no cores and no log of it', () => {
  expect(
    needTable({ ...cost, database: 0, logged: 0 })
      .split('\n')[2]!
      .match(/ – /g),
  ).toHaveLength(2)
})

test.each([
  [0, '0 B'],
  [999, '1,000 B'],
  [4_600, '4.6 kB'],
  [1e15, '1 PB'],
  [12e18, '12,000 PB'],
])('%d bytes are %s', (value, text) => expect(bytes(value)).toBe(text))
