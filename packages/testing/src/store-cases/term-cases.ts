import { casesOf, eachOf, equal, hang, refuse, seqsOf, talk, thread, write, type StoreCase } from './harness.ts'

/** The right to run a thread's turn. */
export const termCases: readonly StoreCase[] = [
  ...casesOf('term', {
    'the first claim of a thread is term 1': async ({ store }) => {
      await write(store, thread, talk(2))
      equal(await store.claim(thread), { head: talk(2)[1]!.id, length: 2, term: 1, erasures: 0 }, 'the standing')
    },
    'each claim is one higher': async ({ store }) => {
      equal(
        [await store.claim(thread), await store.claim(thread), await store.claim(thread)].map(({ term }) => term),
        [1, 2, 3],
        'the terms',
      )
    },
    'a thread that was never written to can be claimed': async ({ store }) => {
      equal(await store.claim(thread), { head: null, length: 0, term: 1, erasures: 0 }, 'the standing')
      equal(
        (await write(store, thread, talk(1), { head: null, term: 1 })).standing,
        { head: talk(1)[0]!.id, length: 1, term: 1, erasures: 0 },
        'the standing after',
      )
    },
    'a thread that was only claimed is not listed': async ({ store }) => {
      await store.claim(thread)
      equal((await store.list()).threads, [], 'the threads')
      equal(await store.read(thread), [], 'its entries')
    },
    'a claim writes no entry and moves no thread in the list': async ({ store }) => {
      await write(store, 'one', talk(1))
      await write(store, 'two', talk(1))
      await store.claim('one')
      equal(
        (await store.list()).threads.map((listed) => [listed.thread, listed.length, listed.term]),
        [
          ['two', 1, 0],
          ['one', 1, 1],
        ],
        'the list',
      )
    },
    'a claim of one thread does not fence another': async ({ store }) => {
      await store.claim('one')
      await store.claim('one')
      const { term } = await store.claim('two')
      equal(term, 1, 'the term of the other')
      await write(store, 'two', talk(1), { term })
    },
    'parallel claims all get terms of their own': async ({ store }) => {
      const claims = await Promise.all(Array.from({ length: 20 }, () => store.claim(thread)))
      equal(new Set(claims.map(({ term }) => term)).size, 20, 'how many different terms')
      equal(Math.max(...claims.map(({ term }) => term)), 20, 'the highest')
    },
    'a runner whose term has passed can write nothing more': async ({ store }) => {
      const entries = talk(3)
      const { term } = await store.claim(thread)
      await write(store, thread, entries.slice(0, 1), { term })
      await store.claim(thread)
      const appended = await store.append(thread, entries.slice(1), { term })
      equal(
        appended,
        { ok: false, reason: 'fenced', standing: { head: entries[0]!.id, length: 1, term: 2, erasures: 0 } },
        'the answer',
      )
      equal(seqsOf(await store.read(thread)), [0], 'the log')
      equal(await store.search('message 1'), [], 'the search')
    },
    'a fenced runner cannot write hanging entries either': async ({ store }) => {
      const [first] = talk(1)
      await write(store, thread, [first!])
      const { term } = await store.claim(thread)
      await store.claim(thread)
      equal(await refuse(store, thread, [hang('receipt', 'late', first)], { term }), 'fenced', 'the reason')
    },
    'an append without a term is not fenced': async ({ store }) => {
      await store.claim(thread)
      await store.claim(thread)
      equal((await write(store, thread, talk(1))).standing.term, 2, 'the term')
    },
    'the runner goes on under its term, append after append': async ({ store }) => {
      const entries = talk(5)
      const { term } = await store.claim(thread)
      for (const entry of entries) await write(store, thread, [entry], { term })
      equal(seqsOf(await store.read(thread)), [0, 1, 2, 3, 4], 'the log')
    },
    'fenced is named before a conflict': async ({ store }) => {
      await write(store, thread, talk(1))
      await store.claim(thread)
      equal(await refuse(store, thread, talk(2).slice(1), { term: 0, head: null }), 'fenced', 'the reason')
    },
    'under the right term a wrong head still conflicts': async ({ store }) => {
      await write(store, thread, talk(1))
      const { term } = await store.claim(thread)
      equal(await refuse(store, thread, talk(2).slice(1), { term, head: null }), 'conflict', 'the reason')
    },
    'a fenced append that was already there is answered like the first time': async ({ store }) => {
      const { term } = await store.claim(thread)
      const first = await write(store, thread, talk(2), { head: null, term })
      await store.claim(thread)
      equal((await write(store, thread, talk(2), { head: null, term })).entries, first.entries, 'the entries')
    },
    'a fenced append of which only a part was there is fenced': async ({ store }) => {
      const { term } = await store.claim(thread)
      await write(store, thread, talk(2), { term })
      await store.claim(thread)
      equal(await refuse(store, thread, talk(3), { term }), 'fenced', 'the reason')
      equal(seqsOf(await store.read(thread)), [0, 1], 'the log')
    },
    'an append of nothing says whether the term has passed': async ({ store }) => {
      const { term } = await store.claim(thread)
      await write(store, thread, [], { term })
      await store.claim(thread)
      equal(await refuse(store, thread, [], { term }), 'fenced', 'the reason')
    },
  }),
  ...eachOf(
    'term',
    [
      [0, 'fenced'],
      [1, 'fenced'],
      [2, 'fenced'],
      [3, 'written'],
      [4, 'fenced'],
      [100, 'fenced'],
    ] as const,
    ([term, outcome]) => `after three claims an append under term ${term} is ${outcome}`,
    async ([term, outcome], { store }) => {
      for (let count = 0; count < 3; count++) await store.claim(thread)
      const appended = await store.append(thread, talk(1), { term })
      equal(appended.ok ? 'written' : appended.reason, outcome, 'the outcome')
      equal((await store.read(thread)).length, outcome === 'written' ? 1 : 0, 'how many entries there are')
      equal(appended.standing.term, 3, 'the term')
    },
  ),
  ...casesOf('term', {
    'term 0 is right before the first claim': async ({ store }) => {
      equal((await write(store, thread, talk(1), { term: 0 })).standing.term, 0, 'the term')
    },
  }),
]
