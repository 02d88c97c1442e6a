import { memoryStore, openBook } from 'minutebook'
import { expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { plotText, drawScale } from './chart.ts'
import { countedStore } from './counted-store.ts'
import { importLog, makeLog, middleOf } from './long-log.ts'
import { isFirst, placeOf, type Measured } from './measure.ts'
import type { Figures } from './play-process.ts'
import { plays, type Stage } from './plays.ts'
import { prose } from './prose.ts'
import { isMet, reportOn } from './report.ts'
import { settings } from './scripted.ts'

const silent = { step: (): void => undefined, done: (): void => undefined }
const size = 100

test('the same seed has the same prose, with common and rare words', () => {
  expect(prose(createRandom(3), 400)).toBe(prose(createRandom(3), 400))
  const counts = new Map<string, number>()
  for (const word of prose(createRandom(3), 200_000).split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1)
  const sorted = [...counts.values()].toSorted((one, other) => other - one)
  expect(sorted[0]).toBeGreaterThan(100)
  expect(sorted.filter((count) => count === 1).length).toBeGreaterThan(1000)
})

test('a log has at most its size, and every play finds what it needs in it', async () => {
  await makeLog(size, silent)
  const opened = memoryStore()
  const { store, take } = countedStore(opened)
  const stage: Stage = { store, uncounted: opened, book: openBook({ ...settings, store }), held: new Map() }
  for (const [name, play] of Object.entries(plays)) {
    const length = await importLog(opened, name, size, silent)
    expect(length).toBeLessThanOrEqual(size)
    expect(length).toBeGreaterThan(size - 3)
    const act = await play(stage, { thread: name, size })
    take()
    await act()
    // A book that knows the thread does not read the whole log again, and a dump reads only up to its call. There is no
    // checkpoint yet.
    const { rows, bytes } = take()
    if (name.endsWith('thread object')) expect(rows).toBeLessThan(10)
    else expect(rows).toBeGreaterThanOrEqual(name.startsWith('dump') ? 1 : length)
    expect(bytes).toBeGreaterThan(rows * 100)
  }
})

test.each([100, 10_000, 1_000_000])(
  'with %d entries, what is the first of its kind is that on its thread, and what a fresh book does is not',
  (entries) => {
    const plan = { rounds: 3, most: 20_000 }
    const seen = { turn: new Set<string>(), relay: new Set<string>() }
    const first: Record<string, number> = {}
    for (const play of Object.keys(plays))
      for (let round = 0; round < plan.rounds; round++) {
        const place = placeOf(play, entries, round, plan)
        if (!place) continue
        const threads = seen[play.includes('relay') ? 'relay' : 'turn']
        if (isFirst(play)) expect(threads).not.toContain(place.thread)
        if (play.endsWith('fresh book')) expect(threads).toContain(place.thread)
        if (!play.startsWith('dump')) threads.add(place.thread)
        if (isFirst(play)) first[play] = (first[play] ?? 0) + 1
      }
    const count = Math.max(1, Math.min(plan.rounds, Math.floor(plan.most / entries)))
    expect(first).toEqual({ 'first turn after an import': count, 'first relay after turns': count })
  },
)

test('the call in the middle of a log was played', async () => {
  await makeLog(size, silent)
  const store = memoryStore()
  await importLog(store, 'log', size, silent)
  const receipts = (await store.read('log')).filter(({ kind }) => kind === 'receipt')
  const middle = receipts.find(({ seq }) => seq >= middleOf(size))
  const thread = openBook({ ...settings, store }).thread('log')
  const sames = await Promise.all(receipts.map(async ({ id }) => (await thread.dump({ receipt: id })).same))
  expect(receipts.filter((_, index) => sames[index])).toEqual([receipts[0], middle])
})

test('a piece of a segment counts with its bytes', async () => {
  const { store, take } = countedStore(memoryStore())
  await store.segments.change('a', { stored: [{ name: 's', pieces: [new Uint8Array(1000)] }], removed: [] }, 0)
  take()
  await store.segments.read('a', [{ segment: 's', piece: 0 }])
  expect(take()).toMatchObject({ rows: 1, bytes: 1000 })
})

test('what is written does not count as read', async () => {
  const { store, take } = countedStore(memoryStore())
  await store.records.put('a', [{ name: 'setup', value: { text: 'long'.repeat(100) } }])
  expect(take()).toMatchObject({ rows: 0, bytes: 0 })
  await store.records.find({ name: 'setup', thread: 'a' })
  expect(take()).toMatchObject({ rows: 1, bytes: expect.any(Number) })
  await store.standing('a')
  expect(take().rows).toBe(1)
})

function measuredAs(times: Readonly<Record<number, readonly number[]>>): Measured {
  const figures = (time: number): Figures => ({ elapsed: time, processor: time, rows: 3, bytes: 900, memory: 1e8 })
  const cells = new Map(Object.entries(times).map(([each, all]) => [Number(each), all.map(figures)]))
  return { name: 'SQLite', imports: new Map(), cells: new Map([['turn', cells]]), snapshots: new Map() }
}

test.each([
  [{ 100: [3], 1000: [12.9] }, true],
  [{ 100: [3], 1000: [13.1] }, false],
  [{ 100: [30], 1000: [59] }, true],
  [{ 100: [30], 1000: [61] }, false],
  [{ 100: [30, 1, 31], 1000: [40, 900, 41] }, true],
  [{ 100: [30], 1000: [] }, undefined],
])('%o keeps to the target: %s', (times, met) => {
  expect(isMet(measuredAs(times), 'turn', [100, 1000])).toBe(met)
})

test('a size that was not run is a dash, and has no place in the drawings', () => {
  const measured = measuredAs({ 100: [3], 1000: [3000], 10_000: [] })
  const sizes = [100, 1000, 10_000]
  expect(reportOn(measured, sizes, 120_000)).toMatch(/\| turn \| 3\.0 ms \| 3\.0 s \(1,000×\) +\| +– \| +not run \|/)
  expect(plotText(measured, sizes).match(/ a(?= |$)/gm)?.length).toBe(3)
  expect(
    drawScale(measured, sizes)
      .match(/points="([^"]*)"/)?.[1]
      ?.split(' ').length,
  ).toBe(2)
})
