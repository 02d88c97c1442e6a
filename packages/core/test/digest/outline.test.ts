import { describe, expect, test } from 'vitest'
import { words } from 'minutebook/testing'
import type { Digest } from '../../src/digest/digest.ts'
import { outlineOf, type OutlineLine, type OutlineSource } from '../../src/digest/outline.ts'
import { characters } from '../support/characters.ts'

const digest = (exchange: number): Digest => ({ text: `[Previous: "question ${exchange}" → yes]`, title: `question ${exchange}`, tokens: 5 })

/** So many exchanges with digests of five words; a line has at most 40. */
function sourceOf(exchanges: number): OutlineSource {
  return { digests: Array.from({ length: exchanges }, (_, exchange) => digest(exchange)), counter: words, line: 40, memory: new Map() }
}

const size = ({ from, to }: OutlineLine): number => to - from
const cost = (lines: readonly OutlineLine[]): number => lines.reduce((sum, { tokens }) => sum + tokens, 0)

describe('an outline', () => {
  test('is a digest each while there is room', () => {
    expect(outlineOf(sourceOf(3), 3, 15).map(({ text }) => text)).toEqual([0, 1, 2].map((exchange) => digest(exchange).text))
  })

  test('gathers the oldest first', () => {
    expect(outlineOf(sourceOf(10), 10, 40).map(({ text }) => text)).toEqual([
      '[Previous: 8 exchanges: question 0 · question 1 · question 2 · question 3 · question 4 · question 5 · question 6 · question 7]',
      '[Previous: "question 8" → yes]',
      '[Previous: "question 9" → yes]',
    ])
  })

  test('gathers chapters into parts, newest finest', () => {
    const sizes = outlineOf(sourceOf(200), 200, 340).map(size)
    expect(sizes.filter((each) => each > 1)).toEqual([64, 64, 8, 8, 8, 8, 8, 8])
    expect(sizes.slice(8)).toEqual(Array.from({ length: 24 }, () => 1))
  })

  test('is one line if need be, and none where not even that fits', () => {
    expect(outlineOf(sourceOf(100), 100, 6).map(({ text }) => text)).toEqual(['[Previous: 100 exchanges: question 0]'])
    expect(outlineOf({ ...sourceOf(100), counter: characters }, 100, 3)).toEqual([])
  })

  test.each([
    ['no exchanges', 0, 100],
    ['no room', 10, 0],
  ])('of %s is empty', (_, exchanges, room) => {
    expect(outlineOf(sourceOf(exchanges), exchanges, room)).toEqual([])
  })

  test('covers only the exchanges it is asked for', () => {
    expect(outlineOf(sourceOf(10), 4, 100).at(-1)?.to).toBe(4)
  })

  const lengths = [1, 2, 7, 8, 9, 63, 64, 65, 100, 512, 1000]
  test.each(lengths)('of %i exchanges covers all of them in order, without gaps, in its room', (exchanges) => {
    const source = sourceOf(exchanges)
    for (const room of [6, 20, 41, 60, 100, 250, 1000, 6000]) {
      const lines = outlineOf(source, exchanges, room)
      if (lines.length === 0) continue
      expect(lines[0]?.from).toBe(0)
      expect(lines.at(-1)?.to).toBe(exchanges)
      for (const [index, line] of lines.entries()) expect(line.from).toBe(index === 0 ? 0 : lines[index - 1]?.to)
      for (const { text, tokens } of lines) expect(tokens).toBe(words.count(text))
      expect(cost(lines)).toBeLessThanOrEqual(room)
    }
    expect(outlineOf(source, exchanges, 10_000).map(size)).toEqual(Array.from({ length: exchanges }, () => 1))
  })

  test.each(lengths)('of %i exchanges is finest where it is newest', (exchanges) => {
    for (const room of [60, 100, 250]) {
      const sizes = outlineOf(sourceOf(exchanges), exchanges, room).map(size)
      // The last chapter or part may be one that is not full yet.
      for (const [index, each] of sizes.slice(0, -1).entries()) expect(each * 8).toBeGreaterThan(sizes[index + 1]!)
      expect(sizes.at(-1)).toBeLessThanOrEqual(sizes[0]!)
    }
  })

  test('fits a room of 300 tokens, and reads little, however long the log', () => {
    for (const exchanges of [10, 100, 10_000, 1_000_000]) {
      const source: OutlineSource = { digests: Array.from({ length: exchanges }, () => digest(0)), counter: words, line: 40, memory: new Map() }
      const lines = outlineOf(source, exchanges, 300)
      expect(lines[0]?.from).toBe(0)
      expect(lines.at(-1)?.to).toBe(exchanges)
      expect(cost(lines)).toBeLessThanOrEqual(300)
      expect(cost(lines)).toBeGreaterThan(Math.min(exchanges * 5, 200) - 1)
      expect(source.memory.size).toBeLessThan(100)
    }
  })

  test('its coarsest form grows with the logarithm of the log', () => {
    const least = (exchanges: number): number => {
      const source: OutlineSource = { digests: Array.from({ length: exchanges }, () => digest(0)), counter: words, line: 40, memory: new Map() }
      let room = 1
      while (outlineOf(source, exchanges, room).length < Math.floor(Math.log2(exchanges) / 3)) room++
      return room
    }
    expect(least(1_000_000)).toBeLessThanOrEqual(8 * 40)
  })

  test('is the same when its memory is full as when it is empty', () => {
    const source = sourceOf(100)
    const first = outlineOf(source, 100, 150)
    outlineOf(source, 90, 80)
    expect(outlineOf(source, 100, 150)).toEqual(first)
    expect(outlineOf(sourceOf(100), 100, 150)).toEqual(first)
  })

  test('with a token for each character keeps to its room too', () => {
    const source = { ...sourceOf(100), digests: sourceOf(100).digests.map((each) => ({ ...each, tokens: each.text.length + 1 })), counter: characters }
    for (let room = 20; room < 600; room += 20) expect(cost(outlineOf(source, 100, room))).toBeLessThanOrEqual(room)
  })
})
