import fc from 'fast-check'
import type { Message } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { cases } from '../../../../tests/support/runs.ts'
import { fingerprintsOf, lineHash, longFingerprintsOf, normalForms } from '../../src/matching/fingerprint.ts'

const ask = (content: unknown, more: object = {}): Message => ({ role: 'user', content, ...more })
const answer = (content: unknown, more: object = {}): Message => ({ role: 'assistant', content, ...more })
const calling = (input: unknown, more: object = {}): Message =>
  answer('', { tool_calls: [{ function: { name: 'lamp', arguments: input }, ...more }] })
const image = (url: string): unknown => ({ type: 'image_url', image_url: { url } })
const data = 'iVBORw0KGgo='

describe('is the same for', () => {
  test.each<[string, readonly Message[], readonly Message[]]>([
    [
      'text and text parts',
      [ask('ab')],
      [
        ask([
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ]),
      ],
    ],
    ['white space around', [ask(' a\n')], [ask('a')]],
    ['no content, null and the empty text', [answer(null), { role: 'assistant' }], [answer(''), answer([])]],
    ['letter case of roles', [{ role: 'User', content: 'a' }], [ask('a')]],
    ['arguments as text and as object', [calling('{"b": 1.0, "a": [true]}')], [calling({ a: [true], b: 1 })]],
    ['no arguments and empty ones', [calling('')], [calling({})]],
    ['broken arguments', [calling('{"a":')], [calling(' {"a":')]],
    ['call ids and types', [calling({}, { id: 'call_1', type: 'function' })], [calling({}, { id: 'call_2' })]],
    [
      'results with and without ids and names',
      [{ role: 'tool', content: 'on', tool_call_id: 'call_1' }],
      [{ role: 'tool', content: 'on', tool_name: 'lamp' }],
    ],
    ['the old name of results', [{ role: 'function', content: 'on' }], [{ role: 'tool', content: 'on' }]],
    [
      'images as data and as data URL',
      [ask('what?', { images: [data] })],
      [ask([{ type: 'text', text: 'what?' }, image(`data:image/png;base64,${data}`)])],
    ],
    [
      'an image as a bare address',
      [ask([{ type: 'image_url', image_url: 'https://a.example/b.png' }])],
      [ask([image('https://a.example/b.png')])],
    ],
    ['thinking in a field', [answer('a', { thinking: 'hm' })], [answer('a', { reasoning_content: 'oh' })]],
    ['thinking in the text', [answer('<think>hm</think>\n\na')], [answer('a')]],
    ['notes', [answer('a\n[NOTE TO SELF: b]')], [answer('a')]],
    [
      'calls that leave a note, and their results',
      [
        answer('', { tool_calls: [{ function: { name: 'note_to_self', arguments: '{"text":"b"}' } }] }),
        { role: 'tool', tool_name: 'note_to_self', content: 'kept' },
      ],
      [],
    ],
    [
      'system messages',
      [{ role: 'system', content: 'Today is Monday.' }, ask('a'), { role: 'developer', content: 'b' }],
      [ask('a')],
    ],
    ['fields that say nothing', [answer('a', { refusal: null, annotations: [], created_at: 'x' })], [answer('a')]],
  ])('%s', (_, one, other) => {
    expect(normalForms(one)).toEqual(normalForms(other))
  })
})

describe('is another for', () => {
  test.each<[string, Message, Message]>([
    ['another text', ask('a'), ask('b')],
    ['another role', ask('a'), answer('a')],
    ['white space within', ask('a b'), ask('a  b')],
    ['another tool', calling({}), answer('', { tool_calls: [{ function: { name: 'door', arguments: {} } }] })],
    ['other arguments', calling({ a: 1 }), calling({ a: '1' })],
    ['another image', ask('a', { images: [data] }), ask('a', { images: ['AAAA'] })],
    ['an image less', ask('a', { images: [data] }), ask('a')],
    [
      'another part that is no text',
      ask([{ type: 'input_audio', input_audio: { data: 'AA' } }]),
      ask([{ type: 'input_audio', input_audio: { data: 'AB' } }]),
    ],
    ['thinking that a user wrote', ask('<think>a</think>b'), ask('b')],
    ['a note that a user wrote', ask('a\n[NOTE TO SELF: b]'), ask('a')],
    ['thinking that does not end', answer('<think>a'), answer('')],
  ])('%s', (_, one, other) => {
    expect(normalForms([one])).not.toEqual(normalForms([other]))
  })
})

test('takes whatever comes, and nests no deeper than a stack', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  expect(normalForms([calling(deep), calling(JSON.parse(deep))])).toHaveLength(2)
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ role: fc.string(), content: fc.jsonValue(), tool_calls: fc.jsonValue(), images: fc.jsonValue() }),
      ),
      (messages) => {
        expect(normalForms(messages as Message[]).length).toBeLessThanOrEqual(messages.length)
      },
    ),
  )
})

test('the order of keys in arguments does not matter', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
      const turned = Object.fromEntries(Object.entries(input).toReversed())
      expect(normalForms([calling(JSON.stringify(input))])).toEqual(normalForms([calling(turned)]))
    }),
  )
})

test('the hash of a line is by its messages alone, in whatever parts and order it is computed', async () => {
  const lengths = fc.constantFrom(0, 1, 2, 15, 16, 17, 31, 32, 33, 50)
  const drawn = fc.record({ length: lengths, known: fc.nat(), changed: fc.nat(), asked: fc.array(fc.nat()) })
  await fc.assert(
    fc.asyncProperty(drawn, async ({ length, known, changed, asked }) => {
      const messages = Array.from({ length }, (_, index) => ask(index === 3 ? 'long '.repeat(20_000) : `${index}`))
      const whole = fingerprintsOf(messages)
      const hashes = messages.map((_, at) => lineHash(fingerprintsOf(messages.slice(0, at + 1)), at))
      expect(new Set(hashes).size).toBe(length)
      const before = fingerprintsOf(messages.slice(0, known % (length + 1)))
      for (const at of asked) if (at < before.texts.length) lineHash(before, at)
      const grown = fingerprintsOf(messages.slice(before.texts.length), before)
      const long = await longFingerprintsOf(messages)
      for (const at of [...asked.filter((place) => place < length), ...messages.keys()])
        expect([whole, grown, long].map((chain) => lineHash(chain, at))).toEqual([hashes[at], hashes[at], hashes[at]])
      if (length === 0) return
      const place = changed % length
      const other = messages.with(place, ask(`${String(messages[place]?.content)}.`))
      expect(lineHash(fingerprintsOf(other), length - 1)).not.toBe(hashes[length - 1])
    }),
    { numRuns: cases('long') },
  )
})
