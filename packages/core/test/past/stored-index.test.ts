import { rank } from '../support/rank.ts'
import { describe, expect, test } from 'vitest'
import { appendStems, createIndex, loadIndex } from '../../src/compiler/stem-index.ts'
import { rankEntries } from '../../src/compiler/rank-entries.ts'
import { encodeSegment } from '../../src/past/segment.ts'
import { storedSource } from '../../src/past/stored-index.ts'
import { atOnce, inSlices } from '../../src/log/time.ts'

// An index of the past uses segments that were joined with later entries.

const length = 9000
const index = createIndex()
for (let entry = 0; entry < length; entry++)
  appendStems(index, `common ${entry % 3 ? 'usual' : 'often'} lamp${entry % 700} stone${entry}`, 5 + (entry % 9))

const { segment, pieces } = atOnce(
  encodeSegment({
    from: 0,
    entries: index.tokens.map((tokens, entry) => ({
      stems: index.totals[entry + 1]! - index.totals[entry]!,
      tokens,
      cost: tokens,
      seq: entry,
      place: entry,
      exchange: entry,
      notes: 0,
      isSpoken: true,
      isRecallable: true,
      isCall: false,
      startsStep: true,
    })),
    postings: index.postings,
  }),
)
const segments = [{ name: 's', ...segment }]

describe('an index of the past', () => {
  test.each([1, 5, 2047, 2048, 2049, 4100, 6952, 8999, 9000])('ranks as it did then: %d entries', async (count) => {
    let read = 0
    const then = loadIndex({
      version: 2,
      segments,
      base: count,
      tokens: [],
      totals: [index.totals[count]!],
      stems: [],
    })
    const source = storedSource(then, async (wanted) => {
      read += wanted.length
      return wanted.map(({ piece }) => pieces[piece])
    })
    for (const query of ['common lamp3', 'usual often lamp12', `stone${count - 1} common`, `stone${count} often`]) {
      const options = { count, before: count, most: 64, reads: 8192 }
      expect(await inSlices(rankEntries(source, query, options), () => undefined)).toEqual(rank(index, query, options))
    }
    expect(read).toBeLessThan(80)
  })
})
