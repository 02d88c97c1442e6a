import fc from 'fast-check'
import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { canBeDoneIn } from '../../../../tests/support/stopwatch.ts'
import { folded, replaced, scanObject, type ObjectSpans } from '../../src/protocol/json-members.ts'

function spansOf(text: string): ObjectSpans {
  const found = scanObject(Buffer.from(text))
  if (typeof found === 'string') throw new Error(found)
  return found
}

function valueOf(text: string, name: string): unknown {
  const span = spansOf(text).members.get(name)
  return span && JSON.parse(Buffer.from(text).subarray(span.from, span.to).toString())
}

const edited = (text: string, changes: Record<string, string | undefined>): string =>
  replaced(Buffer.from(text), spansOf(text), changes).toString()

describe('members of a JSON text', () => {
  test.each([
    ['{"messages":[]}', '[1]', '{"messages":[1]}'],
    ['{ "messages" : [ ] , "a":1}', '[1]', '{ "messages" : [1] , "a":1}'],
    ['{"a":"}\\"messages\\":[]","messages":"x"}', 'null', '{"a":"}\\"messages\\":[]","messages":null}'],
    ['{"mess\\u0061ges":[0],"n":1e400}', '[]', '{"mess\\u0061ges":[],"n":1e400}'],
    ['{"n":12345678901234567890.10,"messages":{"messages":1}}\n', '2', '{"n":12345678901234567890.10,"messages":2}\n'],
    ['{}', '[]', '{"messages":[]}'],
    ['\n{ }', '[]', '\n{ "messages":[]}'],
    ['{"a":[{"messages":1}]}', '[]', '{"a":[{"messages":1}],"messages":[]}'],
    ['{"a":"\\\\","messages":"\\\\\\""}', '[]', '{"a":"\\\\","messages":[]}'],
  ])('%s', (text, value, expected) => expect(edited(text, { messages: value })).toBe(expected))

  test('several at once, changed and added, wherever they stand', () => {
    expect(
      edited('{"shift":true,"messages":[1],"model":"m"}', { messages: '[]', truncate: 'false', shift: 'false' }),
    ).toBe('{"shift":false,"messages":[],"model":"m","truncate":false}')
    expect(edited('{}', { a: '1', b: '2' })).toBe('{"a":1,"b":2}')
  })

  test.each([
    ['{ "a" : 1 , "b":2}', { a: undefined }, '{ "b":2}'],
    ['{"a":1, "b":2 }', { b: undefined }, '{"a":1 }'],
    ['{"a":1,"b":2,"c":3}', { b: undefined }, '{"a":1,"c":3}'],
    ['{ "a":1,"b":2 }', { a: undefined, b: undefined, d: '4' }, '{  "d":4}'],
    ['{"b":1,"a":0,"c":2,"d":3}', { b: undefined, c: undefined, d: undefined, e: '5' }, '{"a":0,"e":5}'],
    ['{"a":1}', { b: undefined }, '{"a":1}'],
  ])('%s without some', (text, changes, expected) => expect(edited(text, changes)).toBe(expected))

  test('what is left after any are removed is JSON with the others', () => {
    const fields = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
    fc.assert(
      fc.property(fields, fc.func(fc.boolean()), fc.constantFrom(0, 1), (value, goes, indent) => {
        const text = JSON.stringify(value, null, indent)
        const gone = Object.keys(value).filter(goes)
        const left = edited(text, Object.fromEntries(gone.map((name) => [name, undefined])))
        const kept = Object.entries(JSON.parse(text) as object).filter(([name]) => !gone.includes(name))
        expect(Object.entries(JSON.parse(left) as object)).toEqual(kept)
      }),
    )
  })

  test.each([
    ['{"messages":[],"messages":[]}', ['messages']],
    ['{"messages":[],"mess\\u0061ges":[]}', ['messages']],
    ['{"messages":[],"Messages":[]}', ['messages']],
    ['{"messages":[],"me\u017fsages":[]}', ['messages']],
    ['{"\u212aeep_alive":1,"keep_alive":2}', ['keep_alive']],
    ['{"a":{"b":1,"b":2},"c":1}', []],
  ])('twice: %s', (text, doubled) => expect([...spansOf(text).doubled]).toEqual(doubled))

  test('counts what the objects in a list say, doubled members included', () => {
    const text = '{"a":[{"x":1}],"messages":[{"role":"user","role":"system"},{"content":{"deep":1}}],"b":{"c":{"d":1}}}'
    expect(spansOf(text).members.get('messages')?.inner).toBe(3)
    expect(spansOf(text).members.get('a')?.inner).toBe(1)
  })

  test.each([
    ['', 'not an object'],
    ['[]', 'not an object'],
    ['"a"', 'not an object'],
    ['{"a', 'not an object'],
    ['{"a":1', 'not an object'],
    [`{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 'too deep'],
    [`{"a":${'{"b":'.repeat(100_000)}`, 'too deep'],
  ])('refuses %.20s', (text, fault) => expect(scanObject(Buffer.from(text))).toBe(fault))

  test('refuses more values than the limit', () => {
    const text = Buffer.from(JSON.stringify({ a: Array.from({ length: 50 }, () => 1) }))
    expect(scanObject(text, { depth: 9, values: 50 })).toBe('too many values')
    expect(scanObject(text, { depth: 9, values: 51 })).toMatchObject({ close: text.length - 1 })
  })

  test('takes time that grows with the text alone', () => {
    const slashes = Buffer.from(
      `{"a":"${'\\\\'.repeat(2_000_000)}","b":"${'\\"'.repeat(2_000_000)}","c":${' '.repeat(4_000_000)}1}`,
    )
    expect(canBeDoneIn(2000, () => expect((scanObject(slashes) as ObjectSpans).members.size).toBe(3))).toBe(true)
  })
})

/**
 * A JSON text of an object with odd white space and escapes. No name begins with a backslash: where an earlier object
 * had such a name, JSON.parse of Node 24 takes a name that is written as codes for that one.
 */
const jsonObject: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom('messages', 'model', 'tools', '', 'a"b', '}', 'ü', '\ud83d\ude00'),
        fc.string().filter((name) => !name.startsWith('\\')),
      ),
      fc.jsonValue({ maxDepth: 4 }),
      fc.boolean(),
      space(),
    ),
    { maxLength: 8 },
  )
  .chain((members) => {
    const unique = [...new Map(members.map((member) => [member[0], member])).values()]
    const texts = unique.map(
      ([name, value, escaped, gap]) =>
        `${gap}${escaped ? escapedText(name) : JSON.stringify(name)}${gap}:${gap}${JSON.stringify(value, null, gap.length > 1 ? '\t' : undefined)}${gap}`,
    )
    return space().map((gap) => `${gap}{${texts.join(',') || gap}}${gap}`)
  })

function space(): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(' ', '\t', '\r', '\n'), maxLength: 3 })
}

function escapedText(name: string): string {
  return `"${[...Array(name.length).keys()].map((index) => `\\u${name.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')}"`
}

describe('any JSON text', () => {
  test('has the members that JSON.parse finds', () => {
    fc.assert(
      fc.property(jsonObject, (text) => {
        const parsed = JSON.parse(text) as Record<string, unknown>
        const { members } = spansOf(text)
        expect(new Set(members.keys())).toEqual(new Set(Object.keys(parsed)))
        for (const [name, value] of Object.entries(parsed)) expect(valueOf(text, name)).toEqual(value)
      }),
    )
  })

  test('keeps every other byte when members are changed or added', () => {
    fc.assert(
      fc.property(
        jsonObject,
        fc.uniqueArray(fc.constantFrom('messages', 'model', 'truncate', 'shift', ''), { maxLength: 4 }),
        fc.jsonValue(),
        (text, names, value) => {
          const changes = Object.fromEntries(names.map((name) => [name, JSON.stringify(value)]))
          const changed = edited(text, changes)
          const parsed = JSON.parse(text) as Record<string, unknown>
          expect(JSON.parse(changed)).toEqual({
            ...parsed,
            ...Object.fromEntries(names.map((name) => [name, JSON.parse(JSON.stringify(value)) as unknown])),
          })
          const back = Object.fromEntries(
            names
              .filter((name) => name in parsed)
              .map((name) => {
                const { from, to } = spansOf(text).members.get(name)!
                return [name, Buffer.from(text).subarray(from, to).toString()]
              }),
          )
          if (Object.keys(back).length === names.length) expect(edited(changed, back)).toBe(text)
        },
      ),
    )
  })

  test('never throws and always ends, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc
            .string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', ' ', 'a', '1') })
            .map((text) => Buffer.from(`{${text}`)),
        ),
        (bytes) => {
          scanObject(bytes)
        },
      ),
    )
  })

  test('folds names as Go does', () => {
    expect([folded('MeSSages'), folded('\u212aEEP'), folded('me\u017f\u017fages')]).toEqual([
      'messages',
      'keep',
      'messages',
    ])
  })
})
