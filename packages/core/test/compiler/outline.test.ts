import fc from 'fast-check'
import { words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { outlineOf, outlineReach, type OutlineLine, type OutlineSource } from '../../src/compiler/outline.ts'
import { characters } from '../support/characters.ts'

const digest = (exchange: number): ReturnType<OutlineSource['digest']> => ({
  text: `[Previous: "question ${exchange}" → yes]`,
  tokens: 5,
})

/** Exchanges with digests of five words; a line has at most 40. */
const source = (): OutlineSource => ({
  digest,
  title: (exchange) => `question ${exchange}`,
  counter: words,
  line: 40,
  memory: new Map(),
})

const size = ({ from, to }: OutlineLine): number => to - from
const cost = (lines: readonly OutlineLine[]): number => lines.reduce((sum, { tokens }) => sum + tokens, 0)

describe('an outline', () => {
  test('is a digest each while there is room', () => {
    expect(outlineOf(source(), 3, 15).map(({ text }) => text)).toEqual(
      [0, 1, 2].map((exchange) => digest(exchange).text),
    )
  })

  test('gathers the oldest first', () => {
    expect(outlineOf(source(), 10, 40).map(({ text }) => text)).toEqual([
      '[Previous: 6 exchanges: question 0 · question 1 · question 2 · question 3 · question 4 · question 5]',
      ...[6, 7, 8, 9].map((exchange) => digest(exchange).text),
    ])
  })

  test('gathers chapters into parts, newest finest', () => {
    const sizes = outlineOf(source(), 200, 340).map(size)
    expect(sizes.filter((each) => each > 1)).toEqual([64, 64, 8, 8, 8, 8, 6])
    expect(sizes.slice(7)).toEqual(Array.from({ length: 34 }, () => 1))
  })

  test('is one line if need be, and none where not even that fits', () => {
    expect(outlineOf(source(), 100, 6).map(({ text }) => text)).toEqual(['[Previous: 100 exchanges: question 0]'])
    expect(outlineOf({ ...source(), counter: characters }, 100, 3)).toEqual([])
  })

  test.each([
    ['no exchanges', 0, 100],
    ['no room', 10, 0],
  ])('of %s is empty', (_, exchanges, room) => {
    expect(outlineOf(source(), exchanges, room)).toEqual([])
  })

  test('covers only the exchanges it is asked for', () => {
    expect(outlineOf(source(), 4, 100).at(-1)?.to).toBe(4)
  })

  const lengths = [1, 2, 7, 8, 9, 63, 64, 65, 100, 512, 1000]
  test.each(lengths)('of %i exchanges covers all of them in order, without gaps, in its room', (exchanges) => {
    for (const room of [6, 20, 41, 60, 100, 250, 1000, 6000]) {
      const lines = outlineOf(source(), exchanges, room)
      if (lines.length === 0) continue
      expect(lines[0]?.from).toBe(0)
      expect(lines.at(-1)?.to).toBe(exchanges)
      for (const [index, line] of lines.entries()) expect(line.from).toBe(index === 0 ? 0 : lines[index - 1]?.to)
      for (const { text, tokens } of lines) expect(tokens).toBe(words.count(text))
      expect(cost(lines)).toBeLessThanOrEqual(room)
    }
    expect(outlineOf(source(), exchanges, 10_000).map(size)).toEqual(Array.from({ length: exchanges }, () => 1))
  })

  test.each(lengths)('of %i exchanges is finest where it is newest', (exchanges) => {
    for (const room of [60, 100, 250]) {
      const sizes = outlineOf(source(), exchanges, room).map(size)
      // The last chapter or part may be one that is not full yet.
      for (const [index, each] of sizes.slice(0, -1).entries()) expect(each * 8).toBeGreaterThan(sizes[index + 1]!)
      expect(sizes.at(-1)).toBeLessThanOrEqual(sizes[0]!)
    }
  })

  test('fits a room of 300 tokens, and reads little, however long the log', () => {
    for (const exchanges of [10, 100, 10_000, 1_000_000]) {
      const { memory, ...rest } = source()
      const lines = outlineOf({ ...rest, memory }, exchanges, 300)
      expect(lines[0]?.from).toBe(0)
      expect(lines.at(-1)?.to).toBe(exchanges)
      expect(cost(lines)).toBeLessThanOrEqual(300)
      expect(cost(lines)).toBeGreaterThan(Math.min(exchanges * 5, 200) - 1)
      expect(memory.size).toBeLessThan(100)
    }
  })

  test('its coarsest form grows with the logarithm of the log', () => {
    const least = (exchanges: number): number => {
      const remembering = source()
      let room = 1
      while (outlineOf(remembering, exchanges, room).length < Math.floor(Math.log2(exchanges) / 3)) room++
      return room
    }
    expect(least(1_000_000)).toBeLessThanOrEqual(8 * 40)
  })

  test('is the same when its memory is full as when it is empty', () => {
    const remembering = source()
    const first = outlineOf(remembering, 100, 150)
    outlineOf(remembering, 90, 80)
    expect(outlineOf(remembering, 100, 150)).toEqual(first)
    expect(outlineOf(source(), 100, 150)).toEqual(first)
  })

  test('with a token for each character keeps to its room too', () => {
    const costly: OutlineSource = {
      ...source(),
      digest: (exchange) => ({ ...digest(exchange), tokens: digest(exchange).text.length + 1 }),
      counter: characters,
    }
    for (let room = 20; room < 600; room += 20) expect(cost(outlineOf(costly, 100, room))).toBeLessThanOrEqual(room)
  })

  test('has digests for the newest in half of its room, and opens parts into chapters in the rest, as far as that lasts', () => {
    const lines = outlineOf(source(), 72, 110)
    expect(lines.map(size)).toEqual([56, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    expect(lines.map(({ own }) => own)).toEqual(lines.map((line) => size(line) === 1))
    expect(outlineOf(source(), 72, 140).map(size)).toEqual([48, 8, 2, ...Array.from({ length: 14 }, () => 1)])
  })
})

describe('an outline of fewer exchanges in more room', () => {
  const anyWord = fc.constantFrom(
    'a',
    'of rain',
    'the lamp in the hall',
    'one two three four five six seven eight nine ten',
  )

  test('has a digest for each exchange that had one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), anyWord), { minLength: 1, maxLength: 200, size: 'max' }),
        fc.nat({ max: 20 }),
        fc.nat({ max: 400 }),
        fc.nat({ max: 60 }),
        fc.integer({ min: 3, max: 40 }),
        (said, fewer, room, more, line) => {
          const outlined = (exchanges: number, tokens: number): OutlineLine[] =>
            outlineOf(
              {
                digest: (exchange) => ({ ...digest(exchange), tokens: said[exchange]![0] }),
                title: (exchange) => said[exchange]![1],
                counter: words,
                line,
                memory: new Map(),
              },
              exchanges,
              tokens,
            )
          const told = (lines: readonly OutlineLine[]): number[] =>
            lines.filter(({ own }) => own).map(({ from }) => from)
          const after = new Set(told(outlined(Math.max(0, said.length - fewer), room + more)))
          for (const exchange of told(outlined(said.length, room)))
            if (exchange < said.length - fewer) expect(after).toContain(exchange)
        },
      ),
    )
  })
})

describe('the reach of outlines', () => {
  const anyTokens = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 700, size: 'max' })

  test('is all that an outline of so many exchanges, or of more, reads in that room or in less', () => {
    fc.assert(
      fc.property(anyTokens, fc.nat(), fc.nat({ max: 400 }), fc.nat({ max: 400 }), (tokens, pick, room, less) => {
        const whole: OutlineSource = {
          ...source(),
          digest: (exchange) => ({ ...digest(exchange), tokens: tokens[exchange]! }),
        }
        const exchanges = pick % (tokens.length + 1)
        const reach = outlineReach(whole, exchanges, room)
        const older = new Set(reach.older)
        const known: OutlineSource = {
          ...whole,
          memory: new Map(),
          digest: (exchange) => (exchange >= reach.digests ? whole.digest(exchange) : missing(exchange)),
          title: (exchange) =>
            exchange >= reach.titles || older.has(exchange) ? whole.title(exchange) : missing(exchange),
        }
        for (const more of [0, 1, 7, 8, 63, 64, 500]) {
          const length = Math.min(tokens.length, exchanges + more)
          if (room - less > 0)
            expect(outlineOf(known, length, room - less)).toEqual(
              outlineOf({ ...whole, memory: new Map() }, length, room - less),
            )
        }
      }),
    )
  })

  test('grows with the logarithm of the log', () => {
    const { digests, titles, older } = outlineReach({ digest }, 1_000_000, 300)
    expect([1_000_000 - digests, 1_000_000 - titles, older.length]).toEqual([64, 64, 112])
    expect(outlineReach({ digest }, 1_000_000, 0).older).toEqual([])
  })
})

function missing(exchange: number): never {
  throw new Error(`exchange ${exchange} is not known`)
}
