import type { Store } from 'minutebook'
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
  type StoreContext,
} from './harness.ts'

/** For stores that outlive their process: everything is still there. */
export const reopenCases: readonly StoreCase[] = casesOf('reopen', {
  'every entry is there as it was': async (context) => {
    const entries = [...talk(3), hang('note', 'a note', talk(3)[2]), ...chain([user('a\u0000\ud800')], talk(3)[0])]
    await write(context.store, thread, entries)
    const before = await context.store.read(thread)
    equal(await (await reopened(context)).read(thread), before, 'the log')
  },
  'the head, the length and the term are there': async (context) => {
    await write(context.store, thread, talk(3))
    const standing = await context.store.claim(thread)
    const store = await reopened(context)
    equal((await write(store, thread, [])).standing, standing, 'the standing')
    equal((await store.claim(thread)).term, 2, 'the next term')
  },
  'what was sent is found by its key': async (context) => {
    const [one, two] = talk(2)
    await write(context.store, thread, [one!, two!, hang('pending', 'said', two, { key: 'k' })])
    equal(await texts(await reopened(context), thread, { key: 'k' }), ['said'], 'what is read')
  },
  'the seqs go on': async (context) => {
    await write(context.store, thread, talk(3))
    equal(seqsOf((await write(await reopened(context), thread, talk(5).slice(3))).entries), [3, 4], 'the seqs')
  },
  'a retry across the restart adds nothing': async (context) => {
    const first = await write(context.store, thread, talk(3), { head: null })
    const store = await reopened(context)
    equal((await write(store, thread, talk(3), { head: null })).entries, first.entries, 'the answer')
    equal((await store.read(thread)).length, 3, 'how many entries there are')
  },
  'a runner from before the restart is fenced by one from after': async (context) => {
    const { term } = await context.store.claim(thread)
    const store = await reopened(context)
    await write(store, thread, talk(1), { term })
    await store.claim(thread)
    equal(await refuse(store, thread, talk(2), { term }), 'fenced', 'the reason')
  },
  'an expected head still conflicts': async (context) => {
    await write(context.store, thread, talk(2))
    equal(await refuse(await reopened(context), thread, talk(3), { head: null }), 'conflict', 'the reason')
  },
  'the list has its order': async (context) => {
    for (const name of ['one', 'two', 'three', 'one'])
      await write(context.store, name, talk(name === 'one' ? (await context.store.read('one')).length + 1 : 1))
    const store = await reopened(context)
    equal(
      (await store.list()).threads.map((listed) => listed.thread),
      ['one', 'three', 'two'],
      'the list',
    )
    await write(store, 'two', talk(2))
    equal(
      (await store.list()).threads.map((listed) => listed.thread),
      ['two', 'one', 'three'],
      'the list after one more',
    )
  },
  'the search finds what it found, and what is new first': async (context) => {
    await write(context.store, 'one', chain([user('a red lamp')]))
    const store = await reopened(context)
    await write(store, 'two', chain([user('a blue lamp')]))
    equal(
      (await store.search('lamp')).map(({ text }) => text),
      ['a blue lamp', 'a red lamp'],
      'what is found',
    )
    equal((await store.search('lamp', { thread: 'one' })).length, 1, 'how many are found in the one')
  },
  'the snapshots are there': async (context) => {
    await context.store.snapshots.save(thread, 'state', { id: 'a', seq: 3, value: { lamp: 'on' } })
    equal(
      await (await reopened(context)).snapshots.load(thread, 'state'),
      { id: 'a', seq: 3, value: { lamp: 'on' } },
      'the snapshot',
    )
  },
  'tombstones stay tombstones': async (context) => {
    const entries = chain([user('a lamp'), assistant('a chair')])
    await write(context.store, thread, entries)
    await context.store.erase(thread, [entries[0]!.id])
    const store = await reopened(context)
    equal(await texts(store, thread), ['', 'a chair'], 'the log')
    equal(await store.search('lamp'), [], 'the search')
    equal((await store.erase(thread)).erased, [entries[1]!.id], 'what is left to erase')
  },
  'what was written before can be erased after': async (context) => {
    await write(context.store, thread, chain([user('a lamp')]))
    const store = await reopened(context)
    await store.erase(thread)
    equal([await texts(store, thread), await store.search('lamp')], [[''], []], 'the log and the search')
  },
  'branches are there': async (context) => {
    const entries = talk(4)
    const aside = chain([user('aside')], entries[1])
    await write(context.store, thread, [...entries, ...aside])
    const store = await reopened(context)
    equal(idsOf(await store.read(thread, { head: entries[3]!.id })), idsOf(entries), 'the one branch')
    equal(await texts(store, thread, { head: aside[0]!.id }), ['message 0', 'message 1', 'aside'], 'the other')
  },
  'refused appends left nothing': async (context) => {
    await write(context.store, thread, talk(1))
    await refuse(context.store, thread, talk(3), { head: null })
    equal((await (await reopened(context)).read(thread)).length, 1, 'how many entries there are')
  },
  'twice in a row': async (context) => {
    await write(context.store, thread, talk(2))
    const store = await reopened({ ...context, store: await reopened(context) })
    equal(await texts(store, thread), ['message 0', 'message 1'], 'the log')
  },
})

async function reopened({ reopen }: StoreContext): Promise<Store> {
  if (!reopen)
    throw new Error(
      'this case needs a store that can be reopened: pass `reopen`, or leave out the topic "reopen" and say why',
    )
  return reopen()
}
