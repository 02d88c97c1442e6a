import { history } from 'minutebook'
import { checksum, identify, type NewEntry } from 'minutebook/store'
import { assistant, user } from '../builders.ts'
import {
  casesOf,
  chain,
  eachOf,
  equal,
  hang,
  idsOf,
  rejects,
  seqsOf,
  talk,
  texts,
  thread,
  upTo,
  write,
  type StoreCase,
} from './harness.ts'

export const orderCases: readonly StoreCase[] = [
  ...casesOf('order', {
    'a thread that was never written to has no entries': async ({ store }) => {
      equal(await store.read(thread), [], 'its entries')
    },
    'the first entry has seq 0': async ({ store }) => {
      equal(seqsOf((await write(store, thread, talk(1))).entries), [0], 'its seq')
    },
    'entries of one append follow one another in the order given': async ({ store }) => {
      const entries = talk(5)
      const appended = await write(store, thread, entries)
      equal(seqsOf(appended.entries), upTo(5), 'the seqs answered')
      equal(idsOf(await store.read(thread)), idsOf(entries), 'the log')
    },
    'appends follow one another': async ({ store }) => {
      const entries = talk(6)
      for (const entry of entries) await write(store, thread, [entry])
      equal(idsOf(await store.read(thread)), idsOf(entries), 'the log')
      equal(seqsOf(await store.read(thread)), upTo(6), 'the seqs')
    },
    'a refused append leaves no gap behind': async ({ store }) => {
      const entries = talk(4)
      await write(store, thread, entries.slice(0, 2))
      await store.append(thread, entries.slice(2), { head: null })
      await store.append(thread, entries.slice(2), { term: 7 })
      await store.append(thread, talk(3, entries[3]).slice(1))
      equal(seqsOf((await write(store, thread, entries.slice(2))).entries), [2, 3], 'the seqs after three refusals')
    },
    'a retried append leaves no gap behind': async ({ store }) => {
      const entries = talk(3)
      await write(store, thread, entries.slice(0, 2))
      await write(store, thread, entries.slice(0, 2))
      equal(seqsOf((await write(store, thread, entries.slice(2))).entries), [2], 'the next seq')
    },
    'an append that cannot be stored leaves nothing behind': async ({ store }) => {
      const [first, second] = talk(2)
      const broken = { ...second!, raw: { role: 'assistant', content: 10n } }
      await store.append(thread, [first!, broken]).then(
        () => {
          throw new Error('an entry that has no JSON was appended')
        },
        () => undefined,
      )
      equal(await store.read(thread), [], 'the log')
      equal(seqsOf((await write(store, thread, [first!])).entries), [0], 'the next seq')
    },
    'an entry of an unknown kind is refused, and nothing is left behind': async ({ store }) => {
      const [first, second] = talk(2)
      await rejects(
        store.append(thread, [first!, { ...second!, kind: 'toString' as 'user' }]),
        'corrupt_entry',
        'the append',
      )
      equal(await store.read(thread), [], 'the log')
    },
    'an entry of an unknown origin is refused, and nothing is left behind': async ({ store }) => {
      const [first, second] = talk(2)
      await rejects(
        store.append(thread, [first!, { ...second!, origin: 'engine' as 'user' }]),
        'corrupt_entry',
        'the append',
      )
      equal(await store.read(thread), [], 'the log')
    },
    'a message in place of an entry is refused, in a new thread and in another, and nothing is left behind': async ({
      store,
    }) => {
      const [first] = talk(1)
      const message = user('no entry') as unknown as NewEntry
      await rejects(store.append(thread, [first!, message]), 'not_an_entry', 'the first append')
      equal(await store.read(thread), [], 'the log')
      await write(store, thread, [first!])
      await rejects(store.append(thread, [message]), 'not_an_entry', 'an append without an id')
      await rejects(store.append(thread, [{ ...message, id: 'its own' }]), 'not_an_entry', 'an append with an id')
      equal((await store.read(thread)).length, 1, 'the length')
    },
    'an append of nothing is answered with the standing and makes no thread': async ({ store }) => {
      const appended = await write(store, thread, [])
      equal(
        appended,
        { ok: true, entries: [], standing: { head: null, length: 0, term: 0, erasures: 0 } },
        'the answer',
      )
      equal((await store.list()).threads, [], 'the threads')
    },
    'the standing is told without an append': async ({ store }) => {
      equal(
        await store.standing(thread),
        { head: null, length: 0, term: 0, erasures: 0 },
        'the standing of a thread that is not there',
      )
      const { standing } = await write(store, thread, talk(3))
      equal(await store.standing(thread), standing, 'the standing')
      equal(await store.claim(thread), await store.standing(thread), 'the standing after a claim')
      equal((await store.list()).threads.length, 1, 'how many threads there are')
    },
    'the standing counts entries and names the newest chained one': async ({ store }) => {
      const [first, second] = talk(2)
      const note = hang('note', 'a note', second)
      const { standing } = await write(store, thread, [first!, second!, note])
      equal(standing, { head: second!.id, length: 3, term: 0, erasures: 0 }, 'the standing')
    },
    'entries that hang do not move the head': async ({ store }) => {
      const [first] = talk(1)
      await write(store, thread, [first!])
      equal((await write(store, thread, [hang('receipt', 'a receipt', first)])).standing.head, first!.id, 'the head')
    },
    'a thread of hanging entries alone has no head': async ({ store }) => {
      equal(
        (await write(store, thread, [hang('settings', 'settings')])).standing,
        { head: null, length: 1, term: 0, erasures: 0 },
        'the standing',
      )
    },
    'what an append answers is what a read gives': async ({ store }) => {
      const entries = [...talk(3), hang('note', 'a note', talk(3)[2])]
      equal((await write(store, thread, entries)).entries, await store.read(thread), 'the answer')
    },
    'each entry comes with the checksum of what was appended': async ({ store }) => {
      const entries = chain([user('a'), { ...assistant('b'), custom: [1] } as ReturnType<typeof assistant>])
      equal(
        (await write(store, thread, entries)).entries.map((entry) => entry.checksum),
        entries.map(checksum),
        'the checksums',
      )
      equal(
        (await store.read(thread)).map((entry) => entry.checksum),
        entries.map(checksum),
        'the checksums as read',
      )
    },
    'the checksum can be worked out again from what is read': async ({ store }) => {
      await write(store, thread, talk(4))
      const entries = await store.read(thread)
      equal(
        entries.map((entry) => entry.checksum),
        entries.map(checksum),
        'the checksums',
      )
    },
    'ids and parents are kept, and ids can be worked out again from what is read': async ({ store }) => {
      const entries = talk(4)
      await write(store, thread, entries)
      const read = await store.read(thread)
      equal(
        read.map(({ id, parent }) => [id, parent]),
        entries.map(({ id, parent }) => [id, parent]),
        'ids and parents',
      )
      equal(
        read.map((entry) => identify(entry.parent, entry)),
        idsOf(entries),
        'ids worked out',
      )
    },
    'a caller who changes an object afterwards changes nothing': async ({ store }) => {
      const message = { role: 'user', content: 'as it was said' }
      const [entry] = chain([message])
      const { entries } = await write(store, thread, [entry!])
      message.content = 'changed'
      Object.assign(entries[0]!, { text: 'changed' })
      Object.assign(entries[0]!.raw, { content: 'changed' })
      equal(await texts(store, thread), ['as it was said'], 'the text')
      equal((await store.read(thread))[0]?.raw.content, 'as it was said', 'the message')
    },
    'one entry is read by its id, on any branch, whatever else is asked': async ({ store }) => {
      const [first, second] = talk(2)
      const receipt = hang('receipt', 'a receipt', first)
      const elsewhere = hang('note', 'a note of another thread')
      await write(store, thread, [first!, receipt, second!])
      await write(store, 'another', [elsewhere])
      equal(idsOf(await store.read(thread, { id: receipt.id })), [receipt.id], 'a receipt')
      const asked = { id: first!.id, head: 'none', key: 'none', from: 2, to: 2, last: 0 }
      equal(await store.read(thread, asked), (await store.read(thread)).slice(0, 1), 'the first entry')
      for (const id of [elsewhere.id, 'no digest', '']) equal(await store.read(thread, { id }), [], `the entry "${id}"`)
      equal(await store.read('never written', asked), [], 'an entry of a thread that is not there')
    },
    'a thousand entries are all there, in order': async ({ store }) => {
      const entries = talk(1000)
      for (let start = 0; start < 1000; start += 100) await write(store, thread, entries.slice(start, start + 100))
      equal(seqsOf(await store.read(thread)), upTo(1000), 'the seqs')
      equal(idsOf(history(await store.read(thread))), idsOf(entries), 'the history')
    },
  }),
  ...eachOf(
    'range',
    [
      [{}, upTo(10)],
      [{ from: 3 }, [3, 4, 5, 6, 7, 8, 9]],
      [{ to: 3 }, [0, 1, 2]],
      [{ from: 3, to: 5 }, [3, 4]],
      [{ from: 5, to: 5 }, []],
      [{ from: 7, to: 3 }, []],
      [{ from: 10 }, []],
      [{ from: -5, to: 100 }, upTo(10)],
      [{ last: 1 }, [9]],
      [{ last: 4 }, [6, 7, 8, 9]],
      [{ last: 10 }, upTo(10)],
      [{ last: 1000 }, upTo(10)],
      [{ last: Infinity }, upTo(10)],
      [{ last: 0 }, []],
      [{ last: -1 }, []],
      [{ to: 6, last: 2 }, [4, 5]],
      [{ from: 5, last: 2 }, [8, 9]],
      [{ from: 8, last: 5 }, [8, 9]],
      [{ from: 2, to: 6, last: 3 }, [3, 4, 5]],
      [{ seqs: [7, 2, 7, 99, -1] }, [2, 7]],
      [{ seqs: [] }, []],
      [{ seqs: [4], from: 5, last: 0 }, [4]],
      [{ to: Infinity }, upTo(10)],
    ] as const,
    ([range]) => `of ten entries, ${rangeText(range)}`,
    async ([range, expected], { store }) => {
      await write(store, thread, talk(10))
      equal(seqsOf(await store.read(thread, range)), expected, 'the seqs')
    },
  ),
]

export function rangeText(range: object): string {
  return (
    Object.entries(range)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', ') || 'all'
  )
}
