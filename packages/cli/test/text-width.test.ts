import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clipped, padded, textWidth, wrapped } from '../src/terminal/text.ts'
import { canBeDoneIn } from '../../../tests/support/stopwatch.ts'

test.each([
  ['', 0],
  ['garden', 6],
  ['Gärten', 6],
  ['e\u0301', 1],
  ['日本', 4],
  ['한국', 4],
  ['🌱', 2],
  ['👩‍🌾', 2],
  ['→ ⏎', 3],
  ['\u001b[31mred\u001b[39m', 3],
])('%j takes %i columns', (text, width) => expect(textWidth(text)).toBe(width))

const letters = fc.string({
  unit: fc.constantFrom('a', 'bc', ' ', 'ä', '日', '🌱', '👩‍🌾', 'e\u0301', '-', 'λό', 'Ж', '“', '…', 'א'),
  maxLength: 120,
})

describe('for any text', () => {
  test('what is clipped fits, and begins as the text does', () => {
    fc.assert(
      fc.property(letters, fc.integer({ min: 2, max: 60 }), (text, columns) => {
        const shown = clipped(text, columns)
        expect(textWidth(shown)).toBeLessThanOrEqual(columns)
        expect(text.startsWith(shown.endsWith('…') && shown !== text ? shown.slice(0, -1) : shown)).toBe(true)
      }),
    )
  })

  test('what is wrapped fits, and loses nothing but blanks at the ends of lines', () => {
    fc.assert(
      fc.property(letters, fc.integer({ min: 4, max: 60 }), (text, columns) => {
        const lines = wrapped(text, columns)
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns)
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      }),
    )
  })

  test('what is padded is as wide as asked, or as the text', () => {
    fc.assert(
      fc.property(letters, fc.integer({ min: 0, max: 200 }), (text, columns) => {
        expect(textWidth(padded(text, columns))).toBe(Math.max(columns, textWidth(text)))
      }),
    )
  })
})

test('a word of a million letters is wrapped in a moment', () => {
  expect(canBeDoneIn(5000, () => expect(wrapped('x'.repeat(1_000_000), 80)).toHaveLength(1_000_000 / 80))).toBe(true)
})
