import type { Store } from 'minutebook'
import { entryOf, type Standing } from 'minutebook/store'
import { user } from '../builders.ts'
import { casesOf, chain, equal, idsOf, refuse, seqsOf, talk, texts, thread, write, type StoreCase } from './harness.ts'

export const removeCases: readonly StoreCase[] = [
  ...casesOf('remove', {
    'nothing is left but the name': async ({ store, images }) => {
      await fill(store, thread)
      const { remains, ...removed } = await store.remove(thread)
      equal(removed, { thread, entries: 3, snapshots: 1, records: 2, images: 1 }, 'what was removed')
      equal(remains.length > 0, true, 'whether it says what remains')
      equal(await store.read(thread), [], 'the log')
      equal(await store.list(), { threads: [] }, 'the list')
      equal(await store.search('message'), [], 'the search')
      equal(await store.search('message', { thread }), [], 'the search in the thread')
      equal((await store.snapshots.load(thread, 'state')) ?? null, null, 'the snapshot')
      equal(await store.records.find({ name: 'setup', thread }), [], 'the record of the thread')
      equal(await store.records.find({ name: 'line' }), [], 'the records of that name')
      equal((await images?.()) ?? 0, 0, 'the images')
    },
    'term and erasures rise, head and length go': async ({ store }) => {
      await write(store, thread, talk(3))
      const { term, erasures } = await store.claim(thread)
      await store.remove(thread)
      equal(await store.standing(thread), none({ term: term + 1, erasures: erasures + 1 }), 'the standing')
    },
    'a thread that never was stays unknown': async ({ store }) => {
      const { remains: _, ...removed } = await store.remove('nowhere')
      equal(removed, { thread: 'nowhere', entries: 0, snapshots: 0, records: 0, images: 0 }, 'what was removed')
      equal(await store.standing('nowhere'), none({}), 'the standing')
    },
    'a thread that has only records loses them': async ({ store }) => {
      await store.records.put(thread, [{ name: 'setup', value: 1 }])
      equal((await store.remove(thread)).records, 1, 'how many records were removed')
      equal([await store.records.find({ name: 'setup' }), await store.standing(thread)], [[], none({})], 'what is left')
    },
    'a thread that was only claimed is fenced': async ({ store }) => {
      const { term } = await store.claim(thread)
      await store.remove(thread)
      equal(await refuse(store, thread, talk(1), { term }), 'fenced', 'why the append is refused')
    },
    'the runner of an old turn is fenced': async ({ store }) => {
      const { term } = await store.claim(thread)
      await write(store, thread, talk(1), { term })
      await store.remove(thread)
      equal(await refuse(store, thread, talk(2).slice(1), { term }), 'fenced', 'why the answer is refused')
      equal(await store.read(thread), [], 'the log')
    },
    'it is fenced from a new thread of the same name, too': async ({ store }) => {
      const { term } = await store.claim(thread)
      await write(store, thread, talk(1), { term })
      await store.remove(thread)
      await write(store, thread, talk(1))
      equal(await refuse(store, thread, talk(2).slice(1), { term }), 'fenced', 'before a new claim')
      await store.claim(thread)
      equal(await refuse(store, thread, talk(2).slice(1), { term }), 'fenced', 'after a new claim')
      equal(await texts(store, thread), ['message 0'], 'the log')
    },
    'an answer without a term does not find its question': async ({ store }) => {
      await write(store, thread, talk(1))
      await store.remove(thread)
      equal(await refuse(store, thread, talk(2).slice(1)), 'absent', 'why the answer is refused')
    },
    'a snapshot of before is not saved': async ({ store }) => {
      const { standing } = await write(store, thread, talk(1))
      await store.remove(thread)
      const { erasures } = standing
      await store.snapshots.save(thread, 'state', { id: talk(1)[0]!.id, seq: 0, value: 'old' }, { erasures })
      equal((await store.snapshots.load(thread, 'state')) ?? null, null, 'the snapshot')
    },
    'a new thread of the same name begins at 0': async ({ store }) => {
      await fill(store, thread)
      await store.remove(thread)
      const { entries, standing } = await write(store, thread, talk(2), { head: null })
      equal([seqsOf(entries), standing.length, standing.head], [[0, 1], 2, idsOf(entries)[1]], 'the append')
      equal(await texts(store, thread), ['message 0', 'message 1'], 'the log')
      equal(idsOf(await store.read(thread, { head: entries[1]!.id })), idsOf(entries), 'the branch')
      equal(
        (await store.search('message')).map(({ seq }) => seq),
        [1, 0],
        'what is found',
      )
      equal(await store.records.find({ name: 'setup', thread }), [], 'the records')
    },
    'what was written last is removed, and what is written next is found': async ({ store }) => {
      await write(store, 'one', talk(2, undefined, 'red'))
      await write(store, 'two', talk(3, undefined, 'green'))
      equal((await store.search('green')).length, 3, 'what is found before')
      await store.remove('two')
      await write(store, 'three', talk(2, undefined, 'blue'))
      equal(
        (await store.search('blue')).map((found) => [found.thread, found.seq]),
        [
          ['three', 1],
          ['three', 0],
        ],
        'what is found after',
      )
      equal([(await store.search('green')).length, (await store.search('red')).length], [0, 2], 'the others')
      equal(
        (await store.list()).threads.map((listed) => listed.thread),
        ['three', 'one'],
        'the list',
      )
    },
    'other threads stay as they are': async ({ store }) => {
      await fill(store, 'one')
      await fill(store, 'two')
      const kept = async (): Promise<unknown> => [
        await store.read('two'),
        await store.standing('two'),
        await store.snapshots.load('two', 'state'),
        await store.records.find({ name: 'setup', thread: 'two' }),
        (await store.search('message', { thread: 'two' })).length,
      ]
      const before = await kept()
      await store.remove('one')
      equal(await kept(), before, 'the other thread')
    },
    "the store's own records stay": async ({ store }) => {
      await store.records.put(null, [{ name: 'setup', value: 'own' }])
      await fill(store, thread)
      await store.remove(thread)
      equal((await store.records.find({ name: 'setup' })).length, 1, 'how many are left')
    },
    'twice is as good as once': async ({ store }) => {
      await write(store, thread, talk(2))
      await store.remove(thread)
      equal((await store.remove(thread)).entries, 0, 'what the second time removed')
      equal((await store.list()).threads, [], 'the list')
    },
    'tombstones go, too': async ({ store }) => {
      await write(store, thread, talk(4))
      await store.erase(thread)
      equal((await store.remove(thread)).entries, 4, 'how many entries were removed')
      equal(await store.read(thread), [], 'the log')
    },
    'a long thread': async ({ store }) => {
      await write(store, thread, talk(600))
      equal((await store.remove(thread)).entries, 600, 'how many entries were removed')
      equal(await store.search('message'), [], 'what is found')
    },
  }),
]

/** Three entries, one of them with a long image, two records and a snapshot. */
async function fill(store: Store, name: string): Promise<void> {
  const image = `data:image/png;base64,${'iVBORw0KGgo='.repeat(1000)}`
  const shown = { role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] } as const
  const [first, second] = chain([user('message 0'), user('message 1')])
  const third = entryOf(shown, second)
  const records = [
    { name: 'setup', value: 1 },
    { name: 'line', key: 'k', value: 2 },
  ]
  await write(store, name, [first!, second!, third], { records })
  await store.snapshots.save(name, 'state', { id: third.id, seq: 2, value: 3 })
}

function none(raised: Partial<Standing>): Standing {
  return { head: null, length: 0, term: 0, erasures: 0, ...raised }
}
