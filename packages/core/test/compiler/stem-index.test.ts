import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  appendStems,
  createIndex,
  forkIndex,
  loadIndex,
  lowerBound,
  postingsOf,
  saveIndex,
  type StemIndex,
} from '../../src/compiler/stem-index.ts'

const indexOf = (...texts: string[]): StemIndex => texts.reduce(added, createIndex())
const bytes = (index: StemIndex, count: number): string => JSON.stringify(saveIndex(index, count))

function added(index: StemIndex, text: string): StemIndex {
  appendStems(index, text, text.length)
  return index
}

/** A stem's entries with how often each says it, as `0×1 2×3`. */
function where(index: StemIndex, stem: string, count: number): string {
  const { list, known } = postingsOf(index, stem, count) ?? { list: [], known: 0 }
  return list
    .slice(0, known)
    .map((packed) => `${Math.floor(packed / 16)}×${packed % 16}`)
    .join(' ')
}

describe('an index', () => {
  const index = indexOf('red lamp', 'storm', 'red red red', 'lamp '.repeat(40))

  test.each([
    ['where a stem stands and how often', 'red', 4, '0×1 2×3'],
    ['no more than fifteen times', 'lamp', 4, '0×1 3×15'],
    ['only the first so many entries', 'red', 2, '0×1'],
    ['none before there are any', 'red', 0, ''],
    ['nothing of a word nobody said', 'sky', 4, ''],
    ['nothing of a word said later', 'storm', 1, ''],
  ])('knows %s', (_, stem, count, expected) => {
    expect(where(index, stem, count)).toBe(expected)
  })

  test('keeps the tokens and the running number of stems', () => {
    expect(index.tokens).toEqual([8, 5, 11, 200])
    expect(index.totals).toEqual([0, 2, 3, 6, 46])
  })

  test('as plain data', () => {
    expect(saveIndex(indexOf('red lamp', 'red red'), 2)).toEqual({
      version: 2,
      segments: [],
      base: 0,
      tokens: [8, 7],
      totals: [0, 2, 4],
      stems: [
        ['red', [1, 18]],
        ['lamp', [1]],
      ],
    })
  })
})

describe('a fork', () => {
  test('grows its own way, and so does what it came from', () => {
    const one = indexOf('red', 'lamp', 'red')
    const other = forkIndex(one, 2)
    added(other, 'red storm')
    added(one, 'red sky')
    expect([where(one, 'red', 9), where(one, 'storm', 9), where(one, 'sky', 9)]).toEqual(['0×1 2×1 3×1', '', '3×1'])
    expect([where(other, 'red', 9), where(other, 'storm', 9), where(other, 'sky', 9)]).toEqual(['0×1 2×1', '2×1', ''])
  })

  test('before a word was said does not know it, though the list is shared', () => {
    const one = indexOf('red', 'red')
    const other = forkIndex(one, 1)
    added(one, 'red')
    expect(where(other, 'red', 9)).toBe('0×1')
  })

  test('of a fork', () => {
    const one = indexOf('red', 'red', 'red')
    const two = forkIndex(one, 2)
    const three = forkIndex(two, 1)
    added(two, 'red')
    added(three, 'lamp')
    expect([where(one, 'red', 9), where(two, 'red', 9), where(three, 'red', 9), where(three, 'lamp', 9)]).toEqual([
      '0×1 1×1 2×1',
      '0×1 1×1 2×1',
      '0×1',
      '1×1',
    ])
  })
})

describe('the same bytes as an index made afresh', () => {
  const text = fc
    .array(fc.constantFrom('red', 'blue', 'lamp', 'storm', 'ga4', '港口', '__proto__'), { maxLength: 5 })
    .map((found) => found.join(' '))
  const texts = fc.array(text, { maxLength: 12 })

  test('has every beginning of it', () => {
    fc.assert(
      fc.property(texts, fc.nat({ max: 14 }), (all, count) => {
        expect(bytes(indexOf(...all), count)).toBe(bytes(indexOf(...all.slice(0, count)), count))
      }),
    )
  })

  test('has every fork of a fork, and every index that was saved and loaded, however they go on', () => {
    fc.assert(
      fc.property(texts, texts, texts, fc.nat({ max: 14 }), fc.nat({ max: 14 }), (first, second, third, one, two) => {
        const index = indexOf(...first)
        const branch = second.reduce(added, forkIndex(index, one))
        third.reduce(added, index)
        const said = [...first.slice(0, one), ...second]
        const twig = third.reduce(added, forkIndex(branch, two))
        second.reduce(added, branch)
        const loaded = third.reduce(added, loadIndex(JSON.parse(JSON.stringify(saveIndex(branch, two)))))
        const expected = bytes(indexOf(...[...said, ...second].slice(0, Math.min(two, said.length)), ...third), 99)
        expect(bytes(twig, 99)).toBe(expected)
        expect(bytes(index, 99)).toBe(bytes(indexOf(...first, ...third), 99))
        expect(bytes(branch, 99)).toBe(bytes(indexOf(...said, ...second), 99))
        expect(bytes(loaded, 99)).toBe(bytes(indexOf(...[...said, ...second].slice(0, two), ...third), 99))
      }),
    )
  })
})

test.each([
  [[], 3, 0],
  [[0, 17, 33], 0, 0],
  [[0, 17, 33], 1, 1],
  [[0, 17, 33], 2, 2],
  [[0, 17, 33], 9, 3],
])('in %j, the postings before entry %i are the first %i', (list, entry, expected) => {
  expect(lowerBound(list, entry)).toBe(expected)
})
