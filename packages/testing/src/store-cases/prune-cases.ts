import type { Store } from 'minutebook'
import { entryOf, prunePage, type StoredThread } from 'minutebook/store'
import { assistant, call, user } from '../builders.ts'
import { casesOf, equal, hang, holds, refuse, talk, texts, upTo, write, type StoreCase } from './harness.ts'

/** A store without a clock takes the times of the entries. */
const time = new Date().toISOString()

function said(name: string, isAnswered = true): ReturnType<typeof talk> {
  const question = entryOf(user(`What of ${name}?`), undefined, { time })
  return isAnswered ? [question, entryOf(assistant(`All of ${name}.`), question, { time })] : [question]
}

/** A day on either side: the clock of a database may be another, and the tests may run for hours. */
const later = (): Date => new Date(Date.now() + 86_400_000)
const before = (): Date => new Date(Date.now() - 86_400_000)

async function listed(store: Store, name: string): Promise<StoredThread> {
  const { threads } = await store.list()
  return threads.find(({ thread }) => thread === name)!
}

async function names(store: Store): Promise<string[]> {
  return (await store.list()).threads.map(({ thread }) => thread)
}

export const pruneCases: readonly StoreCase[] = [
  ...casesOf('unfinished', {
    'a thread is listed until its question is answered or its turn stopped': async ({ store }) => {
      for (const name of ['asked', 'answered', 'stopped']) await write(store, name, said(name, false))
      await write(store, 'answered', said('answered'))
      await write(store, 'stopped', [hang('stop', '{"code":"failed","reason":"."}', said('stopped')[0])])
      const { threads } = await store.list({ unfinished: true })
      holds(
        threads.some(({ thread }) => thread === 'asked'),
        'that the unfinished one is listed',
      )
      await write(store, 'asked', said('asked'))
      const rest = (await store.list({ unfinished: true })).threads.length
      holds(rest === 0 || rest === 3, 'that none is listed then, or all by a store that cannot tell')
    },
    'a message that waits is listed after the answer before it': async ({ store }) => {
      const [question, answer] = said('one')
      await write(store, 'one', [question!])
      await write(store, 'one', [hang('pending', 'And then?', question, { key: 'k' })])
      await write(store, 'one', [answer!])
      equal((await store.list({ unfinished: true })).threads.length, 1, 'how many are listed')
    },
    'a receipt that cannot be read is stored like any other entry': async ({ store }) => {
      const question = entryOf(user('Look.'), undefined, { time })
      const answer = entryOf(assistant('', call('1', 'look', {})), question, { time, origin: 'model' })
      await write(store, 'one', [question, answer, hang('receipt', 'no JSON', answer)])
      equal((await store.read('one')).at(-1)?.text, 'no JSON', 'the text of the receipt')
    },
  }),
  ...casesOf('old threads', {
    'are listed with the oldest first, in pages': async ({ store }) => {
      for (const name of ['one', 'two', 'three']) await write(store, name, said(name))
      await write(store, 'one', [entryOf(user('And then?'), said('one')[1], { time })])
      const page = await store.list({ unwrittenSince: later(), limit: 2 })
      equal(
        page.threads.map(({ thread }) => thread),
        ['two', 'three'],
        'the first page',
      )
      const rest = await store.list({ unwrittenSince: later(), limit: 2, after: page.next })
      equal([rest.threads.map(({ thread }) => thread), rest.next ?? null], [['one'], null], 'the second page')
    },
    'are none if all were written since': async ({ store }) => {
      await write(store, 'one', said('one'))
      equal(await store.list({ unwrittenSince: before() }), { threads: [] }, 'the list')
    },
  }),
  ...casesOf('prune', {
    'takes threads with all that they have': async ({ store }) => {
      for (const name of ['one', 'two', 'three']) {
        await write(store, name, said(name), { records: [{ name: 'setup', value: name }] })
        await store.snapshots.save(name, 'state', { id: said(name)[0]!.id, seq: 0, value: 1 })
      }
      equal((await store.search('What')).length, 3, 'what is found before')
      const { remains, ...removed } = await store.prune([await listed(store, 'one'), await listed(store, 'two')])
      equal(
        { ...removed, threads: removed.threads.toSorted() },
        { threads: ['one', 'two'], entries: 4, snapshots: 2, records: 2, images: 0 },
        'what was removed',
      )
      holds(remains.length > 0, 'that it says what remains')
      equal(await names(store), ['three'], 'the list')
      equal((await store.search('What')).length, 1, 'what is found')
      equal((await store.records.find({ name: 'setup' })).length, 1, 'the records')
      equal((await store.snapshots.load('one', 'state')) ?? null, null, 'the snapshot')
      equal((await store.snapshots.load('three', 'state'))?.value ?? null, 1, 'the snapshot of the other')
    },
    'fences the runner of an old turn, and lets a new thread have the name': async ({ store }) => {
      const { term } = await store.claim('one')
      await write(store, 'one', said('one'), { term })
      await store.prune([await listed(store, 'one')])
      equal(await refuse(store, 'one', talk(1), { term }), 'fenced', 'why it is refused')
      await write(store, 'one', talk(2))
      equal(await texts(store, 'one'), ['message 0', 'message 1'], 'the log')
    },
    'leaves a thread that got an entry, a term or an erasure since': async ({ store }) => {
      for (const name of ['entry', 'term', 'erasure', 'none']) await write(store, name, said(name))
      const all = await Promise.all(['entry', 'term', 'erasure', 'none'].map((name) => listed(store, name)))
      await write(store, 'entry', [hang('note', 'one more', said('entry')[1])])
      await store.claim('term')
      await store.erase('erasure', [said('erasure')[1]!.id])
      equal((await store.prune(all)).threads, ['none'], 'what was removed')
      equal((await names(store)).toSorted(), ['entry', 'erasure', 'term'], 'the list')
    },
    'knows no thread that was removed or never was': async ({ store }) => {
      await write(store, 'one', said('one'))
      const one = await listed(store, 'one')
      await store.remove('one')
      const { threads, entries } = await store.prune([one, { ...one, thread: 'nowhere' }])
      equal([threads, entries], [[], 0], 'what was removed')
      equal((await store.prune([])).threads, [], 'what an empty list removes')
    },
    'never loses an entry that comes at the same time': async ({ store }) => {
      const all = upTo(12).map((number) => `thread ${number}`)
      for (const name of all) await write(store, name, said(name))
      const old = (await store.list()).threads
      const note = (name: string): ReturnType<typeof hang> => hang('note', 'one more', said(name)[1])
      const [{ threads }, appended] = await Promise.all([
        store.prune(old),
        Promise.all(all.map((name) => store.append(name, [note(name)], { head: said(name)[1]!.id }))),
      ])
      for (const [index, name] of all.entries()) {
        equal(appended[index]!.ok, !threads.includes(name), `whether the entry of ${name} was written`)
        equal((await store.read(name)).length, appended[index]!.ok ? 3 : 0, `the entries of ${name}`)
      }
    },
    'keeps threads that are unfinished or wait for a decision': async ({ store }) => {
      const calls = [{ id: 'c', type: 'function', function: { name: 'pay', arguments: '{}' } }]
      const called = entryOf({ ...assistant(''), tool_calls: calls }, said('waits')[0])
      const wait = hang('wait', JSON.stringify({ calls: [{ index: 0, needs: 'approval' }], upto: null }), called)
      await write(store, 'asked', said('asked', false))
      await write(store, 'waits', [said('waits')[0]!, called, wait])
      await write(store, 'over', said('over'))
      const options = { unwrittenSince: later() }
      const dry = await prunePage(store, { ...options, dryRun: true })
      equal((await names(store)).length, 3, 'the threads after a dry run')
      const { threads, kept } = await prunePage(store, options)
      equal([threads, kept], [dry.threads, dry.kept], 'what a dry run had said')
      equal((await names(store)).toSorted(), ['asked', 'waits'], 'the list')
    },
  }),
]
