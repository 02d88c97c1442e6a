import { memoryStore, type Store } from 'minutebook'
import { entryOf, type EntryFacts } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import type { Mark, ThreadSummary } from '../../src/archive/thread-list.ts'
import { openArchive } from '../../src/archive/open-archive.ts'

type Said = readonly [role: 'user' | 'assistant', text: string, facts?: Partial<EntryFacts>]

async function write(store: Store, thread: string, said: readonly Said[]): Promise<void> {
  for (const [role, content, facts] of said) {
    const { head, length } = await store.standing(thread)
    const [parent] = head === null ? [] : (await store.read(thread)).filter(({ id }) => id === head)
    await store.append(thread, [
      entryOf({ role, content }, parent, { ...facts, time: new Date(length * 1000).toISOString() } as EntryFacts),
    ])
  }
}

const receipt = (more: object): Said => [
  'user',
  JSON.stringify({ version: 1, ...more }),
  { kind: 'receipt', origin: 'minutebook' },
]
const stop = (status: 'failed' | 'cancelled', code: string): Said => [
  'user',
  JSON.stringify({ code, reason: 'why' }),
  { kind: 'stop', origin: 'minutebook', status },
]

async function summary(said: readonly Said[]): Promise<ThreadSummary> {
  const store = memoryStore()
  await write(store, 'thread', said)
  return (await openArchive(store).threads()).threads[0]!
}

const asked: Said = ['user', 'What grows in the shade?']
const answered: Said = ['assistant', 'Ferns.']

describe('a thread is marked', () => {
  const table: readonly (readonly [string, readonly Said[], readonly Mark[]])[] = [
    ['by nothing where all went well', [asked, answered, receipt({ truncated: 'no', mode: 'unchanged' })], []],
    [
      'truncated where a server cut off a part',
      [asked, answered, receipt({ truncated: 'yes', mode: 'unchanged' })],
      ['truncated'],
    ],
    ['overflow where something did not fit', [asked, stop('failed', 'context_overflow')], ['overflow']],
    ['failed where a turn did', [asked, stop('failed', 'model_error')], ['failed']],
    ['by nothing where somebody stopped it before it said anything', [asked, stop('cancelled', 'cancelled')], []],
    ['partial where an answer is not whole', [asked, ['assistant', 'Fer', { status: 'partial' }]], ['partial']],
    [
      'console where somebody spoke there',
      [asked, answered, receipt({ mode: 'rewritten', key: 'console:1' })],
      ['console'],
    ],
    [
      'once by each, in the order in which they came',
      [
        asked,
        stop('failed', 'model_error'),
        stop('failed', 'model_error'),
        ['assistant', 'Fer', { status: 'cancelled' }],
      ],
      ['failed', 'partial'],
    ],
  ]
  test.each(table)('%s', async (_, said, marks) => expect((await summary(said)).marks).toEqual(marks))
})

describe('one-off is', () => {
  const relayed = receipt({ mode: 'unchanged', truncated: 'no' })
  const table: readonly (readonly [string, readonly Said[], boolean])[] = [
    ['one question through the gateway', [asked, answered, relayed], true],
    ['not one that went on', [asked, answered, relayed, ['user', 'And in the sun?'], answered, relayed], false],
    ['not one of our own threads', [asked, answered, receipt({})], false],
    ['not one with something to look at', [asked, answered, receipt({ mode: 'unchanged', truncated: 'yes' })], false],
  ]
  test.each(table)('%s', async (_, said, oneOff) => expect((await summary(said)).oneOff).toBe(oneOff))
})

test('only threads with a mark are listed, however far apart, over as many pages as it takes', async () => {
  const store = memoryStore()
  for (let number = 0; number < 4100; number++)
    await write(store, `thread ${number}`, number % 2000 === 7 ? [asked, stop('failed', 'model_error')] : [asked])
  const desk = openArchive(store)
  const found: string[] = []
  let pages = 0
  for (let after: string | undefined; pages === 0 || after !== undefined; pages++) {
    const { threads, next } = await desk.threads({
      marks: ['failed', 'truncated'],
      ...(after !== undefined && { after }),
    })
    found.push(...threads.map(({ thread }) => thread))
    after = next
  }
  expect(found).toEqual(['thread 4007', 'thread 2007', 'thread 7'])
  expect(pages).toBe(3)
})

test('a page of marked threads goes on behind its last one', async () => {
  const store = memoryStore()
  for (let number = 0; number < 30; number++)
    await write(store, `thread ${number}`, [asked, stop('failed', 'model_error')])
  const desk = openArchive(store)
  const first = await desk.threads({ marks: ['failed'], limit: 7 })
  const second = await desk.threads({ marks: ['failed'], limit: 100, after: first.next })
  expect([...first.threads, ...second.threads].map(({ thread }) => thread)).toEqual(
    Array.from({ length: 30 }, (_, index) => `thread ${29 - index}`),
  )
  expect(second.next).toBeUndefined()
})

test('what was gathered of a thread while something of it was erased is not kept', async () => {
  const store = memoryStore()
  await write(
    store,
    'long',
    Array.from({ length: 40 }, (_, index): Said => ['user', `question ${index}`]),
  )
  const first = (await store.read('long'))[0]!.id
  const erasing: Store = {
    ...store,
    read: async (...args) => {
      const found = await store.read(...args)
      await store.erase('long', [first])
      return found
    },
  }
  await openArchive(erasing).threads()
  expect(await store.snapshots.load('long', 'summary 2')).toBeUndefined()
  expect((await openArchive(store).threads()).threads[0]!.title).toBe('question 1')
})

test('what is gathered of a long thread is kept, goes on from there, and is forgotten with what was said', async () => {
  const store = memoryStore()
  const many = Array.from({ length: 30 }, (_, index): Said[] => [
    ['user', `question ${index}`],
    ['assistant', `answer ${index}`],
  ]).flat()
  await write(store, 'long', many)
  const desk = openArchive(store)
  const once = (await desk.threads()).threads
  expect(await store.snapshots.load('long', 'summary 2')).toMatchObject({ seq: 59 })
  expect((await desk.threads()).threads).toEqual(once)
  await write(store, 'long', [['user', 'the last one'], stop('failed', 'model_error')])
  expect((await desk.threads()).threads[0]).toMatchObject({ title: 'question 0', entries: 62, marks: ['failed'] })
  await store.erase('long', [(await store.read('long'))[0]!.id])
  expect((await desk.threads()).threads[0]).toMatchObject({ title: 'question 1', entries: 62, marks: ['failed'] })
})
