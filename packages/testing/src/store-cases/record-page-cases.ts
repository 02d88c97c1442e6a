import type { Store } from 'minutebook'
import { entryOf, type NewRecord, type RecordQuery } from 'minutebook/store'
import { user } from '../builders.ts'
import { casesOf, eachOf, equal, holds, thread, upTo, write, type StoreCase } from './harness.ts'
import { found, lamp, put } from './record-cases.ts'

const position = async (store: Store, query: RecordQuery): Promise<string> =>
  (await store.records.find(query)).at(-1)!.position

const at = (key: string): NewRecord => lamp(key, { key })

/** The keys that are found, each without its beginning. */
async function keysBelow(store: Store, query: Omit<RecordQuery, 'name'>): Promise<string[]> {
  const found = await store.records.find({ name: 'lamp', ...query })
  return found.map(({ key, value }) => {
    equal(value, key, 'the value')
    return `…${key.slice(key.startsWith('2026') ? 17 : 0)}`
  })
}

/** Records can be many. A page of them goes on after the last record of the page before. */
export const recordPageCases: readonly StoreCase[] = [
  ...casesOf('record', {
    'a page goes on after a record, also if that one is gone': async ({ store }) => {
      for (const each of ['one', 'two', 'three']) await put(store, each, lamp(each))
      const after = await position(store, { name: 'lamp', limit: 2 })
      equal(await found(store, { name: 'lamp', after }), ['one'], 'the second page')
      await store.records.remove('two', 'lamp')
      equal(await found(store, { name: 'lamp', after }), ['one'], 'the second page then')
    },
    'a new record does not turn up in the pages after, nor does an old one that is written again': async ({
      store,
    }) => {
      for (const each of ['one', 'two', 'three', 'four']) await put(store, each, lamp(each))
      const after = await position(store, { name: 'lamp', limit: 2 })
      await put(store, 'five', lamp('five'))
      await put(store, 'two', lamp('again'))
      equal(await found(store, { name: 'lamp', after }), ['one'], 'the second page')
    },
    'what was put has the position that it is found with': async ({ store }) => {
      const answer = await store.records.put(thread, [lamp(1)])
      equal(answer.ok && answer.records[0]?.position, await position(store, { name: 'lamp' }), 'the position')
    },
    'a page has only records of its name, key and thread': async ({ store }) => {
      for (const each of ['a', 'b', 'c'])
        for (const value of [1, 2])
          await put(store, each, lamp(each + value, { key: `k${value}` }), { name: 'chair', value })
      const after = await position(store, { name: 'lamp', key: 'k2', limit: 2 })
      equal(await found(store, { name: 'lamp', key: 'k2', after }), ['a2'], 'of a key')
      equal(await found(store, { name: 'lamp', thread: 'a', after }), ['a2', 'a1'], 'of a thread')
      equal(await found(store, { name: 'lamp', thread: 'b', after }), ['b1'], 'of a thread in the middle of it')
      equal(await found(store, { name: 'lamp', thread: 'a', key: 'k1', after }), ['a1'], 'of a thread and a key')
      equal(await found(store, { name: 'lamp', thread: 'c', key: 'k2', after }), [], 'of one that is newer')
    },
  }),
  ...casesOf('record by the order of keys', {
    'the highest key comes first, whatever was written last': async ({ store }) => {
      await write(store, 'one', [entryOf(user('said'))], { records: [at('2026-11-18T20:00:00.000Z_b2')] })
      await put(store, 'two', at('2026-11-18T19:59:59.999Z_a1'), at('2026-11-18T20:00:00.000Z_a1'))
      await put(store, null, at('2026-11-18T20:00:00.000Z_B'))
      await put(store, 'three', { name: 'chair', key: '2026-11-18T20:00:00.000Z_z', value: 'a chair' })
      const all = ['…00.000Z_b2', '…00.000Z_a1', '…00.000Z_B', '…59.999Z_a1']
      equal(await keysBelow(store, { below: '~' }), all, 'all of them')
      equal(await keysBelow(store, { below: '~', limit: 2 }), all.slice(0, 2), 'the first two')
      equal(await keysBelow(store, { below: '2026-11-18T20:00:00.000Z_a1' }), all.slice(2), 'below a key')
      equal(await keysBelow(store, { below: '2026-11-18T20:00:00.000Z' }), all.slice(3), 'below the beginning of keys')
      equal(
        await keysBelow(store, { below: '~', from: '2026-11-18T20' }),
        all.slice(0, 3),
        'from the beginning of keys',
      )
      equal(await keysBelow(store, { below: '~', from: '2026-11-18T20:00:00.000Z_a1' }), all.slice(0, 2), 'from a key')
      equal(await keysBelow(store, { below: '~', limit: 0 }), [], 'none')
    },
    'a key that another begins with is lower': async ({ store }) => {
      await put(store, thread, at('a'), at('ab'), at('abc'))
      equal(await keysBelow(store, { below: 'abc' }), ['…ab', '…a'], 'below the longest')
      equal(await keysBelow(store, { below: '~', from: 'ab' }), ['…abc', '…ab'], 'from the one in the middle')
    },
    'they go with their thread': async ({ store }) => {
      for (const each of ['one', 'two', 'three'])
        await write(store, each, [entryOf(user(each))], { records: [at(`a-${each}`)] })
      await store.remove('one')
      await store.erase('two')
      equal(await keysBelow(store, { below: '~' }), ['…a-three'], 'what remains')
    },
  }),
  ...eachOf(
    'record',
    [1, 2, 3, 7, 24, 25, 1000],
    (limit) => `25 records that came 5 at a time, by ${limit}: each once, to the end`,
    async (limit, { store }) => {
      for (const index of upTo(5)) {
        const records = upTo(5).map((each) => lamp(index * 5 + each, { key: `k${each}` }))
        await write(store, `thread ${index}`, [entryOf(user('said'))], { records })
      }
      const seen: unknown[] = []
      for (let after: string | undefined; ;) {
        const page = await store.records.find({ name: 'lamp', limit, after })
        holds(page.length <= limit, `a page has at most ${limit}`)
        seen.push(...page.map(({ value }) => value))
        after = page.at(-1)?.position
        if (after === undefined || seen.length > 25) break
      }
      const blocks = seen.map((value) => Math.floor(Number(value) / 5))
      equal(
        blocks,
        upTo(25).map((place) => 4 - Math.floor(place / 5)),
        'the order of their writing',
      )
      equal(
        seen.toSorted((one, other) => Number(one) - Number(other)),
        upTo(25),
        'all of them',
      )
    },
  ),
]
