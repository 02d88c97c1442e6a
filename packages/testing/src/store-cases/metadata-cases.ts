import type { Store } from 'minutebook'
import { recordNames, type NewRecord, type Page } from 'minutebook/store'
import { casesOf, eachOf, equal, holds, rejects, talk, thread, upTo, write, type StoreCase } from './harness.ts'

export const metadataCases: readonly StoreCase[] = [
  ...casesOf('metadata', {
    'a list has the metadata of each thread': async ({ store }) => {
      await begin(store, 'one', { title: 'Garden', owner: 'ann' })
      await begin(store, 'two', {})
      equal(
        (await store.list()).threads.map((listed) => [listed.thread, Object.entries(listed.metadata)]),
        [
          ['two', []],
          [
            'one',
            [
              ['owner', 'ann'],
              ['title', 'Garden'],
            ],
          ],
        ],
        'the list, with keys in order',
      )
    },
    'other records do not count': async ({ store }) => {
      await write(store, thread, talk(1), { records: [{ name: 'setup', key: 'owner', value: 'ann' }] })
      await store.records.put(null, pairs({ owner: 'ann' }))
      equal((await store.list()).threads[0]!.metadata, {}, 'the metadata')
      equal(await names(store, { owner: 'ann' }), [], 'what is found')
    },
    'only threads that have the pair, the newest first': async ({ store }) => {
      for (const index of upTo(9)) await begin(store, `thread ${index}`, { owner: index % 3 === 0 ? 'ann' : 'ben' })
      equal(await names(store, { owner: 'ann' }), ['thread 6', 'thread 3', 'thread 0'], 'what is found')
      await write(store, 'thread 0', talk(2))
      equal(await names(store, { owner: 'ann' }), ['thread 0', 'thread 6', 'thread 3'], 'what is found after a write')
    },
    'all pairs must match': async ({ store }) => {
      await begin(store, 'one', { owner: 'ann', project: 'x' })
      await begin(store, 'two', { owner: 'ann', project: 'y' })
      await begin(store, 'three', { owner: 'ben', project: 'x' })
      await begin(store, 'four', { owner: 'x', project: 'ann' })
      equal(await names(store, { owner: 'ann', project: 'x' }), ['one'], 'what is found')
      equal(await names(store, { owner: 'ann', project: 'z' }), [], 'what is not found')
      equal(await names(store, {}), ['four', 'three', 'two', 'one'], 'without a pair')
    },
    'a found thread has all of its metadata': async ({ store }) => {
      await begin(store, 'one', { owner: 'ann', project: 'x', title: 'Garden' })
      equal(
        (await store.list({ metadata: { owner: 'ann' } })).threads[0]!.metadata,
        { owner: 'ann', project: 'x', title: 'Garden' },
        'the metadata',
      )
    },
    'a new value replaces the old one': async ({ store }) => {
      await begin(store, thread, { owner: 'ann' })
      await store.records.put(thread, pairs({ owner: 'ben' }))
      equal([await names(store, { owner: 'ann' }), await names(store, { owner: 'ben' })], [[], [thread]], 'the lists')
    },
    'a removed pair is gone': async ({ store }) => {
      await begin(store, thread, { owner: 'ann', title: 'Garden' })
      await store.records.remove(thread, recordNames.metadata, 'owner')
      equal((await store.list()).threads[0]!.metadata, { title: 'Garden' }, 'the metadata')
      equal(await names(store, { owner: 'ann' }), [], 'what is found')
    },
    'it goes when the whole thread is erased, and stays when an entry is': async ({ store }) => {
      await begin(store, thread, { owner: 'ann' })
      await store.erase(thread, [talk(1)[0]!.id])
      equal(await names(store, { owner: 'ann' }), [thread], 'what is found after an entry was erased')
      await store.erase(thread)
      equal((await store.list()).threads[0]!.metadata, {}, 'the metadata after all was erased')
      equal(await names(store, { owner: 'ann' }), [], 'what is found then')
    },
    'it goes with a removed thread': async ({ store }) => {
      await begin(store, thread, { owner: 'ann' })
      await store.remove(thread)
      await write(store, thread, talk(1))
      equal((await store.list()).threads[0]!.metadata, {}, 'the metadata of a new thread of that name')
    },
    'a thread without entries is not listed': async ({ store }) => {
      await store.records.put('nowhere', pairs({ owner: 'ann' }))
      equal(await names(store, { owner: 'ann' }), [], 'what is found')
    },
    'sixteen long pairs of letters of three bytes': async ({ store }) => {
      const metadata = Object.fromEntries(upTo(16).map((index) => [`${index}`.padStart(64, 'ケ'), '花'.repeat(512)]))
      await begin(store, thread, metadata)
      equal((await store.list({ metadata })).threads[0]!.metadata, metadata, 'the metadata')
    },
    'what does not fit is refused, and nothing is written': async ({ store }) => {
      const records = pairs({ owner: 'x'.repeat(513) })
      await rejects(store.append(thread, talk(1), { records }), 'invalid_metadata', 'an append')
      await rejects(store.records.put(thread, records), 'invalid_metadata', 'a put')
      equal(await store.read(thread), [], 'the log')
    },
  }),
  ...eachOf(
    'metadata',
    ['ann', '', ' ', '"', '\\', "'", 'null', '%', 'Ann', 'a\nb\tc', 'é', 'e\u0301', '😀', '{"a":1}', 'ann '],
    (value) => `the value ${JSON.stringify(value)} is found by itself only`,
    async (value, { store }) => {
      const others = ['ann', 'Ann', 'é', 'e\u0301', '', '""', 'a', 'ann ', 'b']
      for (const [index, other] of others.entries()) await begin(store, `thread ${index}`, { owner: other })
      await begin(store, 'this', { owner: value })
      const same = upTo(others.length).filter((index) => others[index] === value)
      equal(
        await names(store, { owner: value }),
        ['this', ...same.map((index) => `thread ${index}`).toReversed()],
        'what is found',
      )
    },
  ),
  ...eachOf(
    'metadata',
    ['owner', 'a.b-c_d', 'a:b', 'a=b', 'two words', 'Schlüssel', '__proto__', 'constructor', '"', '\\'],
    (key) => `the key ${JSON.stringify(key)}`,
    async (key, { store }) => {
      await begin(store, 'one', Object.fromEntries([[key, 'ann']]))
      await begin(store, 'two', { other: 'ann' })
      equal(await names(store, Object.fromEntries([[key, 'ann']])), ['one'], 'what is found')
      equal(Object.entries((await store.list()).threads[1]!.metadata), [[key, 'ann']], 'the metadata')
    },
  ),
  ...eachOf(
    'metadata',
    [1, 2, 3, 7, 8, 100],
    (limit) => `20 threads by ${limit}, 7 of them with a pair: each once, in order, to the end`,
    async (limit, { store }) => {
      for (const index of upTo(20)) await begin(store, `thread ${index}`, { owner: index % 3 === 0 ? 'ann' : 'ben' })
      const found: string[] = []
      let after: string | undefined
      do {
        const page = await store.list({ limit, metadata: { owner: 'ann' }, ...(after !== undefined && { after }) })
        holds(page.threads.length > 0 && page.threads.length <= limit, `a page has 1 to ${limit}`)
        found.push(...page.threads.map((listed) => listed.thread))
        after = page.next
      } while (after !== undefined)
      equal(
        found,
        [18, 15, 12, 9, 6, 3, 0].map((index) => `thread ${index}`),
        'all pages',
      )
    },
  ),
]

async function begin(store: Store, name: string, metadata: Readonly<Record<string, string>>): Promise<void> {
  await write(store, name, talk(1), { records: pairs(metadata) })
}

function pairs(metadata: Readonly<Record<string, string>>): readonly NewRecord[] {
  return Object.entries(metadata).map(([key, value]) => ({ name: recordNames.metadata, key, value }))
}

async function names(store: Store, metadata: Page['metadata']): Promise<string[]> {
  return (await store.list({ metadata })).threads.map((listed) => listed.thread)
}
