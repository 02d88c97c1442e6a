import { rank } from '../support/rank.ts'
import { describe, expect, test } from 'vitest'
import { appendStems, createIndex, type StemIndex } from '../../src/compiler/stem-index.ts'
import { type Ranking } from '../../src/compiler/rank-entries.ts'

function indexOf(texts: readonly string[], tokens: number = 10): StemIndex {
  const index = createIndex()
  for (const text of texts) appendStems(index, text, tokens)
  return index
}

/** The ranking of all entries, or of those before `before`. */
function ranked(index: StemIndex, query: string, before: number = index.tokens.length): Ranking {
  return rank(index, query, { count: index.tokens.length, before, most: 256, reads: 4096 })
}

const order = (texts: readonly string[], query: string, before?: number): number[] =>
  ranked(indexOf(texts), query, before).candidates.map(({ entry }) => entry)

/** Chatter that says nothing of what is asked about. */
const chatter = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `weather talk number n${index} cloudy grey`)

describe('the best entry', () => {
  const log = [
    ...chatter(20),
    'the spare key hangs behind the boiler',
    ...chatter(20),
    'the boiler makes noise',
    ...chatter(20),
  ]

  test.each([
    ['says what is asked about', 'where is the spare key?', 20],
    ['in another form of the word', 'did we hang keys somewhere?', 20],
    ['says the rarer word', 'cloudy key', 20],
    ['says more of it', 'spare key boiler', 20],
    ['is near the word, where it is the only one', 'noise', 41],
  ])('%s', (_, query, expected) => {
    expect(order(log, query)[0]).toBe(expected)
  })

  test('is the shorter of two that say the same', () => {
    const index = createIndex()
    for (const text of chatter(5)) appendStems(index, text, 10)
    appendStems(index, 'the key is red', 400)
    for (const text of chatter(20)) appendStems(index, text, 10)
    appendStems(index, 'the key is red', 10)
    expect(ranked(index, 'key').candidates[0]?.entry).toBe(26)
  })

  test('lends a little to its neighbours, less the farther they are', () => {
    const [first, ...near] = order([...chatter(10), 'the key', ...chatter(10)], 'key')
    expect(first).toBe(10)
    expect(near).toEqual([9, 11, 8, 12, 7, 13, 6, 14])
  })

  test('of two alike is the earlier', () => {
    expect(order(['key', ...chatter(20), 'key'], 'key').slice(0, 1)).toEqual([0])
  })
})

describe('a ranking', () => {
  test.each([
    ['a query that nobody answers', chatter(5), 'quantum'],
    ['a query of words that say nothing', chatter(5), 'what is the'],
    ['an empty query', chatter(5), ''],
    ['an empty log', [], 'key'],
    ['a log of empty entries', ['', ''], 'key'],
  ])('is empty for %s', (_, texts, query) => {
    expect(ranked(indexOf(texts), query)).toEqual({ weight: 0, candidates: [], read: 0 })
  })

  test('has only entries before the one it is asked to stop at, but knows how common a word is among all', () => {
    const texts = ['key', ...chatter(8), 'key', 'key', 'key']
    expect(order(texts, 'key', 9).every((entry) => entry < 9)).toBe(true)
    expect(ranked(indexOf(texts), 'key', 9).weight).toBeLessThan(
      ranked(indexOf(['key', ...chatter(11)]), 'key', 9).weight,
    )
  })

  test('does not see entries beyond the count', () => {
    const index = indexOf([...chatter(5), 'key', 'key'])
    expect(rank(index, 'key', { count: 5, before: 5, most: 256, reads: 4096 })).toEqual({
      weight: 0,
      candidates: [],
      read: 0,
    })
  })

  test('is in order of value, and a value is score per token with something fixed', () => {
    const { candidates } = ranked(
      indexOf([...chatter(9), 'the key and the lamp', ...chatter(9), 'lamp'], 40),
      'key lamp',
    )
    expect(candidates.map(({ value }) => value)).toEqual(
      candidates.map(({ value }) => value).toSorted((left, right) => right - left),
    )
    for (const { score, tokens, value } of candidates) expect(value).toBeCloseTo(score / (tokens + 60), 10)
  })

  test('weighs a query by its known words', () => {
    const index = indexOf([...chatter(20), 'spare key'])
    const weight = (query: string): number => ranked(index, query).weight
    expect(weight('spare')).toBeGreaterThan(weight('cloudy'))
    expect(weight('spare key')).toBeCloseTo(2 * weight('spare'), 10)
    expect(weight('spare unknown words')).toBeCloseTo(weight('spare'), 10)
    expect(weight('spare spare')).toBeCloseTo(weight('spare'), 10)
  })

  test('reads a bounded number of postings, however long the log and the query, rarest words first', () => {
    const index = indexOf([
      ...Array.from({ length: 20_000 }, (_, entry) => `alpha beta gamma delta zeta eta n${entry}`),
      'the epsilon',
    ])
    const common = ranked(index, 'alpha beta gamma delta zeta eta epsilon')
    const long = ranked(index, `alpha epsilon ${Array.from({ length: 500 }, (_, entry) => `n${entry}`).join(' ')}`)
    expect(common.read).toBe(4096)
    expect(long.read).toBe(64)
    for (const { candidates } of [common, long]) expect(candidates.map(({ entry }) => entry)).toContain(20_000)
  })

  test('gives about as many as are wanted, and the best of them', () => {
    const index = indexOf(Array.from({ length: 900 }, (_, entry) => `${'key '.repeat(1 + (entry % 9))}n${entry}`))
    const all = rank(index, 'key', { count: 900, before: 900, most: 10_000, reads: 4096 }).candidates
    const some = rank(index, 'key', { count: 900, before: 900, most: 50, reads: 4096 }).candidates
    expect(some.length).toBeGreaterThanOrEqual(50)
    expect(some.length).toBeLessThan(all.length)
    expect(some).toEqual(all.slice(0, some.length))
  })
})
