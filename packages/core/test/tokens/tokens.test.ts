import { describe, expect, test } from 'vitest'
import { MinutebookError } from '../../src/log/error.ts'
import { estimator } from '../../src/tokens/estimator.ts'
import { checkedCount, countTools, overheadOf, type Overhead, type TokenCounter } from '../../src/tokens/tokens.ts'

const counter = (overhead: Overhead, count: (text: string) => number = (text) => text.length): TokenCounter => ({
  name: 'letters',
  count,
  overhead,
})

describe('overheadOf', () => {
  const table: readonly [given: Overhead, full: object][] = [
    [0, { message: 0, prompt: 0, call: 0, image: 768 }],
    [4, { message: 4, prompt: 0, call: 4, image: 768 }],
    [
      { message: 4, prompt: 3 },
      { message: 4, prompt: 3, call: 4, image: 768 },
    ],
    [
      { message: 1, prompt: 2, call: 3, image: 4 },
      { message: 1, prompt: 2, call: 3, image: 4 },
    ],
    [
      { message: 5, call: 0, image: 0 },
      { message: 5, prompt: 0, call: 0, image: 0 },
    ],
  ]
  test.each(table)('%j', (given, full) => expect(overheadOf(counter(given))).toEqual(full))

  const broken: readonly [given: Overhead, part: string][] = [
    [Number.NaN, 'overhead.message is NaN'],
    [-1, 'overhead.message is -1'],
    [{ message: 1, prompt: Infinity }, 'overhead.prompt is Infinity'],
    [{ message: 1, image: Infinity }, 'overhead.image is Infinity'],
  ]
  test.each(broken)('refuses %j', (given, part) => expect(() => overheadOf(counter(given))).toThrow(part))
})

describe('countTools', () => {
  test('is the JSON of each and the overhead of a call', () => {
    expect(countTools(counter({ message: 9, call: 10 }), [{ a: 1 }, { b: 'x' }])).toBe(
      '{"a":1}'.length + '{"b":"x"}'.length + 20,
    )
  })
  test('is 0 without tools', () => expect(countTools(counter(4), [])).toBe(0))
  test('counts what has no JSON as it is on record, as null', () => expect(countTools(counter(4), [undefined])).toBe(8))
  test('is the same in whatever order the fields come', () =>
    expect(
      countTools(estimator, [
        { type: 'function', function: { parameters: { required: ['a'], properties: { b: {}, a: {} } }, name: 'now' } },
      ]),
    ).toBe(
      countTools(estimator, [
        { function: { name: 'now', parameters: { properties: { a: {}, b: {} }, required: ['a'] } }, type: 'function' },
      ]),
    ))
})

describe('checkedCount', () => {
  test('passes a good count on', () => expect(checkedCount(counter(0), 'four')).toBe(4))

  test('rounds a fraction up', () => {
    expect(checkedCount({ name: 'quarter', count: (text) => text.length / 4, overhead: 0 }, 'seven..')).toBe(2)
    expect(overheadOf({ name: 'half', count: () => 0, overhead: { message: 3.5, prompt: 0.5 } })).toEqual({
      message: 4,
      prompt: 1,
      call: 4,
      image: 768,
    })
  })

  test.each([Number.NaN, -1, Infinity, undefined as unknown as number, '3' as unknown as number])(
    'refuses %s',
    (count) => {
      const broken = counter(0, () => count)
      const error = caught(() => checkedCount(broken, 'four'))
      expect(MinutebookError.isInstance(error) && error.code).toBe('counter_broken')
      expect(error).toMatchObject({ message: expect.stringContaining('"letters"'), details: { counter: 'letters' } })
    },
  )
})

function caught(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return error
  }
}
