import { callCost, callTimeText, newTokens } from '@minutebook/inspect'
import type { Receipt } from 'minutebook/inspect'
import { describe, expect, test } from 'vitest'

const price = { input: 1, cached: 0.1, output: 10, currency: 'USD' }

describe('what a call cost', () => {
  test.each([
    ['tokens of the prompt and of the answer', { prompt: 1000, completion: 100 }, 0.002],
    ['cached tokens for less', { prompt: 1000, cached: 800, completion: 0 }, 0.00028],
    ['cached tokens that the prompt does not count', { prompt: 200, cached: 800 }, 0.00028],
    ['an answer without a count of the prompt', { completion: 100 }, 0.001],
  ])('is %s', (_, reported, amount) => {
    const cost = callCost(reported, price)
    expect(cost?.currency).toBe('USD')
    expect(cost?.amount).toBeCloseTo(amount, 10)
  })

  test('has a price of its own for what was written to the cache', () => {
    const reported = { prompt: 1000, cached: 100, written: 800 }
    expect(callCost(reported, { ...price, written: 1.25 })?.amount).toBeCloseTo(0.00111, 10)
    expect(callCost(reported, price)?.amount).toBeCloseTo(0.00091, 10)
    const { cached: _, ...plain } = price
    expect(callCost(reported, plain)?.amount).toBeCloseTo(0.001, 10)
  })

  test('is not known without a price, or without counts', () => {
    expect(callCost({ prompt: 1000 }, undefined)).toBeUndefined()
    expect(callCost({ seconds: 2 }, price)).toBeUndefined()
  })
})

describe('the time of a call in one line', () => {
  const started = '2026-11-18T12:00:00.000Z'
  const tokens = { predicted: 2000, reused: 73, reported: { prompt: 1772, cached: 73, completion: 180 } }
  const lines: readonly (readonly [string, Pick<Receipt, 'time' | 'tokens'>, number | undefined])[] = [
    [
      '4.1 s: waited 2.9 s (1,699 new tokens), wrote 1.2 s, 180 tokens, 0.0021 USD',
      { time: { started, firstToken: 2900, total: 4100 }, tokens },
      0.002149,
    ],
    ['4.1 s (1,699 new tokens), 180 tokens', { time: { started, total: 4100 }, tokens }, undefined],
    [
      '40 ms: waited 30 ms (1 new token), wrote 10 ms',
      { time: { started, firstToken: 30, total: 40 }, tokens: { predicted: 74, reused: 73, reported: {} } },
      undefined,
    ],
    ['180 tokens, 1,234.50 USD', { tokens }, 1234.5],
  ]
  test.each(lines)('%s', (line, receipt, amount) => {
    expect(callTimeText(receipt, amount === undefined ? {} : { cost: { amount, currency: 'USD' } })).toBe(line)
  })

  test('is nothing if nothing is known', () => {
    expect(callTimeText({ tokens: { ...tokens, reported: {} } }, { cost: null })).toBeUndefined()
  })

  test('counts as new what was not in the cache, or else what the previous prompt did not have', () => {
    expect(newTokens({ tokens })).toBe(1699)
    expect(newTokens({ tokens: { ...tokens, reused: 500, reported: { prompt: 1000 } } })).toBe(750)
    expect(newTokens({ tokens }, { total: 1772, kept: 72 })).toBe(1700)
    expect(newTokens({ tokens: { ...tokens, reported: {} } })).toBe(1927)
    expect(newTokens({ tokens: { predicted: 10, reused: 10, reported: { prompt: 8 } } })).toBe(0)
  })
})
