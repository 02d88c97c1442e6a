import { describe, expect, test } from 'vitest'
import { canonicalJson, maxJsonDepth, isTooDeep, parseJson } from '../../src/log/json.ts'

describe('canonical JSON', () => {
  test.each<[string, unknown, string]>([
    ['keys in order', { b: 1, a: 2 }, '{"a":2,"b":1}'],
    ['keys in order, all the way down', { z: [{ y: 1, x: { w: 2, v: 3 } }] }, '{"z":[{"x":{"v":3,"w":2},"y":1}]}'],
    ['keys by code unit, digits too', { b: 0, B: 0, 10: 0, 9: 0, é: 0 }, '{"10":0,"9":0,"B":0,"b":0,"é":0}'],
    ['a key named __proto__', JSON.parse('{"__proto__":{"x":1},"a":2}'), '{"__proto__":{"x":1},"a":2}'],
    ['no undefined in an object', { a: undefined, b: 1 }, '{"b":1}'],
    ['null for undefined in a list', [undefined, 1], '[null,1]'],
    ['null for a hole in a list', [, 1], '[null,1]'], // oxlint-disable-line no-sparse-arrays
    ['null for undefined alone', undefined, 'null'],
    ['null', null, 'null'],
    ['numbers as JSON has them', [1.0, -0, 1e21, NaN], '[1,0,1e+21,null]'],
    ['half a surrogate pair, escaped', '\ud800', '"\\ud800"'],
    ['a date as JSON has it', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
  ])('%s', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })

  test('does not tell values apart by the order of their keys, nor confuse them otherwise', () => {
    expect(canonicalJson({ a: 1, b: [2, 3] })).toBe(canonicalJson({ b: [2, 3], a: 1 }))
    expect(canonicalJson({ a: [2, 3] })).not.toBe(canonicalJson({ a: [3, 2] }))
    expect(canonicalJson('1')).not.toBe(canonicalJson(1))
  })
})

describe('reading JSON', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

  test.each([
    ['an object', '{"a":1}', { a: 1 }],
    ['a bare value', '3', 3],
    ['no JSON', 'three', undefined],
    ['half of it', '{"a":', undefined],
    ['nothing', '', undefined],
    ['a million levels', nested(1_000_000), undefined],
  ])('%s', (_, text, value) => {
    expect(parseJson(text)).toEqual(value)
  })

  test('stops at the same depth in every runtime', () => {
    expect(parseJson(nested(maxJsonDepth))).toBeDefined()
    expect(parseJson(nested(maxJsonDepth + 1))).toBeUndefined()
  })

  test('a value that contains itself is too deep', () => {
    const circle: { self?: unknown; also?: unknown } = {}
    circle.self = circle
    circle.also = circle
    expect(isTooDeep(circle)).toBe(true)
    expect(isTooDeep({ bytes: new Uint8Array(10_000_000) })).toBe(false)
  })
})
