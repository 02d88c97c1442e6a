import fc from 'fast-check'
import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base'
import * as o200k from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { estimator } from '../../src/tokens/estimator.ts'
import { checkedCount } from '../../src/tokens/tokens.ts'
import { corpus } from '../../../../tests/support/corpus.ts'
import { canBeDoneIn } from '../../../../tests/support/stopwatch.ts'

/** How far the estimate may lie above the true count, in percent; below it may lie 2. */
const bounds: Readonly<Record<string, readonly [o200k: number, cl100k: number]>> = {
  'English prose': [10, 9],
  'English chat': [33, 23],
  'English technical': [39, 36],
  German: [58, 19],
  French: [47, 31],
  Spanish: [41, 14],
  'Finnish and Polish': [51, 29],
  'Vietnamese and Turkish': [130, 49],
  Russian: [72, 11],
  Ukrainian: [70, 13],
  Greek: [158, 13],
  Arabic: [215, 50],
  Hebrew: [174, 8],
  Hindi: [260, 18],
  'Bengali and Tamil': [387, 26],
  Thai: [153, 15],
  Chinese: [77, 32],
  'Chinese traditional': [66, 17],
  Japanese: [54, 19],
  Korean: [128, 49],
  emoji: [76, 39],
  'JSON, pretty': [30, 31],
  'JSON, compact': [46, 48],
  'JSON tool result': [62, 64],
  'tool schema': [48, 55],
  TypeScript: [41, 41],
  Python: [56, 54],
  SQL: [45, 46],
  'minified JavaScript': [40, 41],
  'Markdown table': [39, 38],
  'Markdown answer': [28, 28],
  URLs: [50, 51],
  logs: [51, 51],
  'CSV of numbers': [70, 70],
  'hex and UUIDs': [77, 76],
  base64: [31, 24],
  'binary as text': [13, 3],
  'random Unicode': [18, 3],
  'white space and rules': [128, 136],
  symbols: [21, 19],
}

describe('is close above the true count', () => {
  test('every sample has its bounds', () => expect(corpus.map(({ name }) => name)).toEqual(Object.keys(bounds)))

  test.each(corpus)('$name', ({ name, text }) => {
    const [aboveO200k, aboveCl100k] = bounds[name]!
    const plain = { disallowedSpecial: new Set<string>() }
    expectBetween(percentAbove(estimator.count(text), o200k.countTokens(text, plain)), -2, aboveO200k)
    expectBetween(percentAbove(estimator.count(text), cl100k.countTokens(text, plain)), -2, aboveCl100k)
  })
})

describe('counts', () => {
  const table: readonly [text: string, count: number, why: string][] = [
    ['', 0, 'nothing'],
    [' ', 1, 'something'],
    ['\n', 1, 'a line'],
    ['The harbour was quiet.', 7, 'English after an English word'],
    ['Krankenversicherung', 9, 'a long word that nothing speaks for'],
    ['to Krankenversicherung', 8, 'no more with a common word before it'],
    ['2031', 4, 'a token per digit'],
    ['in 2031', 7, 'and one for the space'],
    ['中文', 4, 'Han'],
    ['👋', 4, 'four bytes'],
    ['\ud83d', 3, 'half of it is U+FFFD'],
    ['\udc4b\ud83d', 6, 'two halves in the wrong order'],
    ['--------------------', 4, 'a rule is a few tokens'],
    ['\u0000\u0001\u007f', 3, 'control characters'],
    ['__proto__', 4, 'is no key'],
    ['constructor', 5, 'is no key'],
    ['<|endoftext|>', 7, 'is plain text'],
  ]
  test.each(table)('%j counts %i: %s', (text, count) => expect(checkedCount(estimator, text)).toBe(count))

  /** 10 where it is to be proved. */
  const megabytes = process.env['PROVE_RUNS'] === undefined ? 2 : 10

  test(`${megabytes} MB in less than ${megabytes / 5} s, each kind of run`, () => {
    const prose = corpus.map(({ text }) => text).join('\n')
    for (const unit of [prose, 'a', '中', '\ud800', 'aB1']) {
      const text = unit.repeat(Math.ceil((megabytes * 1_000_000) / unit.length))
      expect(canBeDoneIn(megabytes * 200, () => checkedCount(estimator, text))).toBe(true)
    }
  })
})

describe('holds for all texts', () => {
  const fragment = fc.oneof(
    fc.constantFrom(
      'the',
      'of',
      'und',
      'harbour',
      'Straße',
      'HTTPServer',
      '🚀',
      '\ud83d',
      '中文',
      'かな',
      'ж',
      'ґ',
      '\n',
      '  ',
      ' ',
      '\t',
      '"',
      '--',
      '2031',
      'a3f',
      '{"',
    ),
    fc.constantFrom(...corpus.map(({ text }) => text.slice(0, 40))),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
  )
  const text = fc.array(fragment, { maxLength: 12 }).map((fragments) => fragments.join(''))

  test('a prefix never counts more than the whole', () => {
    fc.assert(
      fc.property(text, (whole) => {
        let before = 0
        for (let end = 0; end <= whole.length; end++) {
          const count = estimator.count(whole.slice(0, end))
          expect(count).toBeGreaterThanOrEqual(before)
          before = count
        }
      }),
    )
  })

  test('lines add up: count(a, newline, b) is at most count(a) + count(b) + 1', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(estimator.count(`${a}\n${b}`)).toBeLessThanOrEqual(estimator.count(a) + estimator.count(b) + 1)
      }),
    )
  })

  test('counts are whole, never negative, and 0 only for the empty text', () => {
    fc.assert(
      fc.property(text, (whole) => {
        expect(checkedCount(estimator, whole) === 0).toBe(whole === '')
      }),
    )
  })
})

function percentAbove(count: number, exact: number): number {
  return (count / exact - 1) * 100
}

function expectBetween(value: number, low: number, high: number): void {
  expect(value).toBeGreaterThanOrEqual(low)
  expect(value).toBeLessThanOrEqual(high)
}
