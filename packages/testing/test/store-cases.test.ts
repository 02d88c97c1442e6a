import { memoryStore, type Store } from 'minutebook'
import { payloadOf, storedFrom, type NewEntry, type StoredEntry } from 'minutebook/store'
import { storeCases } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'

test('there are at least 150 cases, each with a name of its own', () => {
  expect(storeCases.length).toBeGreaterThanOrEqual(150)
  expect(new Set(storeCases.map(({ name }) => name)).size).toBe(storeCases.length)
})

test('a case that needs to reopen says so where it cannot', async () => {
  const [first] = storeCases.filter(({ topic }) => topic === 'reopen')
  await expect(first!.run({ store: memoryStore() })).rejects.toThrow('needs a store that can be reopened')
})

const mapRead = (store: Store, change: (entry: StoredEntry) => StoredEntry): Store => ({
  ...store,
  read: async (thread, range) => (await store.read(thread, range)).map(change),
  append: async (thread, entries, terms) => {
    const appended = await store.append(thread, entries, terms)
    return appended.ok ? { ...appended, entries: appended.entries.map(change) } : appended
  },
})
const rewritten =
  (change: (payload: string) => string) =>
  (store: Store): Store =>
    mapRead(store, (entry) => storedFrom({ ...entry, payload: change(payloadOf(entry)) }))

const omit = <T extends object, K extends keyof T>(value: T, key: K): Omit<T, K> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as Omit<T, K>

/** A fault, and the topics whose cases must see it. */
const faults: readonly (readonly [string, (store: Store) => Store, readonly string[]])[] = [
  [
    'takes any head',
    (store) => ({
      ...store,
      append: (thread, entries, terms = {}) => store.append(thread, entries, omit(terms, 'head')),
    }),
    ['head', 'writers'],
  ],
  [
    'takes any term',
    (store) => ({
      ...store,
      append: (thread, entries, terms = {}) => store.append(thread, entries, omit(terms, 'term')),
    }),
    ['term'],
  ],
  [
    'refuses a retry whose head has moved',
    (store) => ({
      ...store,
      append: async (thread, entries, terms = {}) => {
        const { standing } = await store.append(thread, [])
        const moved = terms.head !== undefined && terms.head !== standing.head
        return moved ? { ok: false, reason: 'conflict', standing } : store.append(thread, entries, terms)
      },
    }),
    ['retry', 'term'],
  ],
  [
    'appends one entry at a time',
    (store) => ({
      ...store,
      append: async (thread, entries, terms) => {
        const written: StoredEntry[] = []
        let last = await store.append(thread, [], terms)
        for (const entry of entries) {
          last = await store.append(thread, [entry])
          if (!last.ok) return last
          written.push(...last.entries)
        }
        return { ok: true, entries: written, standing: last.standing }
      },
    }),
    ['head', 'parents', 'writers', 'order'],
  ],
  [
    'keeps live objects',
    (store) => {
      const live = new Map<string, NewEntry>()
      return {
        ...store,
        append: (thread, entries, terms) => {
          for (const entry of entries) live.set(entry.id, entry)
          return store.append(thread, entries, terms)
        },
        read: async (thread, range) =>
          (await store.read(thread, range)).map((entry) => ({ ...entry, raw: live.get(entry.id)?.raw ?? entry.raw })),
      }
    },
    ['order', 'erase'],
  ],
  [
    'reads every branch as one',
    (store) => ({ ...store, read: (thread, range = {}) => store.read(thread, omit(range, 'head')) }),
    ['branch', 'branch range'],
  ],
  [
    'ignores last on a branch',
    (store) => ({
      ...store,
      read: (thread, range = {}) => store.read(thread, range.head === undefined ? range : { ...range, last: Infinity }),
    }),
    ['branch', 'branch range'],
  ],
  [
    'includes the end of a range',
    (store) => ({
      ...store,
      read: (thread, range = {}) => store.read(thread, range.to === undefined ? range : { ...range, to: range.to + 1 }),
    }),
    ['range', 'branch range'],
  ],
  ['takes a zero character out', rewritten((payload) => payload.replaceAll('\\u0000', '')), ['payload', 'facts']],
  [
    'replaces lone surrogates',
    rewritten((payload) => payload.replaceAll(/\\ud[89a-f]../g, '\\ufffd')),
    ['payload', 'facts'],
  ],
  [
    'sorts keys',
    rewritten((payload) => {
      const entry = JSON.parse(payload) as { raw: object }
      return JSON.stringify({
        ...entry,
        raw: Object.fromEntries(Object.entries(entry.raw).toSorted(([one], [other]) => (one < other ? -1 : 1))),
      })
    }),
    ['payload'],
  ],
  ['normalises text', rewritten((payload) => payload.normalize('NFC')), ['payload']],
  ['cuts at a megabyte', rewritten((payload) => payload.replace(/0123456789"/, '"')), ['payload']],
  ['forgets the key', (store) => mapRead(store, (entry) => omit(entry, 'key')), ['facts']],
  [
    'takes every kind for its role',
    (store) => mapRead(store, (entry) => ({ ...entry, kind: entry.raw.role as 'user' })),
    ['kind'],
  ],
  [
    'erases only what is named',
    (store) => ({
      ...store,
      erase: async (thread, ids) => {
        const before = await store.read(thread)
        const erasure = await store.erase(thread, ids)
        const others = new Map(
          before.filter(({ id }) => ids !== undefined && !ids.includes(id)).map((entry) => [entry.id, entry]),
        )
        const intact = { ...store }
        store.read = async (name, range) =>
          (await intact.read(name, range)).map((entry) => (name === thread ? (others.get(entry.id) ?? entry) : entry))
        return erasure
      },
      read: (thread, range) => store.read(thread, range),
    }),
    ['erase'],
  ],
  [
    'erases nothing',
    (store) => ({
      ...store,
      erase: async (thread) => ({ thread, erased: [], snapshots: 0, records: 0, images: 0, remains: [] }),
    }),
    ['erase', 'writers', 'erase records', 'image'],
  ],
  [
    'keeps snapshots when it erases',
    (store) => {
      const kept = memoryStore()
      return { ...store, snapshots: kept.snapshots }
    },
    ['erase'],
  ],
  [
    'writes the records of an append after it',
    (store) => ({
      ...store,
      append: async (thread, entries, terms = {}) => {
        const appended = await store.append(thread, entries, omit(terms, 'records'))
        if (appended.ok) await store.records.put(thread, terms.records ?? [])
        return appended
      },
    }),
    ['append with records'],
  ],
  [
    'writes the records of an append before it',
    (store) => ({
      ...store,
      append: async (thread, entries, terms = {}) => {
        const put = await store.records.put(thread, terms.records ?? [])
        return put.ok
          ? store.append(thread, entries, omit(terms, 'records'))
          : { ok: false, reason: 'conflict', standing: await store.standing(thread) }
      },
    }),
    ['append with records'],
  ],
  [
    'forgets the records of an append whose entries are there',
    (store) => ({
      ...store,
      append: async (thread, entries, terms = {}) => {
        const known = new Set((await store.read(thread)).map(({ id }) => id))
        return store.append(
          thread,
          entries,
          entries.length > 0 && entries.every(({ id }) => known.has(id)) ? omit(terms, 'records') : terms,
        )
      },
    }),
    ['append with records'],
  ],
  [
    'leaves long images out',
    rewritten((payload) => payload.replaceAll(/"(?:data:[^"]*,)?[0-9a-f]{1000,}"/g, '""')),
    ['image'],
  ],
  [
    'keeps images when it erases',
    (store) => ({ ...store, erase: async (...given) => ({ ...(await store.erase(...given)), images: 0 }) }),
    ['image'],
  ],
  [
    'takes any version of a record',
    (store) => ({
      ...store,
      records: {
        ...store.records,
        put: (thread, records) =>
          store.records.put(
            thread,
            records.map((record) => omit(record, 'expected')),
          ),
      },
    }),
    ['record'],
  ],
  [
    'keeps records of the empty thread with its own',
    (store) => ({
      ...store,
      records: {
        ...store.records,
        put: (thread, records) => store.records.put(thread ?? '', records),
        find: (query) => store.records.find({ ...query, ...(query.thread === null && { thread: '' }) }),
      },
    }),
    ['record'],
  ],
  [
    'keeps records when it erases',
    (store) => ({ ...store, erase: (thread, ids) => store.erase(thread, ids, { keep: ['lamp', 'chair'] }) }),
    ['erase records'],
  ],
  [
    'finds the oldest record first',
    (store) => ({
      ...store,
      records: { ...store.records, find: async (query) => (await store.records.find(query)).toReversed() },
    }),
    ['record'],
  ],
  [
    'begins each page of records anew',
    (store) => ({
      ...store,
      records: { ...store.records, find: async (query) => store.records.find(omit(query, 'after')) },
    }),
    ['record'],
  ],
  [
    'lists the oldest first',
    (store) => ({
      ...store,
      list: async (page) => {
        const { threads, ...rest } = await store.list(page)
        return { threads: threads.toReversed(), ...rest }
      },
    }),
    ['list', 'retry', 'term', 'erase', 'isolation'],
  ],
  [
    'has always one more page',
    (store) => ({ ...store, list: async (page) => ({ next: '0', ...(await store.list(page)) }) }),
    ['list'],
  ],
  [
    'finds what is hidden',
    (store) => ({
      ...store,
      search: async (query, within) => {
        const found = await store.search(query, within)
        const hidden = (await store.read('a thread')).filter(
          ({ text, kind }) => kind !== 'user' && text.includes(query),
        )
        return [...found, ...hidden.map(({ id, seq, text }) => ({ thread: 'a thread', id, seq, text }))].filter(
          (entry, index, all) => all.findIndex(({ id }) => id === entry.id) === index,
        )
      },
    }),
    ['search'],
  ],
  [
    'searches all threads',
    (store) => ({
      ...store,
      search: (query, within = {}) => store.search(query, within.limit === undefined ? {} : { limit: within.limit }),
    }),
    ['search', 'isolation'],
  ],
  [
    'minds capitals in a query',
    (store) => ({
      ...store,
      search: (query, within) => (/[A-Z]/.test(query) ? Promise.resolve([]) : store.search(query, within)),
    }),
    ['search'],
  ],
  [
    'loads the newest snapshot whatever is asked',
    (store) => ({
      ...store,
      snapshots: { ...store.snapshots, load: (thread, name) => store.snapshots.load(thread, name) },
    }),
    ['snapshot'],
  ],
  [
    'takes snapshots of all names for one',
    (store) => ({
      ...store,
      snapshots: {
        save: (thread, _, snapshot) => store.snapshots.save(thread, 'x', snapshot),
        load: (thread, _, to) => store.snapshots.load(thread, 'x', to),
      },
    }),
    ['snapshot'],
  ],
  ['folds the case of thread names', (store) => renaming(store, (thread) => thread.toLowerCase()), ['isolation']],
  ['normalises thread names', (store) => renaming(store, (thread) => thread.normalize('NFC')), ['isolation']],
  ['trims thread names', (store) => renaming(store, (thread) => thread.trim()), ['isolation']],
  [
    'answers with a standing from before',
    (store) => ({
      ...store,
      append: async (thread, entries, terms) => {
        const { standing } = await store.append(thread, [])
        return { ...(await store.append(thread, entries, terms)), standing }
      },
    }),
    ['order', 'retry', 'list'],
  ],
  [
    'gives every claim the same term',
    (store) => ({ ...store, claim: async (thread) => ({ ...(await store.claim(thread)), term: 1 }) }),
    ['term'],
  ],
  [
    'only erases what is to be removed',
    (store) => ({
      ...store,
      remove: async (thread) => {
        const { erased, ...gone } = await store.erase(thread)
        return { ...gone, entries: erased.length }
      },
    }),
    ['remove'],
  ],
  [
    'finds threads by any pair of metadata',
    (store) => ({
      ...store,
      list: ({ metadata = {}, ...page } = {}) =>
        store.list({ ...page, metadata: Object.fromEntries(Object.entries(metadata).slice(0, 1)) }),
    }),
    ['metadata'],
  ],
]

function renaming(store: Store, rename: (thread: string) => string): Store {
  return {
    ...store,
    append: (thread, entries, terms) => store.append(rename(thread), entries, terms),
    read: (thread, range) => store.read(rename(thread), range),
    claim: (thread) => store.claim(rename(thread)),
    erase: (thread, ids) => store.erase(rename(thread), ids),
    remove: (thread) => store.remove(rename(thread)),
    search: (query, { thread, ...within } = {}) =>
      store.search(query, { ...within, ...(thread !== undefined && { thread: rename(thread) }) }),
  }
}

describe('a store with a fault is found out by the cases of', () => {
  const cases = storeCases.filter(({ topic }) => topic !== 'reopen')

  test.each(faults)('one that %s', async (_, broken, topics) => {
    const complaining = new Set<string>()
    for (const { topic, run } of cases.filter((one) => topics.includes(one.topic))) {
      if (complaining.has(topic)) continue
      await run({ store: broken(memoryStore()) }).catch(() => complaining.add(topic))
    }
    expect([...complaining].toSorted()).toEqual(topics.toSorted())
  })
})
