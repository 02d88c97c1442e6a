import type { Store } from 'minutebook'
import { entryOf, type NewRecord, type RecordQuery } from 'minutebook/store'
import { user } from '../builders.ts'
import { casesOf, eachOf, equal, texts, thread, write, type StoreCase } from './harness.ts'

const names: readonly string[] = [
  'a',
  'A',
  'a ',
  '',
  '0',
  'null',
  '\u0000',
  '\ud800',
  '\\ud800',
  '\\-',
  '"',
  'ключ',
  'x'.repeat(300),
  `${'x'.repeat(5000)}y`,
]
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

/** Threads and keys may have any length; names of kinds are a program's own, and short. */
const kindOf = (name: string): string => (name.length > 100 ? 'long' : name)

export const lamp = (value: unknown, more: Partial<NewRecord> = {}): NewRecord => ({ name: 'lamp', value, ...more })

/** Writes that must succeed; returns the versions. */
export async function put(store: Store, place: string | null, ...records: readonly NewRecord[]): Promise<number[]> {
  const answer = await store.records.put(place, records)
  if (!answer.ok) throw new Error(`a record was refused: ${answer.reason}`)
  return answer.records.map(({ version }) => version)
}

/** The records, without where they are in the order: each store has its own text for that. */
export async function records(store: Store, query: RecordQuery): Promise<unknown[]> {
  return (await store.records.find(query)).map(({ position: _position, ...record }) => record)
}

export async function found(store: Store, query: RecordQuery): Promise<unknown[]> {
  return (await store.records.find(query)).map(({ value }) => value)
}

/** Values of a program's own are next to the log, and nothing that is said or sent reaches them. */
export const recordCases: readonly StoreCase[] = [
  ...casesOf('record', {
    'there is none at first': async ({ store }) => {
      equal(await store.records.find({ name: 'lamp' }), [], 'what is found')
      equal(await store.records.find({ name: 'lamp', key: '', thread }), [], 'what is found in a thread')
    },
    'what was put is found, with its place and version': async ({ store }) => {
      await put(store, thread, lamp({ on: true }, { key: 'k' }))
      const expected = [{ thread, name: 'lamp', key: 'k', value: { on: true }, version: 1 }]
      equal(await records(store, { name: 'lamp', key: 'k', thread }), expected, 'by thread and key')
      equal(await records(store, { name: 'lamp', thread }), expected, 'by thread')
      equal(await records(store, { name: 'lamp', key: 'k' }), expected, 'by key')
      equal(await records(store, { name: 'lamp' }), expected, 'by name')
    },
    'without a key it has the empty one': async ({ store }) => {
      await put(store, thread, lamp(1))
      equal((await store.records.find({ name: 'lamp', key: '' }))[0]?.value, 1, 'the value')
    },
    'a new value takes the place of the old one': async ({ store }) => {
      equal([await put(store, thread, lamp('off')), await put(store, thread, lamp('on'))], [[1], [2]], 'the versions')
      equal(
        await records(store, { name: 'lamp' }),
        [{ thread, name: 'lamp', key: '', value: 'on', version: 2 }],
        'what is found',
      )
    },
    'the same value again is not written again': async ({ store }) => {
      for (const each of ['one', 'two']) await put(store, each, lamp(each))
      equal(await put(store, 'one', lamp('one')), [1], 'the version')
      equal(await found(store, { name: 'lamp' }), ['two', 'one'], 'the order')
    },
    'the one that was written last comes first': async ({ store }) => {
      for (const each of ['one', 'two', 'three']) await put(store, each, lamp(each))
      await put(store, 'one', lamp('again'))
      equal(await found(store, { name: 'lamp' }), ['again', 'three', 'two'], 'what is found')
      equal(await found(store, { name: 'lamp', limit: 2 }), ['again', 'three'], 'two of them')
      equal(await found(store, { name: 'lamp', limit: 0 }), [], 'none of them')
    },
    'within a thread, too': async ({ store }) => {
      await put(store, thread, lamp(1, { key: 'b' }))
      await put(store, thread, lamp(2, { key: 'a' }))
      equal(await found(store, { name: 'lamp', thread }), [2, 1], 'what is found')
      equal(await found(store, { name: 'lamp', thread, limit: 1 }), [2], 'the newest')
    },
    'several at once are all there': async ({ store }) => {
      await put(store, thread, lamp(1, { key: 'a' }), lamp(2, { key: 'b' }), { name: 'chair', value: 3 })
      equal(
        [
          await found(store, { name: 'lamp', key: 'a' }),
          await found(store, { name: 'lamp', key: 'b' }),
          await found(store, { name: 'chair' }),
        ],
        [[1], [2], [3]],
        'the values',
      )
    },
    'of two with the same name and key the last one counts': async ({ store }) => {
      await put(store, thread, lamp(1), lamp(2))
      equal(await found(store, { name: 'lamp' }), [2], 'what is found')
    },
    'what belongs to no thread is found among all, and by itself': async ({ store }) => {
      await put(store, null, lamp('own'))
      await put(store, '', lamp('of the empty name'))
      equal(
        await records(store, { name: 'lamp', thread: null }),
        [{ thread: null, name: 'lamp', key: '', value: 'own', version: 1 }],
        'the own one',
      )
      equal(await found(store, { name: 'lamp', thread: '' }), ['of the empty name'], 'that of a thread')
      equal(await found(store, { name: 'lamp' }), ['of the empty name', 'own'], 'both')
    },
    'a value is written only after the version that is expected': async ({ store }) => {
      equal(await put(store, null, lamp('first', { expected: 0 })), [1], 'the first')
      equal((await store.records.put(null, [lamp('other', { expected: 0 })])).ok, false, 'a second first')
      equal(await put(store, null, lamp('second', { expected: 1 })), [2], 'the second')
      equal(await put(store, null, lamp('second', { expected: 2 })), [3], 'the same value after it')
      equal(
        await store.records.put(null, [lamp('late', { expected: 1 })]),
        { ok: false, reason: 'conflict' },
        'one that comes late',
      )
      equal(
        (await store.records.put(null, [lamp('nowhere', { key: 'k', expected: 1 })])).ok,
        false,
        'one after nothing',
      )
      equal(await found(store, { name: 'lamp' }), ['second'], 'what is found')
    },
    'of those that expect the same version at once one is written': async ({ store }) => {
      await put(store, null, lamp(0))
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => store.records.put(null, [lamp(index + 1, { expected: 1 })])),
      )
      equal(answers.filter(({ ok }) => ok).length, 1, 'how many were written')
      equal((await store.records.find({ name: 'lamp' }))[0]?.version, 2, 'the version')
    },
    'where one is refused, none is written': async ({ store }) => {
      await put(store, thread, lamp(1, { key: 'b' }))
      equal(
        (
          await store.records.put(thread, [
            lamp(2, { key: 'a' }),
            lamp(2, { key: 'b', expected: 0 }),
            lamp(2, { key: 'c' }),
          ])
        ).ok,
        false,
        'the answer',
      )
      equal(await found(store, { name: 'lamp' }), [1], 'what is found')
    },
    'what was removed is gone, and can be put again': async ({ store }) => {
      await put(store, thread, lamp(1, { key: 'a' }), lamp(2, { key: 'b' }), { name: 'chair', value: 3 })
      await put(store, 'another', lamp(4, { key: 'a' }))
      equal(await store.records.remove(thread, 'lamp', 'a'), 1, 'how many went')
      equal(await store.records.remove(thread, 'lamp', 'a'), 0, 'how many went then')
      equal(await found(store, { name: 'lamp', key: 'a' }), [4], 'what is left')
      equal(await put(store, thread, lamp(5, { key: 'a' })), [1], 'the version')
      equal(await store.records.remove(thread, 'lamp'), 2, 'how many of the name went')
      equal(
        [await found(store, { name: 'lamp' }), await found(store, { name: 'chair' })],
        [[4], [3]],
        'what is left at last',
      )
    },
    'a caller who changes the value afterwards changes nothing': async ({ store }) => {
      const value = { on: true }
      await put(store, thread, lamp(value))
      value.on = false
      Object.assign((await store.records.find({ name: 'lamp' }))[0]!.value as object, { on: 'broken' })
      equal(await found(store, { name: 'lamp' }), [{ on: true }], 'the value')
    },
    'a record makes no thread': async ({ store }) => {
      await put(store, thread, lamp(1))
      await store.append('another', [], { records: [lamp(1)] })
      equal((await store.list()).threads, [], 'the threads')
      equal(await store.standing(thread), { head: null, length: 0, term: 0, erasures: 0 }, 'the standing')
    },
    'no key of an entry leads to a record, and no record to an entry': async ({ store }) => {
      await write(store, thread, [entryOf(user('said'), undefined, { key: 'lamp' })], {
        records: [lamp('kept', { key: 'lamp' })],
      })
      equal(await texts(store, thread, { key: 'lamp' }), ['said'], 'what was sent under the key')
      equal(await found(store, { name: 'lamp', key: 'lamp' }), ['kept'], 'the record')
      equal(await store.search('kept'), [], 'what a search finds')
    },
  }),
  ...eachOf(
    'record',
    names,
    (name) =>
      `of ${names.length} threads, names and keys only ${JSON.stringify(name.slice(0, 12))} (${name.length}) itself finds its own record`,
    async (name, { store }) => {
      for (const [index, each] of names.entries())
        await store.records.put(each, [
          { name: kindOf(each), key: each, value: index },
          { name: 'same', key: each, value: index },
        ])
      const value = names.indexOf(name)
      equal(
        await records(store, { name: kindOf(name), thread: name }),
        [{ thread: name, name: kindOf(name), key: name, value, version: 1 }],
        'by name',
      )
      equal(
        await records(store, { name: 'same', key: name }),
        [{ thread: name, name: 'same', key: name, value, version: 1 }],
        'by key',
      )
      equal(await found(store, { name: 'same', thread: name }), [value], 'by thread')
    },
  ),
  ...eachOf(
    'record',
    values,
    (value) => `the value ${JSON.stringify(value).slice(0, 40)} comes back`,
    async (value, { store }) => {
      await put(store, thread, lamp(value))
      equal(JSON.stringify((await store.records.find({ name: 'lamp' }))[0]?.value), JSON.stringify(value), 'the value')
    },
  ),
]
