import { describe, expect, test } from 'vitest'
import { user } from '@minutebook/testing'
import { entryOf, type Entry } from '../../src/log/entry.ts'
import { readInPages, type Stretch } from '../../src/log/read-in-pages.ts'

function logOf(length: number, size = 10): Entry[] {
  return Array.from({ length }, (_, seq) => ({ ...entryOf(user('x'.repeat(size)), undefined), seq }))
}

/** What is read of a log, and what was asked for in each page. */
async function readOf(
  log: readonly Entry[],
  stretch: Stretch,
  meanwhile: (pages: number) => void = () => undefined,
): Promise<{ readonly seqs: number[]; readonly asked: number[]; readonly work: number }> {
  const asked: number[] = []
  let work = 0
  const read = async (from: number, to: number): Promise<readonly Entry[]> => {
    // A loop without an end would not even let the test run out of time.
    if (asked.length > 200) throw new Error('It is read without an end.')
    asked.push(to - from)
    const entries = log.slice(from, to)
    meanwhile(asked.length)
    return entries
  }
  const entries = await readInPages(read, stretch, (more) => {
    work += more
    return undefined
  })
  return { seqs: entries.map(({ seq }) => seq), asked, work }
}

const upTo = (to: number, from = 0): number[] => Array.from({ length: to - from }, (_, index) => from + index)

describe('a stretch of a log', () => {
  test.each([0, 1, 63, 64, 65, 128, 500, 1000])('ends with a log of %i entries', async (length) => {
    for (const from of new Set([0, Math.floor(length / 2), length, length + 5])) {
      const { seqs, asked } = await readOf(logOf(length), { from })
      // A page that is not full is the last one.
      if (length - from < 64) expect(asked).toEqual([64])
      expect(seqs).toEqual(upTo(Math.max(from, length), from).filter((seq) => seq < length))
    }
  })

  test.each([0, 1, 63, 64, 65, 300, 399, 400, 500])('ends before entry %i', async (to) => {
    for (const from of [0, 10, 64, 400]) {
      const { seqs, asked } = await readOf(logOf(400), { from, to })
      expect(seqs).toEqual(from < to ? upTo(Math.min(to, 400), from) : [])
      if (from >= to) expect(asked).toEqual([])
    }
  })

  test('has pages that are larger if the entries are small, and smaller if they are large', async () => {
    const small = await readOf(logOf(2000), { from: 0 })
    expect(Math.max(...small.asked)).toBeGreaterThan(400)
    const large = await readOf(logOf(100, 100_000), { from: 0 })
    expect(large.asked.slice(0, 3)).toEqual([64, 2, 2])
    expect((await readOf(logOf(70, 1_000_000), { from: 0 })).asked[1]).toBe(1)
  })

  test('ends after the page with which it was enough work', async () => {
    const { seqs, asked, work } = await readOf(logOf(100, 100_000), { from: 0, work: 7_000_000 })
    expect(asked.slice(0, 2)).toEqual([64, 2])
    expect(seqs).toEqual(upTo(64 + 2 * (asked.length - 1)))
    expect(work).toBeGreaterThan(7_000_000)
    expect(work).toBeLessThan(7_300_000)
  })

  test('has what was added while it was read, and ends where everything was removed', async () => {
    const log = logOf(64)
    const { seqs } = await readOf(log, { from: 0 }, (pages) => {
      if (pages === 1) log.push(...logOf(70).slice(64))
    })
    expect(seqs).toEqual(upTo(70))
    const removed = logOf(1000)
    const { seqs: rest, asked } = await readOf(removed, { from: 0, to: 1000 }, () => void (removed.length = 0))
    expect([rest, asked.length]).toEqual([upTo(64), 2])
  })
})
