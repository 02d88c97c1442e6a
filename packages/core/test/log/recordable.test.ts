import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordable } from '../../src/log/message.ts'

const user = (extra: unknown): { role: string; content: string; extra: unknown } => ({
  role: 'user',
  content: 'x',
  extra,
})

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

describe('a message becomes plain JSON', () => {
  test.each<[string, unknown, unknown]>([
    ['what is plain stays as it is', { b: [1, 'two', null, true], a: {} }, { b: [1, 'two', null, true], a: {} }],
    ['a date is its text', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['what JSON leaves out is left out', { gone: undefined, run: () => 1 }, {}],
    ['a number that is none is null', [Number.NaN, Infinity], [null, null]],
    ['NUL and lone surrogates stay', '\u0000\ud800', '\u0000\ud800'],
    ['499 levels are not too deep', nested(498), nested(498)],
  ])('%s', (_, extra, kept) => {
    const message = user(extra)
    const read = recordable(message)
    expect(read).toEqual(user(kept))
    expect(read).not.toBe(message)
  })

  test('whatever its fields are, it is its own JSON, and another object', () => {
    const field = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.jsonValue(), fc.constant(undefined))
    const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'toJSON', '1', 'content'))
    fc.assert(
      fc.property(fc.array(fc.tuple(name, field)), (fields) => {
        const message = Object.fromEntries([['role', 'user'], ...fields]) as { role: string }
        const kept = recordable(message)
        expect(JSON.stringify(kept)).toBe(JSON.stringify(message))
        expect(kept).toEqual(JSON.parse(JSON.stringify(message)))
        expect(kept).not.toBe(message)
      }),
    )
    expect(recordable(['a'] as never)).toEqual(['a'])
    expect(recordable(new String('ab') as never)).toBe('ab') // oxlint-disable-line no-new-wrappers
  })

  test('keys keep their order, also one that names the prototype', () => {
    const text = '{"role":"user","z":1,"__proto__":{"polluted":true},"a":2}'
    expect(JSON.stringify(recordable(JSON.parse(text) as { role: string }))).toBe(text)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('what JSON cannot hold is refused', () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  test.each<[string, unknown]>([
    ['bytes', new Uint8Array(3)],
    ['bytes in a list', [{ image: new Uint8Array(3) }]],
    ['a buffer', new ArrayBuffer(3)],
    ['a big number', 1n],
    [
      'what throws',
      {
        toJSON: () => {
          throw new Error('no')
        },
      },
    ],
    ['501 levels', nested(501)],
    ['a circle', circle],
  ])('%s', (_, extra) => {
    expect(() => recordable(user(extra))).toThrow(
      expect.objectContaining({
        code: 'malformed_message',
        fix: expect.stringMatching(/^Pass .*\.$/) as string,
        details: { what: expect.any(String) as string },
      }) as Error,
    )
  })
})
