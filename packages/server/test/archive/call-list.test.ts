import { memoryStore, type Store } from 'minutebook'
import { badOutcomes, callRowKey, type CallRow } from 'minutebook/inspect'
import { entryOf, recordNames } from 'minutebook/store'
import { expect, test } from 'vitest'
import { countCallRows, listCallRows, type CallPage } from '../../src/archive/call-list.ts'

const first = Date.parse('2026-11-18T08:00:00.000Z')
const time = (second: number): string => new Date(first + second * 1000).toISOString()

/** Rows that end a second after each other, of several threads in turn. */
async function storeOf(count: number, rowOf: (index: number) => Partial<CallRow> = () => ({})): Promise<Store> {
  const store = memoryStore()
  const threads = ['a', 'b', 'c']
  for (const thread of threads) await store.append(thread, [entryOf({ role: 'user', content: `Say ${thread}` })])
  for (let index = 0; index < count; index++) {
    const row: CallRow = { ...plain, receipt: `r${index}`, ended: first + index * 1000, ...rowOf(index) }
    const names = row.cut || badOutcomes.has(row.outcome) ? [recordNames.call, recordNames.badCall] : [recordNames.call]
    const key = `${callRowKey(row.ended)}_${row.receipt}`
    await store.records.put(
      threads[index % 3]!,
      names.map((name) => ({ name, key, value: row })),
    )
  }
  return store
}

const plain: CallRow = {
  receipt: '',
  ended: 0,
  total: 900,
  turn: 1,
  model: 'm',
  owner: 'app',
  outcome: 'stop',
  sent: 10,
  reused: 0,
  omitted: 0,
  clipped: 0,
  cut: false,
}

/** All pages, and how many there were. */
async function all(store: Store, query: CallPage): Promise<{ readonly ids: string[]; readonly pages: number }> {
  const ids: string[] = []
  let pages = 0
  let after: string | undefined
  do {
    const page: Awaited<ReturnType<typeof listCallRows>> = await listCallRows(store, { ...query, after })
    ids.push(...page.calls.map(({ receipt }) => receipt))
    after = page.next
    pages++
  } while (after !== undefined)
  return { ids, pages }
}

/** How many records a query reads. */
async function readBy(store: Store, work: (store: Store) => Promise<unknown>): Promise<number> {
  let read = 0
  const records: Store['records'] = {
    ...store.records,
    find: async (query) => {
      const found = await store.records.find(query)
      if (query.below !== undefined) read += found.length
      return found
    },
  }
  await work({ ...store, records })
  return read
}

test.each([1, 7, 100, 250])(
  'by %d, each call comes once, the newest first, with the title of its thread',
  async (limit) => {
    const store = await storeOf(230)
    const { ids } = await all(store, { limit })
    expect(ids).toEqual(Array.from({ length: 230 }, (_, index) => `r${229 - index}`))
    expect((await listCallRows(store, { limit: 1 })).calls).toEqual([
      { ...plain, receipt: 'r229', ended: time(229), thread: 'b', title: 'Say b' },
    ])
  },
)

test('a range of time is found wherever it is, without reading what is newer', async () => {
  const store = await storeOf(2000)
  const range = { since: time(10), until: time(20) }
  expect((await all(store, range)).ids).toEqual(Array.from({ length: 10 }, (_, index) => `r${19 - index}`))
  expect(await readBy(store, (counted) => listCallRows(counted, range))).toBe(10)
})

test('filters are met by values of one field, and by all fields', async () => {
  const store = await storeOf(12, (index) => ({
    model: `m${index % 2}`,
    outcome: index % 4 === 0 ? 'failed' : index % 4 === 1 ? 'calls' : 'stop',
    owner: index < 6 ? 'early' : 'late',
    cut: index === 7,
    clipped: index === 8 ? 1 : 0,
    omitted: index === 8 ? 2 : 0,
    total: index === 9 ? 10_000 : 9999,
  }))
  const idsOf = async (query: CallPage): Promise<string> => (await all(store, query)).ids.join(' ')
  expect(await idsOf({ outcome: ['failed', 'calls'] })).toBe('r9 r8 r5 r4 r1 r0')
  expect(await idsOf({ outcome: ['failed'], owner: ['late'] })).toBe('r8')
  expect(await idsOf({ flag: ['cut', 'slow'] })).toBe('r9 r7')
  expect(await idsOf({ flag: ['cut'] })).toBe('r7')
  expect(await idsOf({ flag: ['omitted'] })).toBe('r8')
  expect(await idsOf({ flag: ['clipped'], model: ['m1'] })).toBe('')
  const counts = await countCallRows(store, { outcome: ['failed'], owner: ['late'] })
  expect(counts).toEqual({
    looked: 12,
    whole: true,
    outcome: [
      { value: 'stop', count: 4 },
      { value: 'calls', count: 1 },
      { value: 'failed', count: 1 },
    ],
    model: [{ value: 'm0', count: 1 }],
    owner: [
      { value: 'early', count: 2 },
      { value: 'late', count: 1 },
    ],
    flag: [
      { value: 'omitted', count: 1 },
      { value: 'clipped', count: 1 },
    ],
  })
})

test('a filter reads at most 5,000 calls for a page, counts at most 1,000, and a rare failure at once', async () => {
  const store = await storeOf(6000, (index) => (index === 3 ? { outcome: 'failed' } : {}))
  const nothing = await listCallRows(store, { model: ['another'] })
  expect(nothing).toEqual({ calls: [], next: expect.any(String) as string, from: time(1000) })
  expect(await readBy(store, (counted) => listCallRows(counted, { model: ['another'] }))).toBeLessThan(5600)
  expect(await all(store, { model: ['another'] })).toEqual({ ids: [], pages: 2 })
  expect(await readBy(store, (counted) => countCallRows(counted, {}))).toBeLessThan(1200)
  expect(await countCallRows(store, {})).toMatchObject({ looked: 1000, whole: false })
  expect(await readBy(store, (counted) => listCallRows(counted, { outcome: ['failed'] }))).toBe(1)
  expect((await all(store, { outcome: ['failed'] })).ids).toEqual(['r3'])
})

test('what is erased or removed is not listed, nor are internal threads', async () => {
  const store = await storeOf(9)
  await store.records.put('minutebook:own', [{ name: recordNames.call, key: `${callRowKey(first)}_x`, value: plain }])
  await store.remove('a')
  await store.erase('b')
  expect((await all(store, {})).ids).toEqual(['r8', 'r5', 'r2'])
  expect((await countCallRows(store, {})).looked).toBe(3)
})
