import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitLine, gist, gistOfJson, gistOfText, oneLine } from '../../src/compiler/framing.ts'
import { wellFormed } from '../../src/log/json.ts'
import { canBeDoneIn } from '../../../../tests/support/stopwatch.ts'

describe('the gist of a text', () => {
  test.each([
    ['is the text where it is short', 'red lamp', 20, 'red lamp'],
    ['is cut between words', 'the red lamp is on', 13, 'the red lamp…'],
    ['is cut within a word where the first blank is far', 'antidisestablishment', 7, 'antidis…'],
    ['is one line', ' a\n\n b\tc\r\nd ', 20, 'a b c d'],
    ['has no control or format characters', 'a\u0000b\u202ec\u2028d', 20, 'a b c d'],
    ['has single quotes, for we put it in double ones', 'say "hi"', 20, "say 'hi'"],
    ['does not end in half a character', 'aaaa😀😀', 5, 'aaaa…'],
    ['of nothing', '', 20, ''],
    ['of blanks', ' \n ', 20, ''],
  ])('%s', (_, text, limit, expected) => {
    expect(gist(text, limit)).toBe(expected)
  })

  test('is never longer than its limit and an ellipsis', () => {
    for (const text of ['word '.repeat(50), 'x'.repeat(300), '😀'.repeat(99)]) {
      for (let limit = 1; limit < 80; limit++) expect(gist(text, limit).length).toBeLessThanOrEqual(limit + 1)
    }
  })

  test('of a text that starts with a page of blanks says that something follows, without half a character', () => {
    expect(gist(`${' '.repeat(4095)}😀 at last`, 20)).toBe('…')
  })

  test('of 10 MB takes no time', () => {
    const [blanks, fences] = [' '.repeat(10_000_000), '```'.repeat(3_000_000)]
    expect(canBeDoneIn(1000, () => [gist(blanks, 60), gistOfText(fences, 60)])).toBe(true)
  })
})

describe('the gist of prose', () => {
  test.each([
    ['without code', 'All is well.', 'All is well.'],
    ['with a code block', 'Try this:\n```js\na()\nb()\n```\nDone.', 'Try this: (js, 2 lines)'],
    ['that is all code', '```\nmake\n```', '(code, 1 line)'],
    ['with a block that never ends', '```py\na\nb\nc', '(py, 3 lines)'],
    ['with a fence on one line', 'Run ```make all```.', 'Run (code, 1 line)'],
    ['with an empty block', '```js\n```', '(code, 1 line)'],
  ])('%s', (_, text, expected) => {
    expect(gistOfText(text, 60)).toBe(expected)
  })
})

describe('the gist of JSON', () => {
  test.each<[string, unknown, string]>([
    [
      'names and short values',
      { city: 'Oslo', degrees: -3, dry: true, wind: null },
      'city: "Oslo", degrees: -3, dry: true, wind: null',
    ],
    [
      'sizes of lists, no insides',
      { days: [1, 2], one: [{}], inner: { a: 1 } },
      'days: 2 items, one: 1 item, inner: {…}',
    ],
    ['a list', [1, 2, 3], '3 items'],
    ['an empty list', [], '0 items'],
    ['an empty object', {}, 'nothing'],
    ['a bare value', 'text', 'text'],
    ['long values are cut', { text: 'word '.repeat(20) }, 'text: "word word word word word word…"'],
    ['a value that brings line breaks and quotes', { a: '1",\n"b": 2' }, "a: \"1', 'b': 2\""],
    ['a key named __proto__', JSON.parse('{"__proto__":1}'), '__proto__: 1'],
  ])('%s', (_, value, expected) => {
    expect(gistOfJson(value, 80)).toBe(expected)
  })

  test('stops at its limit', () => {
    expect(gistOfJson({ alpha: 1, beta: 2, gamma: 3, delta: 4 }, 24)).toBe('alpha: 1, beta: 2, …')
  })
})

describe('a line', () => {
  const length = (line: string): number => line.length

  test.each([
    ['that fits is whole', 'short', 20, '[short]'],
    ['that does not loses a quarter until it does', 'a'.repeat(40), 20, `[${'a'.repeat(16)}…]`],
    ['does not end in half a character', '😀'.repeat(8), 16, '[😀😀😀😀😀😀…]'],
    ['keeps at least a character', 'abcdef', 0, '[a…]'],
    ['of nothing', '', 0, '[]'],
  ])('%s', (_, text, limit, expected) => {
    expect(fitLine(text, limit, length).text).toBe(expected)
  })

  test('is counted with its line break, and never above the limit where a line can be cut to it', () => {
    for (let limit = 6; limit < 60; limit++) {
      const line = fitLine('the quick brown fox jumps over the lazy dog', limit, length)
      expect(line.tokens).toBe(line.text.length + 1)
      expect(line.tokens).toBeLessThanOrEqual(limit)
    }
  })
})

test.each([
  ['half a pair at the end goes', 'a\ud83d', 'a'],
  ['a whole pair stays', 'a😀', 'a😀'],
  ['nothing else is touched', '\ud83da\ude00', '\ud83da\ude00'],
])('%s', (_, text, expected) => {
  expect(wellFormed(text)).toBe(expected)
})

test('one line keeps its quotes', () => {
  expect(oneLine(' say\n"hi" ')).toBe('say "hi"')
})

test('one line is the same, whether a text begins with plain words or not', () => {
  const piece = fc.constantFrom('word', 'a', '!', ' ', '  ', '\n', 'é', '\u00a0', '😀', '\ud83d', '"', '\u007f')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), fc.nat(24), (pieces, limit) => {
      const text = pieces.join('')
      // A line break at the beginning is skipped, but the text does not begin with a word then.
      expect(oneLine(text, limit)).toBe(oneLine(`\n${text}`, limit))
    }),
  )
})
