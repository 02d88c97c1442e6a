import { entryOf, type StoredEntry } from 'minutebook/store'
import { assistant, user } from '../builders.ts'
import {
  casesOf,
  chain,
  equal,
  hang,
  idsOf,
  refuse,
  seqsOf,
  talk,
  texts,
  thread,
  write,
  type StoreCase,
} from './harness.ts'

/** The same append again, as clients send it that got no answer, and histories that are re-sent. */
export const retryCases: readonly StoreCase[] = casesOf('retry', {
  'the same append again gets the same answer and adds nothing': async ({ store }) => {
    const first = await write(store, thread, talk(3))
    equal(await write(store, thread, talk(3)), first, 'the second answer')
    equal(seqsOf(await store.read(thread)), [0, 1, 2], 'the log')
  },
  'the places of entries that are told before the answer are those of the answer, the second time too': async ({
    store,
  }) => {
    for (const _ of [1, 2]) {
      let told: readonly StoredEntry[] | undefined
      const { entries } = await write(store, thread, talk(3), { placed: (early) => void (told = early) })
      equal(told ?? entries, entries, 'the entries told')
    }
  },
  'nothing is told of entries that are refused': async ({ store }) => {
    await write(store, thread, talk(2))
    const placed = (): never => {
      throw new Error('It was told.')
    }
    equal(await refuse(store, thread, talk(4), { head: null, placed }), 'conflict', 'the reason')
  },
  'the same append again gets the same entries after others came': async ({ store }) => {
    const entries = talk(4)
    const first = await write(store, thread, entries.slice(0, 2), { head: null })
    await write(store, thread, entries.slice(2), { head: entries[1]!.id })
    const again = await write(store, thread, entries.slice(0, 2), { head: null })
    equal(again.entries, first.entries, 'the entries answered')
    equal(again.standing, { head: entries[3]!.id, length: 4, term: 0, erasures: 0 }, 'the standing')
  },
  'ten times the same append leaves one': async ({ store }) => {
    for (let count = 0; count < 10; count++) await write(store, thread, talk(2), { head: null })
    equal(seqsOf(await store.read(thread)), [0, 1], 'the log')
  },
  'the same append twenty times at once leaves one': async ({ store }) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => write(store, thread, talk(2), { head: null })))
    equal(new Set(answers.map(({ entries }) => JSON.stringify(seqsOf(entries)))).size, 1, 'how many different answers')
    equal(seqsOf(await store.read(thread)), [0, 1], 'the log')
  },
  'a history that is re-sent with a new end adds only the end': async ({ store }) => {
    await write(store, thread, talk(4))
    equal(seqsOf((await write(store, thread, talk(6))).entries), [0, 1, 2, 3, 4, 5], 'the seqs answered')
    equal(idsOf(await store.read(thread)), idsOf(talk(6)), 'the log')
  },
  'a re-sent history with a new end conflicts where the head is not the expected one': async ({ store }) => {
    await write(store, thread, talk(4))
    equal(await refuse(store, thread, talk(6), { head: null }), 'conflict', 'the reason')
    equal((await store.read(thread)).length, 4, 'how many entries there are')
  },
  'a re-sent history with a new end succeeds after the right head': async ({ store }) => {
    await write(store, thread, talk(4))
    equal((await write(store, thread, talk(6), { head: talk(4)[3]!.id })).standing.length, 6, 'the length')
  },
  'a client that re-sends everything for 100 turns leaves 100 turns': async ({ store }) => {
    for (let turn = 1; turn <= 100; turn++) await write(store, thread, talk(turn * 2))
    equal(seqsOf(await store.read(thread)).length, 200, 'how many entries there are')
    equal(idsOf(await store.read(thread)), idsOf(talk(200)), 'the log')
  },
  'the same entry twice in one append is there once, and answered twice': async ({ store }) => {
    const [first, second] = talk(2)
    equal(
      seqsOf((await write(store, thread, [first!, first!, second!, first!])).entries),
      [0, 0, 1, 0],
      'the seqs answered',
    )
    equal(idsOf(await store.read(thread)), [first!.id, second!.id], 'the log')
  },
  'an entry that is there keeps what it said first': async ({ store }) => {
    const [entry] = chain([{ ...user('hello'), custom: 'first' } as ReturnType<typeof user>])
    await write(store, thread, [{ ...entry!, origin: 'user', time: '2026-01-01T00:00:00Z' }])
    const again = entryOf({ ...user('hello'), custom: 'second' }, undefined, { origin: 'import' })
    const answer = await write(store, thread, [again])
    equal(
      answer.entries.map(({ origin, time, raw }) => [origin, time, (raw as { custom?: string }).custom]),
      [['user', '2026-01-01T00:00:00Z', 'first']],
      'the answer',
    )
    equal(await store.read(thread), answer.entries, 'the log')
  },
  'a retry of an older entry does not take the head back': async ({ store }) => {
    const entries = talk(3)
    await write(store, thread, entries)
    equal((await write(store, thread, entries.slice(0, 1))).standing.head, entries[2]!.id, 'the head')
  },
  'a retry of an entry on another branch does not move the head': async ({ store }) => {
    const [first, second] = talk(2)
    const [edited] = chain([user('edited')])
    await write(store, thread, [first!, second!])
    await write(store, thread, [edited!])
    equal((await write(store, thread, [first!, second!])).standing.head, edited!.id, 'the head')
  },
  'a retried note is there once': async ({ store }) => {
    const [first] = talk(1)
    const note = hang('note', 'a note', first)
    await write(store, thread, [first!, note])
    await write(store, thread, [note])
    equal(seqsOf(await store.read(thread)), [0, 1], 'the log')
  },
  'a retry does not move its thread in the list': async ({ store }) => {
    await write(store, 'one', talk(1))
    await write(store, 'two', talk(1))
    await write(store, 'one', talk(1))
    equal(
      (await store.list()).threads.map((listed) => listed.thread),
      ['two', 'one'],
      'the list',
    )
  },
  'a retry is found once by a search': async ({ store }) => {
    await write(store, thread, chain([user('a lamp')]))
    await write(store, thread, chain([user('a lamp')]))
    equal((await store.search('lamp')).length, 1, 'how many are found')
  },
  'the same words said twice are two entries': async ({ store }) => {
    await write(store, thread, chain([user('hi'), assistant('hello'), user('hi'), assistant('hello')]))
    equal(await texts(store, thread), ['hi', 'hello', 'hi', 'hello'], 'the log')
  },
  'the same first message in two threads is one entry in each': async ({ store }) => {
    await write(store, 'one', talk(1))
    equal(seqsOf((await write(store, 'two', talk(1))).entries), [0], 'the seq in the other')
    equal([(await store.read('one')).length, (await store.read('two')).length], [1, 1], 'the lengths')
  },
  'known and new entries of one append may come in any order that has parents first': async ({ store }) => {
    const entries = talk(4)
    await write(store, thread, entries.slice(0, 2))
    const answer = await write(store, thread, [entries[2]!, entries[0]!, entries[3]!, entries[1]!])
    equal(seqsOf(answer.entries), [2, 0, 3, 1], 'the seqs answered')
  },
})
