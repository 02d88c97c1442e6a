import { memoryStore, openBook, type Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { expect, test } from 'vitest'
import { countThreads, listThreads } from '../../src/archive/list.ts'
import type { ArchivePage } from '../../src/archive/thread-list.ts'
import { recorded } from '../../../../tests/support/server/recorded.ts'

async function namesOf(store: Store, page: ArchivePage): Promise<string[]> {
  const names: string[] = []
  let after: string | undefined
  do {
    const { threads, next }: Awaited<ReturnType<typeof listThreads>> = await listThreads(store, { ...page, after })
    names.push(...threads.map(({ thread }) => thread))
    after = next
  } while (after !== undefined)
  return names.toSorted()
}

test('forks say of what, and they, participants of runs and one-offs are left out if asked', async () => {
  const { store } = await recorded({ garden: ['What grows?', 'And in the sun?'] })
  await openBook({ store }).thread('garden').fork({ as: 'copy' })
  await store.append('run/market/ann', [entryOf({ role: 'user', content: 'Buy or sell?' })])
  expect(await namesOf(store, {})).toEqual(['copy', 'garden', 'run/market/ann'])
  expect(await namesOf(store, { hide: ['runs'] })).toEqual(['copy', 'garden'])
  expect(await namesOf(store, { hide: ['forks', 'runs'] })).toEqual(['garden'])
  const { threads } = await listThreads(store)
  expect(threads.map(({ thread, fork }) => [thread, fork])).toEqual([
    ['run/market/ann', undefined],
    ['copy', 'garden'],
    ['garden', undefined],
  ])
  expect(await countThreads(store)).toMatchObject({ looked: 3, whole: true, sorts: { runs: 1, forks: 1 } })
})

test.each([1, 3, 50])('by %d, each thread that is not hidden comes once', async (limit) => {
  const store = memoryStore()
  for (let number = 0; number < 500; number++) {
    const name = number % 50 === 0 ? `thread ${number}` : `run/market/ann-${number}`
    await store.append(name, [entryOf({ role: 'user', content: `question ${number}` })])
  }
  expect(await namesOf(store, { limit, hide: ['runs', 'one-offs', 'forks'] })).toEqual(
    Array.from({ length: 10 }, (_, index) => `thread ${index * 50}`).toSorted(),
  )
})

test('many hidden threads in a row end a page, which then goes on', async () => {
  const store = memoryStore()
  await store.append('garden', [entryOf({ role: 'user', content: 'What grows?' })])
  for (let number = 0; number < 10_100; number++)
    await store.append(`run/market/ann-${number}`, [entryOf({ role: 'user', content: 'Buy?' })])
  let lists = 0
  const counted: Store = { ...store, list: (page) => (lists++, store.list(page)) }
  const page = await listThreads(counted, { hide: ['runs'] })
  expect([page.threads, lists]).toEqual([[], 50])
  expect((await listThreads(counted, { hide: ['runs'], after: page.next })).threads).toHaveLength(1)
})
