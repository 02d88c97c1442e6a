import type { Store } from 'minutebook'
import { casesOf, eachOf, equal, hang, holds, talk, upTo, write, type StoreCase } from './harness.ts'

export const listCases: readonly StoreCase[] = [
  ...casesOf('list', {
    'an empty store has no threads': async ({ store }) => {
      equal(await store.list(), { threads: [] }, 'the listing')
    },
    'a thread is listed with its standing': async ({ store }) => {
      const { standing } = await write(store, 'one', talk(3))
      equal(await store.list(), { threads: [{ thread: 'one', ...standing, metadata: {} }] }, 'the listing')
    },
    'the most recently written thread comes first': async ({ store }) => {
      for (const name of ['one', 'two', 'three']) await write(store, name, talk(1))
      equal(await names(store), ['three', 'two', 'one'], 'the list')
    },
    'another append brings a thread to the front': async ({ store }) => {
      for (const name of ['one', 'two', 'three']) await write(store, name, talk(1))
      await write(store, 'two', talk(2))
      await write(store, 'one', talk(2))
      equal(await names(store), ['one', 'two', 'three'], 'the list')
    },
    'a hanging entry brings a thread to the front too': async ({ store }) => {
      for (const name of ['one', 'two']) await write(store, name, talk(1))
      await write(store, 'one', [hang('note', 'a note', talk(1)[0])])
      equal(await names(store), ['one', 'two'], 'the list')
    },
    'a read moves nothing': async ({ store }) => {
      for (const name of ['one', 'two']) await write(store, name, talk(1))
      await store.read('one')
      await store.search('message')
      equal(await names(store), ['two', 'one'], 'the list')
    },
    'a refused append moves nothing': async ({ store }) => {
      for (const name of ['one', 'two']) await write(store, name, talk(1))
      await store.append('one', talk(2), { head: null })
      equal(await names(store), ['two', 'one'], 'the list')
    },
    'a thread that was only read is not listed': async ({ store }) => {
      await store.read('nowhere')
      equal(await names(store), [], 'the list')
    },
    'a snapshot makes no thread': async ({ store }) => {
      await store.snapshots.save('nowhere', 'state', { id: 'x', seq: 0, value: 1 })
      equal(await names(store), [], 'the list')
    },
    'a page that holds all has no next': async ({ store }) => {
      for (const index of upTo(5)) await write(store, `thread ${index}`, talk(1))
      const page = await store.list({ limit: 5 })
      equal([page.threads.length, 'next' in page], [5, false], 'how many there are, and whether there are more')
    },
    'a page that does not hold all has a next': async ({ store }) => {
      for (const index of upTo(5)) await write(store, `thread ${index}`, talk(1))
      const { threads, next } = await store.list({ limit: 4 })
      holds(next !== undefined, 'there is a next')
      equal([threads.length, await names(store, next)], [4, ['thread 0']], 'the pages')
    },
    'a hundred threads a page by default': async ({ store }) => {
      for (const index of upTo(101)) await write(store, `thread ${index}`, talk(1))
      const { threads, next } = await store.list()
      equal(threads.length, 100, 'how many are on the first page')
      equal(await names(store, next!), ['thread 0'], 'the second page')
    },
    'a thread that is written to while one pages is not listed twice': async ({ store }) => {
      for (const index of upTo(6)) await write(store, `thread ${index}`, talk(1))
      const first = await store.list({ limit: 3 })
      await write(store, 'thread 5', talk(2))
      equal(await names(store, first.next!), ['thread 2', 'thread 1', 'thread 0'], 'the second page')
    },
    'a new thread does not turn up in the pages after': async ({ store }) => {
      for (const index of upTo(4)) await write(store, `thread ${index}`, talk(1))
      const first = await store.list({ limit: 2 })
      await write(store, 'new', talk(1))
      equal(await names(store, first.next!), ['thread 1', 'thread 0'], 'the second page')
    },
  }),
  ...eachOf(
    'list',
    [1, 2, 3, 7, 24, 25, 26, 1000],
    (limit) => `25 threads by ${limit}: each once, in order, to the end`,
    async (limit, { store }) => {
      for (const index of upTo(25)) await write(store, `thread ${index}`, talk(1))
      const found: string[] = []
      let after: string | undefined
      for (let pages = 0; pages < 30; pages++) {
        const page = await store.list({ limit, ...(after !== undefined && { after }) })
        holds(page.threads.length <= limit, `a page has at most ${limit}`)
        found.push(...page.threads.map((listed) => listed.thread))
        after = page.next
        if (after === undefined) break
      }
      equal(
        found,
        upTo(25)
          .toReversed()
          .map((index) => `thread ${index}`),
        'all pages',
      )
    },
  ),
]

async function names(store: Store, after?: string): Promise<string[]> {
  return (await store.list(after === undefined ? {} : { after })).threads.map((listed) => listed.thread)
}
