import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBudget, type Budget } from '../../src/http/memory-budget.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Takes amounts, and writes down in which order they were granted or refused. */
function takers(budget: Budget): { readonly take: (name: string, amount: number) => void; readonly ended: string[] } {
  const ended: string[] = []
  return {
    ended,
    take: (name, amount) =>
      void budget.take(name.split(' ', 1)[0]!, amount).then((granted) => ended.push(granted ? name : `not ${name}`)),
  }
}
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)

describe('a budget', () => {
  test('gives one tenant half at most, and another the rest at once', async () => {
    const budget = createBudget({ capacity: 100, patience: 1000, mostWaiting: 10 })
    const { take, ended } = takers(budget)
    for (const name of ['evil 1', 'evil 2', 'evil 3', 'other 1']) take(name, 25)
    await settled()
    expect([ended, budget.held, budget.waiting]).toEqual([['evil 1', 'evil 2', 'other 1'], 75, 1])
    budget.give('evil', 25)
    await settled()
    expect([ended.at(-1), budget.waiting]).toEqual(['evil 3', 0])
  })

  test('serves tenants in turn, and each in the order in which it came', async () => {
    const budget = createBudget({ capacity: 100, patience: 1000, mostWaiting: 10 })
    const { take, ended } = takers(budget)
    await Promise.all([budget.take('first', 50), budget.take('second', 50)])
    for (const name of ['a 1', 'a 2', 'a 3', 'b 1', 'c 1', 'b 2']) take(name, 30)
    for (const tenant of ['first', 'second']) budget.give(tenant, 50)
    await settled()
    expect(ended).toEqual(['a 1', 'b 1', 'c 1'])
    for (const tenant of ['a', 'b', 'c']) budget.give(tenant, 30)
    await settled()
    expect(ended.slice(3)).toEqual(['a 2', 'b 2'])
    for (const tenant of ['a', 'b']) budget.give(tenant, 30)
    await settled()
    expect(ended.slice(5)).toEqual(['a 3'])
    budget.give('a', 30)
    expect([budget.held, budget.waiting]).toEqual([0, 0])
  })

  test('lets a large amount have its turn before small ones that came later', async () => {
    const budget = createBudget({ capacity: 100, patience: 1000, mostWaiting: 10 })
    const { take, ended } = takers(budget)
    await Promise.all([budget.take('a', 50), budget.take('b', 40)])
    take('c 1', 40)
    take('d 1', 5)
    await settled()
    expect(ended).toEqual([])
    budget.give('a', 50)
    await settled()
    expect(ended).toEqual(['c 1', 'd 1'])
  })

  test('lets nobody wait for ever, nor too many, and says while somebody waits', async () => {
    const onShortage = vi.fn()
    const budget = createBudget({ capacity: 100, patience: 2500, mostWaiting: 2, onShortage })
    const { take, ended } = takers(budget)
    for (const name of ['a 1', 'a 2', 'a 3', 'a 4']) take(name, 50)
    await settled()
    expect(ended).toEqual(['a 1', 'not a 4'])
    await vi.advanceTimersByTimeAsync(2500)
    expect([ended, onShortage.mock.calls.length, budget.waiting]).toEqual([
      ['a 1', 'not a 4', 'not a 2', 'not a 3'],
      2,
      0,
    ])
    await vi.advanceTimersByTimeAsync(5000)
    expect(onShortage).toHaveBeenCalledTimes(2)
    expect(await budget.take('a', 51)).toBe(false)
  })

  test('has a part of its own for small amounts, of which one tenant gets half', () => {
    const budget = createBudget({ capacity: 100, patience: 1000, mostWaiting: 10 })
    expect([
      budget.takeSmall('a', 25),
      budget.takeSmall('a', 1),
      budget.takeSmall('b', 25),
      budget.takeSmall('c', 1),
    ]).toEqual([true, false, true, false])
    budget.giveSmall('a', 25)
    expect([budget.takeSmall('c', 1), budget.held]).toEqual([true, 26])
  })
})
