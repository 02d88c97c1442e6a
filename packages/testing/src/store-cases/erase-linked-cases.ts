import type { Kind } from 'minutebook'
import { entryOf, filterName, traits, recordNames } from 'minutebook/store'
import { assistant, user } from '../builders.ts'
import { casesOf, chain, eachOf, equal, hang, talk, texts, thread, write, type StoreCase } from './harness.ts'

/** What goes along with an erased entry: in searches and snapshots, under the same key, and what was derived from it. */
export const eraseLinkedCases: readonly StoreCase[] = [
  ...casesOf('erase', {
    'a search forgets': async ({ store }) => {
      const entries = chain([user('the red lamp'), assistant('the blue lamp')])
      await write(store, thread, entries)
      await store.erase(thread, [entries[0]!.id])
      equal(await texts(store, thread), ['', 'the blue lamp'], 'the log')
      equal(
        (await store.search('lamp')).map(({ text }) => text),
        ['the blue lamp'],
        'what is found',
      )
      equal(await store.search('red'), [], 'what is found of the erased')
    },
    'snapshots are forgotten, and counted': async ({ store }) => {
      const entries = talk(3)
      await write(store, thread, entries)
      await store.snapshots.save(thread, 'state', { id: entries[0]!.id, seq: 0, value: 1 })
      await store.snapshots.save(thread, 'state', { id: entries[2]!.id, seq: 2, value: 2 })
      await store.snapshots.save(thread, 'fold', { id: entries[2]!.id, seq: 2, value: 3 })
      await store.snapshots.save('another', 'state', { id: entries[2]!.id, seq: 2, value: 4 })
      equal((await store.erase(thread, [entries[1]!.id])).snapshots, 3, 'how many were forgotten')
      equal(
        [await store.snapshots.load(thread, 'state'), await store.snapshots.load(thread, 'fold')],
        [undefined, undefined],
        'the snapshots',
      )
      equal((await store.snapshots.load('another', 'state'))?.value, 4, 'the snapshot of another thread')
    },
    'a snapshot that was saved too late goes when the erasure is repeated': async ({ store }) => {
      const [entry] = talk(1)
      await write(store, thread, [entry!])
      await store.erase(thread, [entry!.id])
      await store.snapshots.save(thread, 'state', { id: entry!.id, seq: 0, value: 'message 0' })
      equal((await store.erase(thread, [entry!.id])).snapshots, 1, 'how many were forgotten')
      equal(await store.snapshots.load(thread, 'state'), undefined, 'the snapshot')
    },
    'snapshots of a thread that has no entries are forgotten too': async ({ store }) => {
      await store.snapshots.save('nowhere', 'state', { id: 'a', seq: 0, value: 1 })
      equal((await store.erase('nowhere')).snapshots, 1, 'how many were forgotten')
      equal(await store.snapshots.load('nowhere', 'state'), undefined, 'the snapshot')
    },
    'snapshots can be saved again afterwards': async ({ store }) => {
      const entries = talk(2)
      await write(store, thread, entries)
      await store.erase(thread, [entries[0]!.id])
      await store.snapshots.save(thread, 'state', { id: entries[1]!.id, seq: 1, value: 'new' })
      equal((await store.snapshots.load(thread, 'state'))?.value, 'new', 'the snapshot')
    },
    'feedback goes with its message, and with newer feedback of its writer, and the records that repeat it': async ({
      store,
    }) => {
      const entries = talk(2)
      await write(store, thread, entries)
      const rate = async (place: number, by: string, comment: string): Promise<string> => {
        const said = { rating: 'up', comment, tags: ['travel'], by, after: null }
        const entry = hang('feedback', JSON.stringify(said), entries[place])
        const key = `${entries[place]!.id} ${by}`
        const names = [{}, { rating: 'up' as const }, { tag: 'travel' }].map(filterName)
        await write(store, thread, [entry], {
          records: [recordNames.feedback, ...names].map((name) => ({ name, key, value: comment })),
        })
        return entry.id
      }
      const recorded = async (): Promise<unknown[]> => {
        const names = [
          recordNames.feedback,
          filterName({}),
          filterName({ rating: 'up' }),
          filterName({ tag: 'travel' }),
        ]
        const found = await Promise.all(names.map((name) => store.records.find({ name, thread })))
        return found.map((records) => records.map(({ value }) => value))
      }
      const older = await rate(0, 'ann', 'older')
      const newer = await rate(0, 'ann', 'newer')
      await rate(0, 'ben', 'of ben')
      const other = await rate(1, 'ann', 'of the other')
      equal((await store.erase(thread, [newer])).erased, [older, newer], 'what goes with the newer')
      equal(await recorded(), Array(4).fill(['of the other', 'of ben']), 'what is recorded')
      equal((await store.erase(thread, [entries[0]!.id])).records, 4, 'how many records go with the message')
      equal(await recorded(), Array(4).fill(['of the other']), 'what is recorded')
      equal((await store.erase(thread, [other])).records, 4, 'how many records go with the last')
      equal(await recorded(), [[], [], [], []], 'what is recorded')
    },
    'the journal of a turn goes with a call that was made in it, on each branch, and that of no other turn': async ({
      store,
    }) => {
      const calling = {
        ...assistant(''),
        tool_calls: [{ id: 'c', function: { name: 'open', arguments: '{"code":1}' } }],
      }
      const entries = chain([
        user('go'),
        calling,
        { role: 'tool', tool_call_id: 'c', content: 'ok' },
        assistant('done'),
        user('and now'),
        calling,
        assistant('done too'),
      ])
      const other = entryOf(assistant('done otherwise'), entries[2])
      const journals = [entries[3]!, other, entries[6]!].map((end) => hang('journal', 'open with code: 1', end))
      await write(store, thread, [...entries, other, ...journals])
      const { erased } = await store.erase(thread, [entries[1]!.id])
      equal(erased, [entries[1]!.id, journals[0]!.id, journals[1]!.id], 'what was erased')
      equal((await store.erase(thread, [entries[2]!.id])).erased, [entries[2]!.id], 'what goes with a result')
    },
    'the list of the calls that wait goes with the answer that has them': async ({ store }) => {
      const call = (id: string): object => ({
        id,
        type: 'function',
        function: { name: 'open', arguments: '{"code":1234}' },
      })
      const asking = entryOf({ ...assistant(''), tool_calls: [call('c1'), call('c2')] } as ReturnType<typeof assistant>)
      const wait = hang('wait', JSON.stringify({ calls: [{ index: 1, needs: 'approval' }] }), asking)
      await write(store, thread, [asking, wait], {
        records: [
          { name: recordNames.waiting, key: `${wait.id}.1`, value: { code: 1234 } },
          { name: recordNames.waiting, key: 'other', value: 'of another answer' },
        ],
      })
      equal((await store.erase(thread, [asking.id])).records, 1, 'how many records went')
      const left = await store.records.find({ name: recordNames.waiting, thread })
      equal(
        left.map(({ key }) => key),
        ['other'],
        'what is recorded',
      )
    },
    'the pending message with the same key goes with the one that was admitted': async ({ store }) => {
      const [first] = talk(1)
      const pending = hang('pending', 'said while busy', first, { key: 'k1' })
      const other = hang('pending', 'said by another', first, { key: 'k2' })
      const admitted = entryOf(user('said while busy'), first, { key: 'k1' })
      await write(store, thread, [first!, pending, other, admitted])
      equal((await store.erase(thread, [admitted.id])).erased, [pending.id, admitted.id], 'what was erased')
      equal(await texts(store, thread), ['message 0', '', 'said by another', ''], 'the log')
    },
    'the admitted message goes with the pending one, and what was derived from it too': async ({ store }) => {
      const [first] = talk(1)
      const pending = hang('pending', 'said while busy', first, { key: 'k1' })
      const admitted = entryOf(user('said while busy'), first, { key: 'k1' })
      const note = hang('note', 'a note', admitted)
      await write(store, thread, [first!, pending, admitted, note])
      equal((await store.erase(thread, [pending.id])).erased, [pending.id, admitted.id, note.id], 'what was erased')
    },
    'entries without a key do not go with one another': async ({ store }) => {
      const entries = talk(3)
      await write(store, thread, entries)
      equal((await store.erase(thread, [entries[0]!.id])).erased, [entries[0]!.id], 'what was erased')
    },
    'the same key in another thread is another message': async ({ store }) => {
      const entry = entryOf(user('hello'), undefined, { key: 'k' })
      await write(store, 'one', [entry])
      await write(store, 'two', [entry])
      await store.erase('one', [entry.id])
      equal(await texts(store, 'two'), ['hello'], 'the other thread')
    },
    'a key is compared whole': async ({ store }) => {
      const entries = ['k', 'k1', 'K', 'k"', '%', '_', ''].map((key, index) =>
        entryOf(user(`said ${index}`), undefined, { key }),
      )
      await write(store, thread, entries)
      equal((await store.erase(thread, [entries[0]!.id])).erased, [entries[0]!.id], 'what goes with k')
      equal((await store.erase(thread, [entries[4]!.id])).erased, [entries[4]!.id], 'what goes with %')
      equal((await store.erase(thread, [entries[6]!.id])).erased, [entries[6]!.id], 'what goes with the empty key')
    },
    'a text that looks like a key is not one': async ({ store }) => {
      const entry = entryOf(user('said'), undefined, { key: 'k' })
      const other = entryOf({ ...user('"key":"k"'), key: 'k' } as ReturnType<typeof user>)
      await write(store, thread, [entry, other])
      equal((await store.erase(thread, [entry.id])).erased, [entry.id], 'what was erased')
    },
  }),
  ...eachOf(
    'erase',
    (Object.keys(traits) as Kind[]).filter((kind) => !traits[kind].chained),
    followName,
    async (kind, { store }) => {
      const entries = talk(2)
      const hanging = hang(kind, 'hanging', entries[0])
      const elsewhere = hang(kind, 'hanging elsewhere', entries[1])
      await write(store, thread, [...entries, hanging, elsewhere])
      await store.erase(thread, [entries[0]!.id])
      equal(
        await texts(store, thread),
        ['', 'message 1', traits[kind].derived ? '' : 'hanging', 'hanging elsewhere'],
        'the log',
      )
    },
  ),
  ...eachOf(
    'erase',
    (Object.keys(traits) as Kind[]).filter((kind) => !traits[kind].chained),
    (kind) => `a ${kind} by itself leaves its parent alone`,
    async (kind, { store }) => {
      const entries = talk(1)
      const hanging = hang(kind, 'hanging', entries[0])
      await write(store, thread, [...entries, hanging])
      equal((await store.erase(thread, [hanging.id])).erased, [hanging.id], 'what was erased')
      equal(await texts(store, thread), ['message 0', ''], 'the log')
    },
  ),
]

function followName(kind: Kind): string {
  return `a ${kind} ${traits[kind].derived ? 'goes with the entry it hangs off' : 'stays where the entry goes that it hangs off'}`
}
