import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { segmentOf } from '../../../client/src/client.ts'
import { nameIn } from '../../src/app/address.ts'
import { marked, passage } from '../../src/search/found-entry.tsx'
import { isCheap, isSafe } from '../../src/transcript/markdown.tsx'
import { agoOf, readable } from '../../src/ui/text.ts'

describe('text of strangers is made readable', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['escapes of a terminal', '\u001b[31mred', '␛[31mred'],
    ['a text that turns round', 'a\u202eb', 'a⟨U+202E⟩b'],
    ['letters of the tags', 'a\u{e0041}b', 'a⟨U+E0041⟩b'],
    ['what takes no room', 'a\u200bb\ufeff', 'a⟨U+200B⟩b⟨U+FEFF⟩'],
    ['half a character', 'a\ud800b', 'a⟨U+D800⟩b'],
    ['line ends of others', 'a\r\nb\rc', 'a\nb␍c'],
    ['what is plain stays', 'ferns\n\tümlaut 日本語 👩‍🌾', 'ferns\n\tümlaut 日本語 👩‍🌾'],
  ]
  test.each(table)('%s', (_, text, shown) => expect(readable(text)).toBe(shown))

  test('once is enough, and nothing hides afterwards', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = readable(text)
        expect(readable(shown)).toBe(shown)
        expect(shown.isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('a link is followed', () => {
  const table: readonly (readonly [string, boolean])[] = [
    ['https://example.org/a?b#c', true],
    ['mailto:somebody@example.org', true],
    ['http://example.org', false],
    ['javascript:alert(1)', false],
    ['JaVaScRiPt:alert(1)', false],
    ['data:text/html,x', false],
    ['vbscript:x', false],
    ['//example.org', false],
    ['/console', false],
    ['#login=x', false],
    ['https://user:secret@example.org', false],
    ['file:///etc/passwd', false],
    ['', false],
  ]
  test.each(table)('%s: %s', (address, isFollowed) => expect(isSafe(address)).toBe(isFollowed))
})

describe('markdown is parsed', () => {
  const table: readonly (readonly [string, string, boolean])[] = [
    ['of an answer', '# Ferns\n\n- **one**\n- two\n\n```ts\nconst x = 1\n```\n'.repeat(20), true],
    ['not of lists within lists', `${'- '.repeat(2000)}x`, false],
    [
      'not of lists indented without end',
      Array.from({ length: 300 }, (_, depth) => `${' '.repeat(2 * depth)}- a`).join('\n'),
      false,
    ],
    ['not of quotes within quotes', '> '.repeat(5000), false],
    ['not of brackets without end', '['.repeat(5000), false],
    ['not of a line of a megabyte', 'a'.repeat(1 << 20), false],
    ['not of ten thousand paragraphs', 'a\n\n'.repeat(10_000), false],
  ]
  test.each(table)('%s', (_, text, isParsed) => expect(isCheap(text)).toBe(isParsed))
})

test('a thread of any name has a segment of a path, and back', () => {
  expect(segmentOf('garden-2')).toBe('garden-2')
  expect(segmentOf('app/20261115')).toBe('~YXBwLzIwMjYxMTE1')
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (name) => {
      expect(segmentOf(name)).toMatch(/^(~[A-Za-z0-9_-]*|[A-Za-z0-9][A-Za-z0-9_-]*)$/)
      expect(nameIn(segmentOf(name))).toBe(name)
    }),
  )
})

describe('what was looked for', () => {
  test('is marked wherever it stands', () => {
    expect(marked('Ferns grow where ferns grow', 'ferns, GROW')).toEqual([
      ['Ferns', true],
      [' ', false],
      ['grow', true],
      [' where ', false],
      ['ferns', true],
      [' ', false],
      ['grow', true],
    ])
    expect(marked('nothing', '??')).toEqual([['nothing', false]])
  })

  test('is in the passage of a long text', () => {
    const shown = passage(`${'x '.repeat(500)}needle ${'y '.repeat(500)}`, 'needle')
    expect(shown).toContain('needle')
    expect(shown.length).toBeLessThan(410)
    expect(passage('short', 'none')).toBe('short')
  })

  test('nothing of a text is lost', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, query) => {
        expect(
          marked(text, query)
            .map(([part]) => part)
            .join(''),
        ).toBe(text)
      }),
    )
  })
})

test('how long ago that was', () => {
  const now = Date.UTC(2026, 10, 15)
  const seconds = [-5, 0, 59, 60, 3599, 3600, 86_399, 86_400, 6 * 86_400, 8 * 86_400]
  expect(seconds.map((ago) => agoOf(now - ago * 1000, now))).toEqual([
    'now',
    'now',
    'now',
    '1 min',
    '59 min',
    '1 h',
    '23 h',
    '1 d',
    '6 d',
    '2026-11-07',
  ])
})
