import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countPieces } from '../../src/tokens/count-pieces.ts'
import { cases } from '../../../../tests/support/runs.ts'

describe('countPieces', () => {
  const table: readonly [what: string, text: string, lengths: readonly number[]][] = [
    ['nothing is one piece', '', [0]],
    ['a short text is one piece', 'The harbour was quiet.', [22]],
    ['256 units are one run', 'x'.repeat(256), [256]],
    ['a longer run is cut', 'x'.repeat(600), [256, 256, 88]],
    ['so is white space', '\n'.repeat(300), [256, 44]],
    ['a run begins anew after a space', `${'x'.repeat(200)} ${'y'.repeat(200)}`, [401]],
    ['no pair is split', `x${'👋'.repeat(200)}`, [257, 144]],
    ['words are not cut below 8192 units', 'word '.repeat(1600), [8000]],
    ['a long text is cut in front of a word', 'word '.repeat(3000), [8194, 6806]],
    ['or of a line', 'word\n\n'.repeat(3000), [8196, 8196, 1608]],
    ['and not within white space', 'word\t\t'.repeat(3000), [18_000]],
  ]
  test.each(table)('%s', (_, text, lengths) => expect(piecesOf(text).map((piece) => piece.length)).toEqual(lengths))

  test('adds the counts up', () => expect(countPieces('x'.repeat(600), () => 7)).toBe(21))

  test('the pieces are the text, and none splits a pair', () => {
    const run = fc.tuple(fc.constantFrom('x', ' ', '\n', '👋', 'a👋', 'word ', '中'), fc.integer({ min: 0, max: 2500 }))
    fc.assert(
      fc.property(fc.array(run, { maxLength: 6 }), (parts) => {
        const text = parts.map(([unit, times]) => unit.repeat(times)).join('')
        const pieces = piecesOf(text)
        expect(pieces.join('')).toBe(text)
        expect(pieces.every((piece) => !/^[\udc00-\udfff]/.test(piece))).toBe(true)
      }),
      { numRuns: cases('few') },
    )
  })
})

function piecesOf(text: string): string[] {
  const pieces: string[] = []
  countPieces(text, (piece) => pieces.push(piece))
  return pieces
}
