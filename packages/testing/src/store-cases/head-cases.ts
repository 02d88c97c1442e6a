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

/** The head that an append expects, and the parents it needs. */
export const headCases: readonly StoreCase[] = [
  ...casesOf('head', {
    'a first append may expect that there is no head': async ({ store }) => {
      await write(store, thread, talk(1), { head: null })
    },
    'a first append that expects a head conflicts': async ({ store }) => {
      equal(await refuse(store, thread, talk(1), { head: talk(1)[0]!.id }), 'conflict', 'the reason')
    },
    'an append after the head that it expects succeeds': async ({ store }) => {
      const [first, second] = talk(2)
      await write(store, thread, [first!])
      equal((await write(store, thread, [second!], { head: first!.id })).standing.head, second!.id, 'the head')
    },
    'an append that expects an older head conflicts': async ({ store }) => {
      const entries = talk(3)
      await write(store, thread, entries.slice(0, 2))
      equal(await refuse(store, thread, entries.slice(2), { head: entries[0]!.id }), 'conflict', 'the reason')
    },
    'an append that expects no head conflicts with a thread that has one': async ({ store }) => {
      const entries = talk(2)
      await write(store, thread, entries.slice(0, 1))
      equal(await refuse(store, thread, entries.slice(1), { head: null }), 'conflict', 'the reason')
    },
    'an append that expects the head of another thread conflicts': async ({ store }) => {
      const elsewhere = talk(1, undefined, 'elsewhere')
      await write(store, 'another', elsewhere)
      await write(store, thread, talk(1))
      equal(
        await refuse(store, thread, talk(1, undefined, 'more'), { head: elsewhere[0]!.id }),
        'conflict',
        'the reason',
      )
    },
    'a conflict answers with the standing as it is': async ({ store }) => {
      const entries = talk(3)
      await write(store, thread, entries.slice(0, 2))
      const appended = await store.append(thread, entries.slice(2), { head: null })
      equal(
        appended,
        { ok: false, reason: 'conflict', standing: { head: entries[1]!.id, length: 2, term: 0, erasures: 0 } },
        'the answer',
      )
    },
    'a conflict leaves nothing behind': async ({ store }) => {
      const entries = talk(4)
      await write(store, thread, entries.slice(0, 1))
      const before = await store.read(thread)
      await refuse(store, thread, entries.slice(1), { head: null })
      equal(await store.read(thread), before, 'the log')
      equal(await store.search('message 1'), [], 'the search')
      equal(
        (await store.list()).threads,
        [{ thread, head: entries[0]!.id, length: 1, term: 0, erasures: 0, metadata: {} }],
        'the list',
      )
    },
    'a conflict on a thread that is not there makes no thread': async ({ store }) => {
      await refuse(store, thread, talk(1), { head: 'nothing' })
      equal((await store.list()).threads, [], 'the threads')
    },
    'of two appends after one head the second conflicts': async ({ store }) => {
      const [first] = talk(1)
      await write(store, thread, [first!])
      const [mine] = chain([assistant('mine')], first)
      const [yours] = chain([assistant('yours')], first)
      await write(store, thread, [mine!], { head: first!.id })
      equal(await refuse(store, thread, [yours!], { head: first!.id }), 'conflict', 'the reason')
      equal(await texts(store, thread), ['message 0', 'mine'], 'the log')
    },
    'after a conflict the append succeeds with the head that was answered': async ({ store }) => {
      const [first, second] = talk(2)
      await write(store, thread, [first!, second!])
      const refused = await store.append(thread, chain([user('late')], second), { head: first!.id })
      equal(
        (await write(store, thread, chain([user('late')], second), { head: refused.standing.head })).standing.length,
        3,
        'the length',
      )
    },
    'an entry that hangs does not make a later append conflict': async ({ store }) => {
      const [first, second] = talk(2)
      await write(store, thread, [first!, hang('note', 'a note', first)])
      await write(store, thread, [second!], { head: first!.id })
    },
    'without an expected head an append goes in whatever the head is': async ({ store }) => {
      const [first] = talk(1)
      await write(store, thread, talk(3))
      equal((await write(store, thread, chain([assistant('aside')], first))).standing.length, 4, 'the length')
    },
    'an append of nothing still says whether the head is the expected one': async ({ store }) => {
      await write(store, thread, talk(2))
      equal(await refuse(store, thread, [], { head: null }), 'conflict', 'the reason')
      equal((await write(store, thread, [], { head: talk(2)[1]!.id })).standing.length, 2, 'the length')
    },
  }),
  ...casesOf('parents', {
    'an entry whose parent is not in the log is absent': async ({ store }) => {
      equal(await refuse(store, thread, talk(2).slice(1)), 'absent', 'the reason')
    },
    'an absent parent answers with the standing as it is': async ({ store }) => {
      const entries = talk(4)
      await write(store, thread, entries.slice(0, 1))
      const appended = await store.append(thread, entries.slice(2))
      equal(
        appended,
        { ok: false, reason: 'absent', standing: { head: entries[0]!.id, length: 1, term: 0, erasures: 0 } },
        'the answer',
      )
    },
    'an absent parent in the middle of an append leaves nothing behind': async ({ store }) => {
      const entries = talk(5)
      equal(await refuse(store, thread, [entries[0]!, entries[1]!, entries[4]!]), 'absent', 'the reason')
      equal(await store.read(thread), [], 'the log')
      equal(await store.search('message'), [], 'the search')
      equal((await store.list()).threads, [], 'the threads')
    },
    'a parent may come earlier in the same append': async ({ store }) => {
      equal(seqsOf((await write(store, thread, talk(3))).entries), [0, 1, 2], 'the seqs')
    },
    'a parent may not come later in the same append': async ({ store }) => {
      equal(await refuse(store, thread, talk(3).toReversed()), 'absent', 'the reason')
    },
    'a parent in another thread is absent': async ({ store }) => {
      const entries = talk(2)
      await write(store, 'another', entries)
      equal(await refuse(store, thread, entries.slice(1)), 'absent', 'the reason')
    },
    'a hanging entry whose parent is not in the log is absent': async ({ store }) => {
      equal(await refuse(store, thread, [hang('note', 'a note', talk(1)[0])]), 'absent', 'the reason')
    },
    'a thread may have several first entries': async ({ store }) => {
      const entries = [...talk(1), ...talk(1, undefined, 'other')]
      await write(store, thread, entries)
      equal(
        (await store.read(thread)).map(({ parent }) => parent),
        [null, null],
        'the parents',
      )
    },
    'a conflict is named before an absent parent': async ({ store }) => {
      equal(await refuse(store, thread, talk(2).slice(1), { head: 'another' }), 'conflict', 'the reason')
    },
    'the parent may be any entry of the log, not only the head': async ({ store }) => {
      const entries = talk(4)
      await write(store, thread, entries)
      const aside = chain([user('aside')], entries[1])
      equal(idsOf((await write(store, thread, aside)).entries), idsOf(aside), 'the entry')
      equal((await store.read(thread)).at(-1)?.parent, entries[1]!.id, 'its parent')
    },
  }),
]
