import { casesOf, eachOf, equal, talk, thread, write, type StoreCase } from './harness.ts'

const values: readonly unknown[] = [
  null,
  0,
  '',
  'text',
  true,
  [],
  {},
  [1, [2, { a: null }]],
  { z: 1, a: { b: 'c' } },
  'a\u0000\ud800',
  JSON.parse('{"__proto__":{"a":1}}'),
  'x'.repeat(300_000),
]

export const snapshotCases: readonly StoreCase[] = [
  ...casesOf('snapshot', {
    'there is none at first': async ({ store }) => {
      await write(store, thread, talk(1))
      equal(await store.snapshots.load(thread, 'state'), undefined, 'the snapshot')
    },
    'there is none in a thread that is not there': async ({ store }) => {
      equal(await store.snapshots.load('nowhere', 'state'), undefined, 'the snapshot')
    },
    'what was saved is loaded': async ({ store }) => {
      await write(store, thread, talk(3))
      await store.snapshots.save(thread, 'state', { id: talk(3)[2]!.id, seq: 2, value: { lamp: 'on' } })
      equal(
        await store.snapshots.load(thread, 'state'),
        { id: talk(3)[2]!.id, seq: 2, value: { lamp: 'on' } },
        'the snapshot',
      )
    },
    'the newest is loaded, whatever the order of saving': async ({ store }) => {
      for (const seq of [4, 9, 2]) await store.snapshots.save(thread, 'state', { id: `id ${seq}`, seq, value: seq })
      equal(await store.snapshots.load(thread, 'state'), { id: 'id 9', seq: 9, value: 9 }, 'the snapshot')
    },
    'one of the same name and seq is replaced': async ({ store }) => {
      await store.snapshots.save(thread, 'state', { id: 'a', seq: 3, value: 'old' })
      await store.snapshots.save(thread, 'state', { id: 'b', seq: 3, value: 'new' })
      equal(await store.snapshots.load(thread, 'state'), { id: 'b', seq: 3, value: 'new' }, 'the snapshot')
    },
    'names are told apart': async ({ store }) => {
      for (const name of ['state', 'State', 'state ', '', 'stat', '\ud800', '\ud801'])
        await store.snapshots.save(thread, name, { id: 'a', seq: 1, value: name.length + name.charCodeAt(0) })
      for (const name of ['state', 'State', 'state ', 'stat', '\ud800', '\ud801'])
        equal((await store.snapshots.load(thread, name))?.value, name.length + name.charCodeAt(0), JSON.stringify(name))
      equal(await store.snapshots.load(thread, 'other'), undefined, 'another name')
    },
    'threads are told apart': async ({ store }) => {
      await store.snapshots.save('one', 'state', { id: 'a', seq: 1, value: 1 })
      await store.snapshots.save('two', 'state', { id: 'a', seq: 1, value: 2 })
      equal(
        [(await store.snapshots.load('one', 'state'))?.value, (await store.snapshots.load('two', 'state'))?.value],
        [1, 2],
        'the values',
      )
    },
    'a caller who changes the value afterwards changes nothing': async ({ store }) => {
      const value = { lamp: 'on' }
      await store.snapshots.save(thread, 'state', { id: 'a', seq: 1, value })
      value.lamp = 'off'
      const loaded = await store.snapshots.load(thread, 'state')
      Object.assign(loaded!.value as object, { lamp: 'broken' })
      equal((await store.snapshots.load(thread, 'state'))?.value, { lamp: 'on' }, 'the value')
    },
    'with `only`, older ones of that name are forgotten': async ({ store }) => {
      for (const seq of [2, 4, 9]) await store.snapshots.save(thread, 'state', { id: `id ${seq}`, seq, value: seq })
      await store.snapshots.save(thread, 'fold', { id: 'id 1', seq: 1, value: 1 })
      await store.snapshots.save(thread, 'state', { id: 'id 5', seq: 5, value: 5 }, { only: true })
      equal(await store.snapshots.load(thread, 'state', 5), undefined, 'the newest before 5')
      equal((await store.snapshots.load(thread, 'state', 6))?.value, 5, 'the newest before 6')
      equal((await store.snapshots.load(thread, 'state'))?.value, 9, 'the newest')
      equal((await store.snapshots.load(thread, 'fold'))?.value, 1, 'the one of another name')
    },
    'what was worked out before an erasure is not saved after it': async ({ store }) => {
      const entries = talk(3)
      await write(store, thread, entries)
      const { erasures } = await store.standing(thread)
      await store.erase(thread, [entries[0]!.id])
      await store.snapshots.save(thread, 'state', { id: entries[2]!.id, seq: 2, value: 'message 0' }, { erasures })
      equal(await store.snapshots.load(thread, 'state'), undefined, 'the snapshot')
      await store.snapshots.save(
        thread,
        'state',
        { id: entries[2]!.id, seq: 2, value: 'without' },
        { erasures: (await store.standing(thread)).erasures },
      )
      equal((await store.snapshots.load(thread, 'state'))?.value, 'without', 'the snapshot of after')
    },
    'a thread of which nothing was erased takes one': async ({ store }) => {
      await write(store, thread, talk(1))
      await store.snapshots.save(thread, 'state', { id: 'a', seq: 1, value: 1 }, { erasures: 0 })
      await store.snapshots.save('another', 'state', { id: 'a', seq: 1, value: 1 }, { erasures: 1 })
      equal(
        [(await store.snapshots.load(thread, 'state'))?.value, await store.snapshots.load('another', 'state')],
        [1, undefined],
        'the snapshots',
      )
    },
    'an append leaves snapshots alone': async ({ store }) => {
      await write(store, thread, talk(2))
      await store.snapshots.save(thread, 'state', { id: talk(2)[1]!.id, seq: 1, value: 1 })
      await write(store, thread, talk(4))
      equal((await store.snapshots.load(thread, 'state'))?.seq, 1, 'the snapshot')
    },
  }),
  ...eachOf(
    'snapshot',
    [
      [0, undefined],
      [2, undefined],
      [3, 2],
      [4, 2],
      [5, 4],
      [10, 9],
      [11, 9],
      [Infinity, 9],
    ] as const,
    ([to]) => `of those at 2, 4 and 9, the newest before ${to}`,
    async ([to, expected], { store }) => {
      for (const seq of [9, 2, 4]) await store.snapshots.save(thread, 'state', { id: `id ${seq}`, seq, value: seq })
      equal((await store.snapshots.load(thread, 'state', to))?.seq, expected, 'its seq')
    },
  ),
  ...eachOf(
    'snapshot',
    values,
    (value) => `the value ${JSON.stringify(value).slice(0, 40)} comes back`,
    async (value, { store }) => {
      await store.snapshots.save(thread, 'state', { id: 'a', seq: 0, value })
      equal(JSON.stringify((await store.snapshots.load(thread, 'state'))?.value), JSON.stringify(value), 'the value')
    },
  ),
]
