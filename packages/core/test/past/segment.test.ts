import { rank } from '../support/rank.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteReader, ByteWriter } from '../../src/past/bytes.ts'
import {
  appendStems,
  createIndex,
  indexOver,
  lowerBound,
  type Segment,
  type StemIndex,
} from '../../src/compiler/stem-index.ts'
import { rankEntries, type RankOptions } from '../../src/compiler/rank-entries.ts'
import {
  decodeSegment,
  encodeSegment,
  joinContents,
  type IndexedEntry,
  type SegmentContent,
} from '../../src/past/segment.ts'
import { storedSource, type PieceReader } from '../../src/past/stored-index.ts'
import { atOnce, inSlices } from '../../src/log/time.ts'
import { cases } from '../../../../tests/support/runs.ts'

test('numbers and texts come back from bytes as they were written', () => {
  const value = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(fc.array(value, { maxLength: 30 }), (values) => {
      const writer = new ByteWriter()
      for (const each of values) {
        if (typeof each === 'number') writer.number(each)
        else writer.text(each)
      }
      const reader = new ByteReader(writer.bytes())
      expect(values.map((each) => (typeof each === 'number' ? reader.number() : reader.text()))).toEqual(values)
      expect(reader.isAtEnd).toBe(true)
    }),
  )
})

/** What is known of an entry is not checked against its text here: any numbers will do. */
const anyEntry: fc.Arbitrary<Omit<IndexedEntry, 'stems' | 'exchange' | 'notes'>> = fc.record({
  tokens: fc.oneof(fc.nat(200), fc.nat(100_000)),
  cost: fc.nat(100_000),
  seq: fc.nat(1_000_000),
  place: fc.nat(1_000_000),
  isSpoken: fc.boolean(),
  isRecallable: fc.boolean(),
  isCall: fc.boolean(),
  startsStep: fc.boolean(),
})
const words = ['red', 'blue', 'lamp', 'storm', 'ga4', '港口', '__proto__', 'constructor', 'sky', 'rain']
const anyText = fc.array(fc.constantFrom(...words), { maxLength: 20 }).map((found) => found.join(' '))
const anyLog = fc.array(fc.tuple(anyText, anyEntry), { minLength: 1, maxLength: 40 })

interface Indexed {
  readonly index: StemIndex
  readonly content: (from: number, to: number) => SegmentContent
}

function indexed(log: readonly (readonly [string, Omit<IndexedEntry, 'stems' | 'exchange' | 'notes'>])[]): Indexed {
  const index = createIndex()
  for (const [text, { tokens }] of log) appendStems(index, text, tokens)
  return {
    index,
    content: (from, to) => ({
      from,
      entries: log.slice(from, to).map(([, entry], place) => ({
        ...entry,
        stems: index.totals[from + place + 1]! - index.totals[from + place]!,
        exchange: Math.floor((from + place) / 3) - 1,
        notes: Math.floor((from + place) / 5),
      })),
      postings: new Map(
        [...index.postings].flatMap(([stem, list]) => {
          const part = list.slice(lowerBound(list, from), lowerBound(list, to))
          return part.length > 0 ? [[stem, part] as const] : []
        }),
      ),
    }),
  }
}

describe('a segment', () => {
  test('says what was written, and two that are joined are the segment of both, byte for byte', () => {
    fc.assert(
      fc.property(anyLog, fc.nat(40), (log, cut) => {
        const { content } = indexed(log)
        const middle = Math.min(cut, log.length)
        const whole = atOnce(encodeSegment(content(0, log.length)))
        expect(plain(atOnce(decodeSegment({ name: 'w', ...whole.segment }, whole.pieces)))).toEqual(
          plain(content(0, log.length)),
        )
        const parts = [content(0, middle), content(middle, log.length)].map((part) => atOnce(encodeSegment(part)))
        const read = parts.map(({ segment, pieces }) => atOnce(decodeSegment({ name: 'p', ...segment }, pieces)))
        expect(atOnce(encodeSegment(joinContents(read)))).toEqual(whole)
      }),
    )
  })
})

function plain({ from, entries, postings }: SegmentContent): unknown {
  return { from, entries, postings: new Map([...postings].toSorted(([one], [other]) => (one < other ? -1 : 1))) }
}

describe('an index in segments', () => {
  test('ranks as one in memory, wherever it is cut, and whatever else is in memory', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyLog,
        fc.uniqueArray(fc.nat(40), { maxLength: 4 }),
        anyText,
        fc.nat(40),
        fc.integer({ min: 1, max: 40 }),
        async (log, cuts, query, before, reads) => {
          const { index, content } = indexed(log)
          const ends = cuts.filter((cut) => cut > 0 && cut <= log.length).sort((one, other) => one - other)
          await compare(index, content, ends, query, {
            count: log.length,
            before: Math.min(before, log.length),
            most: 10,
            reads,
          })
        },
      ),
      { numRuns: cases('long') },
    )
  })

  test.each([8192, 3000, 300])(
    'ranks as one in memory with long lists and many pages, reading %d postings',
    async (reads) => {
      const log = Array.from({ length: 9000 }, (_, place) => {
        const rare = place % 700 === 0 ? `thing${place}` : ''
        const text = `common ${words[place % 10]} ${words[(place * 7) % 3]} n${place % 97} ${rare} ${'x '.repeat(place % 4)}`
        return [
          text,
          { ...fc.sample(anyEntry, { numRuns: 1, seed: place })[0]!, tokens: place % 4000 === 0 ? 70_000 : place % 90 },
        ] as const
      })
      const { index, content } = indexed(log)
      for (const query of ['common red', 'thing2100 common n5', 'n5 n6 lamp', 'nothing of it'])
        for (const before of [9000, 8990, 4100, 20])
          await compare(index, content, [4096, 8192, 8800], query, { count: 9000, before, most: 256, reads })
    },
  )

  test('says that it needs what is gone', async () => {
    const { content } = indexed(Array.from({ length: 9 }, () => ['red lamp', fc.sample(anyEntry, 1)[0]!]))
    const { segment } = atOnce(encodeSegment(content(0, 9)))
    const gone: PieceReader = async (wanted) => wanted.map(() => undefined)
    const options = { count: 9, before: 9, most: 10, reads: 100 }
    const over = indexOver([{ name: 'a', ...segment }])
    await expect(inSlices(rankEntries(storedSource(over, gone), 'red', options), () => undefined)).rejects.toThrow(
      expect.objectContaining({ code: 'not_loaded' }),
    )
    expect(() => rank(over, 'red', options)).toThrow(expect.objectContaining({ code: 'not_loaded' }))
    expect(() => rank(over, 'red', { ...options, count: 8 })).toThrow(expect.objectContaining({ code: 'not_loaded' }))
  })
})

/** Compares the ranking of an index in memory with one of which the entries before the last of `ends` are in segments. */
async function compare(
  index: StemIndex,
  content: Indexed['content'],
  ends: readonly number[],
  query: string,
  options: RankOptions,
): Promise<void> {
  const stored = new Map<string, readonly Uint8Array[]>()
  const segments = ends.map((to, place): Segment => {
    const { segment, pieces } = atOnce(encodeSegment(content(ends[place - 1] ?? 0, to)))
    stored.set(`${to}`, pieces)
    return { name: `${to}`, ...segment }
  })
  const base = ends.at(-1) ?? 0
  const rest: StemIndex = {
    ...indexOver(segments),
    postings: new Map([...index.postings].map(([stem, list]) => [stem, list.slice(lowerBound(list, base))])),
    tokens: index.tokens.slice(base),
    totals: index.totals.slice(base),
  }
  const read: PieceReader = async (wanted) => wanted.map(({ segment, piece }) => stored.get(segment)?.[piece])
  const found = await inSlices(rankEntries(storedSource(rest, read), query, options), () => undefined)
  expect(found).toEqual(rank(index, query, options))
}
