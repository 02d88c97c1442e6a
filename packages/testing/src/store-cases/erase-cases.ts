import { history } from 'minutebook'
import { checksum, entryOf, payloadOf, tombstone } from 'minutebook/store'
import { assistant, call, result, user } from '../builders.ts'
import {
  casesOf,
  chain,
  equal,
  hang,
  holds,
  idsOf,
  seqsOf,
  talk,
  texts,
  thread,
  write,
  type StoreCase,
} from './harness.ts'

export const eraseCases: readonly StoreCase[] = [
  ...casesOf('erase', {
    'one entry says nothing more, the others stay': async ({ store }) => {
      const entries = talk(3)
      await write(store, thread, entries)
      const { erased } = await store.erase(thread, [entries[1]!.id])
      equal(erased, [entries[1]!.id], 'what was erased')
      equal(await texts(store, thread), ['message 0', '', 'message 2'], 'the log')
      equal(
        (await store.read(thread)).map(({ status }) => status),
        ['complete', 'erased', 'complete'],
        'the statuses',
      )
    },
    'several entries at once': async ({ store }) => {
      const entries = talk(5)
      await write(store, thread, entries)
      equal(
        (await store.erase(thread, [entries[3]!.id, entries[0]!.id])).erased,
        [entries[0]!.id, entries[3]!.id],
        'what was erased, in order of the log',
      )
      equal(await texts(store, thread), ['', 'message 1', 'message 2', '', 'message 4'], 'the log')
    },
    'the whole thread': async ({ store }) => {
      const entries = [...talk(4), hang('note', 'a note', talk(4)[3]), hang('settings', 'settings')]
      await write(store, thread, entries)
      equal((await store.erase(thread)).erased, idsOf(entries), 'what was erased')
      equal(await texts(store, thread), ['', '', '', '', '', ''], 'the log')
    },
    'without ids nothing is erased': async ({ store }) => {
      await write(store, thread, talk(2))
      equal((await store.erase(thread, [])).erased, [], 'what was erased')
      equal(await texts(store, thread), ['message 0', 'message 1'], 'the log')
    },
    'twice is once': async ({ store }) => {
      const entries = talk(2)
      await write(store, thread, entries)
      await store.erase(thread, [entries[0]!.id])
      const before = await store.read(thread)
      equal((await store.erase(thread, [entries[0]!.id])).erased, [], 'what the second time erased')
      equal((await store.erase(thread)).erased, [entries[1]!.id], 'what the third time erased')
      equal((await store.read(thread))[0], before[0], 'the first tombstone')
    },
    'the same id twice is once': async ({ store }) => {
      const [entry] = talk(1)
      await write(store, thread, [entry!])
      equal((await store.erase(thread, [entry!.id, entry!.id])).erased, [entry!.id], 'what was erased')
    },
    'ids that are not there are passed over': async ({ store }) => {
      const [entry] = talk(1)
      await write(store, thread, [entry!])
      equal((await store.erase(thread, ['unknown', entry!.id])).erased, [entry!.id], 'what was erased')
      equal((await store.erase('nowhere', [entry!.id])).erased, [], 'what was erased elsewhere')
      equal((await store.erase('nowhere')).erased, [], 'what was erased of a thread that is not there')
      equal(
        (await store.list()).threads.map((listed) => listed.thread),
        [thread],
        'the threads',
      )
    },
    'the answer names the thread': async ({ store }) => {
      equal((await store.erase(thread)).thread, thread, 'the thread')
    },
    'what remains is told in words': async ({ store }) => {
      await write(store, thread, talk(1))
      const { remains } = await store.erase(thread)
      holds(
        remains.every((text) => typeof text === 'string' && text.length > 0),
        'each is a text',
      )
    },
    'only this thread is erased': async ({ store }) => {
      await write(store, 'one', talk(2))
      await write(store, 'two', talk(2))
      await store.erase('one')
      equal(await texts(store, 'two'), ['message 0', 'message 1'], 'the other thread')
      equal(
        (await store.search('message')).map((found) => found.thread),
        ['two', 'two'],
        'what is found',
      )
    },
    'a tombstone is what core makes of the entry, with the checksum of that': async ({ store }) => {
      const entry = entryOf(user('said'), undefined, { time: '2026-11-15T12:00:00Z', speaker: 'Ada', key: 'k' })
      await write(store, thread, [entry])
      await store.erase(thread)
      const [read] = await store.read(thread)
      equal(payloadOf(read!), payloadOf(tombstone(entry)), 'the stored form')
      equal(read!.checksum, checksum(tombstone(entry)), 'the checksum')
      equal(
        ['speaker' in read!, 'key' in read!, read!.time],
        [false, false, '2026-11-15T12:00:00Z'],
        'speaker, key and time',
      )
    },
    'calls, results, images and unknown fields go too': async ({ store }) => {
      const entries = chain([
        { ...user('look'), images: ['iVBORw0KGgo='], custom: 'secret' } as ReturnType<typeof user>,
        assistant(null, call('c', 'tell', { secret: true })),
        result('c', 'secret'),
        { ...assistant('so'), thinking: 'secret' } as ReturnType<typeof assistant>,
      ])
      await write(store, thread, entries)
      await store.erase(thread)
      const kept = JSON.stringify(await store.read(thread))
      equal(
        ['secret', 'tell', 'iVBORw0KGgo'].filter((word) => kept.includes(word)),
        [],
        'what is still there',
      )
    },
    'ids, parents, seqs, kinds and origins stay as they were': async ({ store }) => {
      const entries = [...talk(4), hang('note', 'a note', talk(4)[1])]
      await write(store, thread, entries)
      const places = async (): Promise<unknown> =>
        (await store.read(thread)).map(({ id, parent, seq, kind, origin }) => [id, parent, seq, kind, origin])
      const before = await places()
      await store.erase(thread)
      equal(await places(), before, 'the places')
    },
    'the chain stays whole and can be read as branches': async ({ store }) => {
      const entries = talk(6)
      const aside = chain([user('aside')], entries[1])
      await write(store, thread, [...entries, ...aside])
      await store.erase(thread, [entries[1]!.id, entries[4]!.id])
      equal(idsOf(await store.read(thread, { head: entries[5]!.id })), idsOf(entries), 'the branch')
      equal(await texts(store, thread, { head: aside[0]!.id }), ['message 0', '', 'aside'], 'the other branch')
      equal(
        await store.read(thread, { head: entries[5]!.id }),
        history(await store.read(thread), { head: entries[5]!.id }),
        'the history',
      )
    },
    'a tail reads past tombstones': async ({ store }) => {
      const entries = talk(6)
      await write(store, thread, entries)
      await store.erase(thread, [entries[4]!.id])
      equal(await texts(store, thread, { last: 3 }), ['message 3', '', 'message 5'], 'the tail')
    },
    'the head and the length stay': async ({ store }) => {
      const entries = talk(3)
      const { standing } = await write(store, thread, entries)
      await store.erase(thread)
      equal((await write(store, thread, [])).standing, { ...standing, erasures: 1 }, 'the standing')
      equal((await store.list()).threads, [{ thread, ...standing, erasures: 1, metadata: {} }], 'the list')
    },
    'an append goes on after the erased head': async ({ store }) => {
      const entries = talk(4)
      await write(store, thread, entries.slice(0, 2))
      await store.erase(thread)
      equal(
        seqsOf((await write(store, thread, entries.slice(2), { head: entries[1]!.id })).entries),
        [2, 3],
        'the seqs',
      )
      equal(await texts(store, thread), ['', '', 'message 2', 'message 3'], 'the log')
    },
    'what is erased does not come back with a retry': async ({ store }) => {
      const entries = talk(3)
      await write(store, thread, entries)
      await store.erase(thread, [entries[0]!.id])
      const answer = await write(store, thread, entries)
      equal(
        answer.entries.map(({ status, text }) => [status, text]),
        [
          ['erased', ''],
          ['complete', 'message 1'],
          ['complete', 'message 2'],
        ],
        'the answer',
      )
      equal(await texts(store, thread), ['', 'message 1', 'message 2'], 'the log')
      equal(await store.search('message 0'), [], 'the search')
    },
    'a re-sent history with a new end goes on without bringing back what is erased': async ({ store }) => {
      await write(store, thread, talk(2))
      await store.erase(thread)
      await write(store, thread, talk(4))
      equal(await texts(store, thread), ['', '', 'message 2', 'message 3'], 'the log')
    },
    'the standing counts erasures that erased something': async ({ store }) => {
      const entries = talk(3)
      await write(store, thread, entries)
      for (const [ids, erasures] of [
        [[entries[0]!.id], 1],
        [[entries[0]!.id], 1],
        [['unknown'], 1],
        [[entries[1]!.id, entries[2]!.id], 2],
      ] as const) {
        await store.erase(thread, ids)
        equal((await store.standing(thread)).erasures, erasures, 'the erasures')
      }
    },
    'an erasure moves no thread in the list': async ({ store }) => {
      await write(store, 'one', talk(1))
      await write(store, 'two', talk(1))
      await store.erase('one')
      equal(
        (await store.list()).threads.map((listed) => listed.thread),
        ['two', 'one'],
        'the list',
      )
    },
    'a hundred entries of a long thread': async ({ store }) => {
      const entries = talk(400)
      await write(store, thread, entries)
      const chosen = entries.filter((_, index) => index % 4 === 0)
      equal((await store.erase(thread, idsOf(chosen).toReversed())).erased, idsOf(chosen), 'what was erased')
      equal(
        (await store.read(thread)).filter(({ status }) => status === 'erased').length,
        100,
        'how many tombstones there are',
      )
    },
  }),
]
