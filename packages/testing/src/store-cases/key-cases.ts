import { entryOf, type Range } from 'minutebook/store'
import { assistant, user } from '../builders.ts'
import { casesOf, eachOf, equal, hang, idsOf, seqsOf, talk, texts, thread, write, type StoreCase } from './harness.ts'

const keys: readonly string[] = [
  'a',
  'A',
  'a ',
  '',
  '0',
  'null',
  '\u0000',
  '\ud800',
  '\ud801',
  '\\ud800',
  '"',
  '"key":"a"',
  'ключ',
  'x'.repeat(300),
  'x'.repeat(5000),
  `${'x'.repeat(5000)}y`,
  '😀'.repeat(200),
]

/** What was sent under the sender's own id is found by it. */
export const keyCases: readonly StoreCase[] = [
  ...casesOf('key', {
    'nothing was sent under an unused key': async ({ store }) => {
      await write(store, thread, talk(3))
      equal(await store.read(thread, { key: 'k' }), [], 'what is read')
      equal(await store.read('nowhere', { key: 'k' }), [], 'what is read of a thread that is not there')
    },
    'what waits and what was said is read as it was written, in order': async ({ store }) => {
      const [one, two] = talk(2)
      const waits = hang('pending', 'said', two, { key: 'k' })
      const other = hang('pending', 'other', two, { key: 'l' })
      const said = entryOf(user('said'), two, { key: 'k' })
      const { entries } = await write(store, thread, [one!, two!, waits, other, said])
      equal(await store.read(thread, { key: 'k' }), [entries[2], entries[4]], 'what is read')
    },
    'what was sent on any branch is read, whatever the head': async ({ store }) => {
      const [one, two] = talk(2)
      const branches = [one!, two!].map((after) => entryOf(user(`after ${after.seq}`), after, { key: 'k' }))
      await write(store, thread, [one!, two!, ...branches])
      equal(await texts(store, thread, { key: 'k' }), ['after 0', 'after 1'], 'what is read')
      equal(
        await texts(store, thread, { key: 'k', head: branches[0]!.id }),
        ['after 0', 'after 1'],
        'what is read with a head',
      )
    },
    'keys of entries that were not sent do not count': async ({ store }) => {
      const first = entryOf({ role: 'system', content: 'said' }, undefined, { key: 'k' })
      await write(store, thread, [
        first,
        hang('note', 'noted', first, { key: 'k' }),
        entryOf(assistant('answered'), first, { key: 'k' }),
      ])
      equal(await store.read(thread, { key: 'k' }), [], 'what is read')
    },
    'threads are told apart': async ({ store }) => {
      for (const name of ['one', 'two']) await write(store, name, [entryOf(user(name), undefined, { key: 'k' })])
      equal(await texts(store, 'one', { key: 'k' }), ['one'], 'what is read')
    },
    'an append that is retried is read once': async ({ store }) => {
      const entry = entryOf(user('said'), undefined, { key: 'k' })
      await write(store, thread, [entry])
      await write(store, thread, [entry, entryOf(assistant('answered'), entry)])
      equal(await texts(store, thread, { key: 'k' }), ['said'], 'what is read')
    },
    'what was erased is found no more, and what is sent then is': async ({ store }) => {
      const one = entryOf(user('one'), undefined, { key: 'k' })
      const two = entryOf(user('two'), one, { key: 'l' })
      await write(store, thread, [one, two])
      await store.erase(thread, [one.id])
      equal(await store.read(thread, { key: 'k' }), [], 'what is read')
      equal(await texts(store, thread, { key: 'l' }), ['two'], 'what is read of another key')
      await write(store, thread, [entryOf(user('three'), two, { key: 'k' })])
      equal(await texts(store, thread, { key: 'k' }), ['three'], 'what is read after')
      await store.erase(thread)
      equal(
        [await store.read(thread, { key: 'k' }), await store.read(thread, { key: 'l' })],
        [[], []],
        'what is read at last',
      )
    },
  }),
  ...eachOf<readonly [Range, readonly number[]]>(
    'key',
    [
      [{}, [1, 3, 4]],
      [{ from: 3 }, [3, 4]],
      [{ to: 4 }, [1, 3]],
      [{ from: 2, to: 4 }, [3]],
      [{ last: 2 }, [3, 4]],
      [{ to: 4, last: 1 }, [3]],
      [{ last: 0 }, []],
      [{ from: 9 }, []],
    ],
    ([range]) => `of what was sent at 1, 3 and 4, only ${JSON.stringify(range)}`,
    async ([range, expected], { store }) => {
      const entries = talk(5).map((entry) =>
        entry.seq % 2 === 1 || entry.seq === 4
          ? hang('pending', entry.text, undefined, { key: 'k' })
          : entryOf(user(`root ${entry.seq}`)),
      )
      await write(store, thread, entries)
      equal(seqsOf(await store.read(thread, { ...range, key: 'k' })), expected, 'the seqs')
    },
  ),
  ...eachOf(
    'key',
    keys,
    (key) =>
      `of ${keys.length} keys only ${JSON.stringify(key.slice(0, 12))} (${key.length}) itself finds what was sent under it`,
    async (key, { store }) => {
      const entries = keys.map((each) => hang('pending', 'said', undefined, { key: each }))
      await write(store, thread, entries)
      equal(idsOf(await store.read(thread, { key })), [entries[keys.indexOf(key)]!.id], 'what is read')
    },
  ),
]
