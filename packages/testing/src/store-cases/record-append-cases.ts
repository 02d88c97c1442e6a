import { entryOf, type NewRecord } from 'minutebook/store'
import { assistant, user } from '../builders.ts'
import { casesOf, eachOf, equal, holds, refuse, talk, texts, thread, write, type StoreCase } from './harness.ts'
import { found, lamp, put, records } from './record-cases.ts'

/** Records that are written together with entries, and erased with them: all or nothing. */
export const recordAppendCases: readonly StoreCase[] = [
  ...casesOf('append with records', {
    'writes both': async ({ store }) => {
      await write(store, thread, talk(2), { records: [lamp(1), lamp(2, { key: 'b' })] })
      equal(await texts(store, thread), ['message 0', 'message 1'], 'the log')
      equal(
        [await found(store, { name: 'lamp', key: '' }), await found(store, { name: 'lamp', key: 'b' })],
        [[1], [2]],
        'the records',
      )
    },
    'to a thread that is there, after its head and after another entry': async ({ store }) => {
      const [one, two] = talk(2)
      await write(store, thread, [one!, two!])
      await write(store, thread, [entryOf(user('three'), two)], { head: two!.id, records: [lamp(1)] })
      await write(store, thread, [entryOf(user('aside'), one)], { records: [lamp(2)] })
      equal(await texts(store, thread), ['message 0', 'message 1', 'three', 'aside'], 'the log')
      equal(
        await records(store, { name: 'lamp' }),
        [{ thread, name: 'lamp', key: '', value: 2, version: 2 }],
        'the record',
      )
    },
    'without entries writes the records, under the terms': async ({ store }) => {
      const [one] = talk(1)
      await write(store, thread, [one!])
      await write(store, thread, [], { head: one!.id, records: [lamp(1)] })
      equal(await refuse(store, thread, [], { head: null, records: [lamp(2)] }), 'conflict', 'the reason')
      equal(await found(store, { name: 'lamp' }), [1], 'the record')
    },
    'of entries that are there already writes the records': async ({ store }) => {
      const entries = talk(2)
      await write(store, thread, entries)
      await write(store, thread, entries, { head: null, records: [lamp(1)] })
      equal(await found(store, { name: 'lamp' }), [1], 'the record')
      equal((await store.standing(thread)).length, 2, 'the length')
    },
    'removes records': async ({ store }) => {
      await write(store, thread, talk(1), { records: [lamp(1), lamp(2, { key: 'b' })] })
      await write(store, thread, talk(2), { records: [lamp(null, { remove: true }), lamp(3, { key: 'c' })] })
      equal(await found(store, { name: 'lamp' }), [3, 2], 'the records')
      await write(store, thread, talk(3), { records: [lamp(null, { remove: true })] })
      equal(await found(store, { name: 'lamp' }), [3, 2], 'after one that is not there was removed')
      await write(store, thread, talk(4), { records: [lamp(4)] })
      equal((await store.records.find({ name: 'lamp', key: '' }))[0]?.version, 1, 'the version of a new one')
    },
    'removes a record only if it has the expected version, or writes nothing': async ({ store }) => {
      await write(store, thread, talk(1), { records: [lamp(1)] })
      const removal = (expected: number): NewRecord => lamp(null, { remove: true, expected })
      equal(await refuse(store, thread, talk(2), { records: [removal(2)] }), 'conflict', 'the reason')
      equal(await found(store, { name: 'lamp' }), [1], 'the record')
      await write(store, thread, talk(2), { records: [removal(1)] })
      equal(await refuse(store, thread, talk(3), { records: [removal(1)] }), 'conflict', 'the reason the second time')
      equal((await store.standing(thread)).length, 2, 'the length')
      equal(await found(store, { name: 'lamp' }), [], 'the records')
    },
    'that is retried leaves everything as it was': async ({ store }) => {
      const first = await write(store, thread, talk(2), { records: [lamp(1)] })
      const again = await write(store, thread, talk(2), { records: [lamp(1)] })
      equal(again, first, 'the answer')
      equal((await store.records.find({ name: 'lamp' }))[0]?.version, 1, 'the version')
    },
    'to another head writes neither': async ({ store }) => {
      await write(store, thread, talk(1))
      equal(
        await refuse(store, thread, [entryOf(user('late'))], { head: null, records: [lamp(1)] }),
        'conflict',
        'the reason',
      )
      equal(await found(store, { name: 'lamp' }), [], 'the records')
    },
    'under a term that has passed writes neither': async ({ store }) => {
      await write(store, thread, talk(1))
      const { term } = await store.claim(thread)
      await store.claim(thread)
      equal(
        await refuse(store, thread, [entryOf(user('late'), talk(1)[0])], { term, records: [lamp(1)] }),
        'fenced',
        'the reason',
      )
      equal(await found(store, { name: 'lamp' }), [], 'the records')
    },
    'behind a parent that is not there writes neither': async ({ store }) => {
      await write(store, thread, talk(1))
      const stray = entryOf(user('stray'), entryOf(assistant('elsewhere')))
      equal(await refuse(store, thread, [stray], { records: [lamp(1)] }), 'absent', 'the reason')
      equal(await found(store, { name: 'lamp' }), [], 'the records')
    },
    'that expects another version writes neither': async ({ store }) => {
      await put(store, thread, lamp('there'))
      equal(
        await refuse(store, thread, talk(2), { records: [lamp('new', { expected: 0 }), lamp(2, { key: 'b' })] }),
        'conflict',
        'the reason',
      )
      equal(
        [await texts(store, thread), await found(store, { name: 'lamp' }), (await store.list()).threads],
        [[], ['there'], []],
        'what there is',
      )
      await write(store, thread, talk(2), { records: [lamp('new', { expected: 1 })] })
      equal(
        [(await texts(store, thread)).length, await found(store, { name: 'lamp' })],
        [2, ['new']],
        'what there is then',
      )
    },
    'with a value that cannot be written writes neither': async ({ store }) => {
      const broken = {
        toJSON: () => {
          throw new Error('a value that cannot be written')
        },
      }
      const appended = store.append(thread, talk(2), { records: [lamp(1, { key: 'a' }), lamp(broken, { key: 'b' })] })
      holds(
        await appended.then(
          () => false,
          () => true,
        ),
        'the append fails',
      )
      equal([await texts(store, thread), await found(store, { name: 'lamp' })], [[], []], 'what there is')
    },
    'is whole for a reader at the same time': async ({ store }) => {
      const [first, ...rest] = talk(20)
      await write(store, thread, [first!], { records: [lamp(1)] })
      const reading = Promise.all(
        rest.map(async () => {
          const [{ value } = { value: 0 }] = await store.records.find({ name: 'lamp', thread })
          holds((await store.standing(thread)).length >= Number(value), 'no record is ahead of its entries')
        }),
      )
      for (const [index, entry] of rest.entries()) await write(store, thread, [entry], { records: [lamp(index + 2)] })
      await reading
    },
  }),
  ...eachOf<'entries' | 'records'>(
    'append with records',
    ['entries', 'records'],
    (part) => `writes nothing if a fault keeps it from writing ${part}`,
    async (part, { store, failing }) => {
      await write(store, thread, talk(1), { records: [lamp('before')] })
      const restore = await failing?.(part)
      // A store that writes both at once has nothing between them that could fail.
      if (!restore) return
      for (const [place, entries] of [
        [thread, talk(3).slice(1)],
        ['new', talk(2, undefined, 'new')],
      ] as const) {
        const failed = await store.append(place, entries, { records: [lamp('after')] }).then(
          () => false,
          () => true,
        )
        holds(failed, 'the append fails')
      }
      await restore()
      equal(
        [await texts(store, thread), await texts(store, 'new'), await found(store, { name: 'lamp' })],
        [['message 0'], [], ['before']],
        'what there is',
      )
      await write(store, thread, talk(3).slice(1), { records: [lamp('after')] })
      equal(
        [(await texts(store, thread)).length, await found(store, { name: 'lamp' })],
        [3, ['after']],
        'what there is then',
      )
    },
  ),
  ...casesOf('erase records', {
    'they go with the whole thread, and no others': async ({ store }) => {
      for (const each of [thread, 'another'])
        await write(store, each, talk(1), { records: [lamp(each), { name: 'chair', value: each }] })
      await put(store, null, lamp('own'))
      equal((await store.erase(thread)).records, 2, 'how many went')
      equal(
        [await found(store, { name: 'lamp' }), await found(store, { name: 'chair' })],
        [['own', 'another'], ['another']],
        'what is left',
      )
    },
    'but for the names that stay': async ({ store }) => {
      await write(store, thread, talk(1), { records: [lamp(1), { name: 'chair', value: 2 }] })
      equal((await store.erase(thread, undefined, { keep: ['chair'] })).records, 1, 'how many went')
      equal([await found(store, { name: 'lamp' }), await found(store, { name: 'chair' })], [[], [2]], 'what is left')
    },
    'with some entries go those that are named': async ({ store }) => {
      const [one, two] = talk(2)
      await write(store, thread, [one!, two!], { records: [lamp(1, { key: 'a' }), lamp(2, { key: 'b' })] })
      equal((await store.erase(thread, [one!.id])).records, 0, 'how many went with an entry')
      equal(
        (
          await store.erase(thread, [two!.id], {
            records: [
              { name: 'lamp', key: 'a' },
              { name: 'lamp', key: 'c' },
            ],
          })
        ).records,
        1,
        'how many went by name',
      )
      equal(await found(store, { name: 'lamp' }), [2], 'what is left')
    },
    'of a thread that has only records': async ({ store }) => {
      await put(store, thread, lamp(1))
      equal((await store.erase(thread)).records, 1, 'how many went')
      equal(await found(store, { name: 'lamp' }), [], 'what is left')
    },
  }),
]
