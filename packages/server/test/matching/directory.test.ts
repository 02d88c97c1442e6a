import { memoryStore, type Message, type Store } from 'minutebook'
import type { NewRecord } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { lineRecord, linesUnder, type Line, type Place } from '../../src/matching/directory.ts'
import { namedThread, newThread } from '../../src/matching/thread-name.ts'
import { createRelaying, unrecorded } from './support/relaying.ts'
import { stores } from './support/stores.ts'

const line: Line = { thread: 't', model: 'm', whole: 'abc', before: ['000001', '000002'], isNamed: false }
const hash = 'ab'.repeat(32)
const record = (place: Place, under: string, kept: Line, time?: string): Promise<unknown> =>
  place.store.records.put(kept.thread, [lineRecord(place, under, kept, time)])

describe.each(stores)('%s', (_, open) => {
  test('a line is found under its hash, by its owner only', async () => {
    const store = open()
    await record({ store, owner: 'ada' }, hash, line, '2026-01-01T00:00:00.000Z')
    expect(await linesUnder({ store, owner: 'ada' }, hash)).toEqual([{ ...line, time: '2026-01-01T00:00:00.000Z' }])
    expect(await linesUnder({ store, owner: 'bob' }, hash)).toEqual([])
    expect(await linesUnder({ store, owner: 'ada' }, `ab${'cd'.repeat(31)}`)).toEqual([])
  })

  test('the newest comes first, and the same again changes nothing', async () => {
    const store = open()
    const place = { store, owner: '' }
    for (const thread of ['one', 'two', 'one']) await record(place, hash, { ...line, thread })
    expect((await linesUnder(place, hash)).map(({ thread }) => thread)).toEqual(['two', 'one'])
    expect((await store.records.find({ name: `line ${hash.slice(0, 32)} ` })).map(({ version }) => version)).toEqual([
      1, 1,
    ])
  })

  test('no more than 32 are looked at', async () => {
    const place = { store: open(), owner: '' }
    for (let index = 0; index < 40; index++) await record(place, hash, { ...line, thread: String(index) })
    expect((await linesUnder(place, hash)).map(({ thread }) => thread)).toEqual(
      Array.from({ length: 32 }, (_item, index) => String(39 - index)),
    )
  })

  test('what it keeps is neither shown nor found nor the head of anything, and tells nothing that was said', async () => {
    const behind = open()
    const written: NewRecord[] = []
    const store: Store = {
      ...behind,
      append: (thread, entries, terms = {}) => (
        written.push(...linesIn(terms.records)),
        behind.append(thread, entries, terms)
      ),
    }
    const relay = createRelaying(store)
    await relay({
      messages: [{ role: 'user', content: 'canary one' }],
      answer: { role: 'assistant', content: 'canary two' },
    })
    expect([written.length, (await store.list()).threads.length]).toEqual([2, 1])
    expect(JSON.stringify(written)).not.toContain('canary')
    expect((await store.search('canary')).map(({ text }) => text).toSorted()).toEqual(['canary one', 'canary two'])
    expect(await store.search('gemma')).toEqual([])
  })
})

describe('what finding a thread costs', () => {
  const turn = (index: number): Message[] => [
    { role: 'user', content: `question ${index}` },
    { role: 'assistant', content: `answer ${index}` },
  ]
  const history = Array.from({ length: 200 }, (_, index) => turn(index)).flat()

  test.each<[string, readonly Message[], number, number]>([
    ['the next turn of a full history', history.slice(0, 41), 1, 1],
    ['the next turn, when the first messages are dropped', history.slice(22, 41), 1, 1],
    ['a first question', [{ role: 'user', content: 'hi' }], 0, 2],
    [
      'a history from elsewhere',
      [
        { role: 'user', content: 'hi' },
        ...history.slice(1).map((message) => ({ ...message, content: `x${String(message.content)}` })),
        { role: 'user', content: 'more' },
      ],
      33,
      2,
    ],
  ])('%s', async (_, messages, reads, writes) => {
    const counted = counting(memoryStore())
    const relay = createRelaying(counted.store)
    for (let turns = 0; turns < 20; turns++)
      await relay({ messages: history.slice(0, 2 * turns + 1), answer: history[2 * turns + 1]! })
    counted.reset()
    await relay({ messages, answer: { role: 'assistant', content: 'done' } })
    expect(counted.counts).toEqual({ reads, writes })
  })

  test('an answer takes one record of less than 300 bytes, however long the conversation and its texts are', async () => {
    const behind = memoryStore()
    const kept: NewRecord[] = []
    const relay = createRelaying(
      {
        ...behind,
        append: (thread, entries, terms = {}) => (
          kept.push(...(terms.records ?? [])),
          behind.append(thread, entries, terms)
        ),
      },
      unrecorded,
    )
    const long = history.map((message) => ({ ...message, content: String(message.content).repeat(100) }))
    for (let turns = 0; turns < 50; turns++)
      await relay({
        owner: 'app',
        model: 'llama3.2:3b',
        messages: long.slice(0, 2 * turns + 1),
        answer: long[2 * turns + 1]!,
      })
    expect(kept).toHaveLength(50 + 1)
    expect(Math.max(...kept.map(({ name, key, value }) => JSON.stringify([name, key, value]).length))).toBeLessThan(300)
  })

  test('an answer that is nothing but a note is not put on record: no client ever sends it back', async () => {
    const counted = counting(memoryStore())
    const relay = createRelaying(counted.store)
    await relay({ messages: history.slice(0, 1), answer: history[1]! })
    counted.reset()
    await relay({ messages: history.slice(0, 3), answer: { role: 'assistant', content: '[NOTE TO SELF: later]' } })
    expect(counted.counts).toEqual({ reads: 1, writes: 0 })
  })
})

/** The lines of the directory among what an append records. The row of the call is another record. */
function linesIn(records: readonly NewRecord[] = []): NewRecord[] {
  return records.filter(({ name }) => name.startsWith('line '))
}

/** Counts how often lines are looked up, and how many are written. */
function counting(store: Store): { store: Store; counts: { reads: number; writes: number }; reset(): void } {
  const counts = { reads: 0, writes: 0 }
  return {
    counts,
    reset: () => Object.assign(counts, { reads: 0, writes: 0 }),
    store: {
      ...store,
      records: { ...store.records, find: (query) => (counts.reads++, store.records.find(query)) },
      append: (thread, entries, terms = {}) => {
        counts.writes += linesIn(terms.records).length
        return store.append(thread, entries, terms)
      },
    },
  }
}

describe('names of threads', () => {
  const chance = (now: number): Parameters<typeof newThread>[1] => ({
    now,
    random: (bytes) => new Uint8Array(bytes).fill(33),
  })

  test('say when they began, and sort so', () => {
    expect(newThread('', chance(Date.UTC(2026, 10, 15, 12, 46, 49, 123)))).toBe('20261115-124649123-1111111111')
    expect(newThread('my app', chance(0))).toBe('my%20app/19700101-000000000-1111111111')
    expect(newThread('', chance(1)) > newThread('', chance(0))).toBe(true)
  })

  test("are each key's own", () => {
    expect([namedThread('', 'lamp'), namedThread('ada', 'lamp'), namedThread('ada', 'ada/lamp')]).toEqual([
      'lamp',
      'ada/lamp',
      'ada/lamp',
    ])
    expect(namedThread('a/b', 'c')).not.toBe(namedThread('a', 'b/c'))
  })

  test.each(['', 'a b', 'a\nb', 'ä', 'x'.repeat(201), 'minutebook:lines::00', 'ada/minutebook:books'])(
    'are not %j',
    (name) => {
      expect(() => namedThread('ada', name)).toThrow(expect.objectContaining({ code: 'invalid_thread' }))
    },
  )
})
