import { user } from '@minutebook/testing'
import { memoryStore, openBook, type Entry, type Store, threadCache } from 'minutebook'
import { entryOf, sizeOf } from 'minutebook/store'
import { expect, test } from 'vitest'
import { threadSize } from '../../src/stores/thread-weight.ts'

test('the size of a thread follows what is written and erased, however long it is', async () => {
  const store = memoryStore()
  let last: Entry | undefined
  for (const count of [1, 63, 1, 1, 127, 200]) {
    last = await write(store, count, last)
    expect(await threadSize(store, 't')).toEqual(await counted(store))
  }
  await store.erase('t', [last!.id])
  expect(await threadSize(store, 't')).toEqual(await counted(store))
})

test('what is written or erased while a thread is measured is measured with it, and counted once', async () => {
  const store = memoryStore()
  const [first, last] = [await write(store, 1), await write(store, 70)]
  let meanwhile: (() => Promise<unknown>) | undefined
  const busy: Store = {
    ...store,
    read: async (...asked) => {
      const [now] = [meanwhile, (meanwhile = undefined)]
      await now?.()
      return store.read(...asked)
    },
  }
  meanwhile = () => write(store, 3, last)
  await threadSize(busy, 't')
  expect(await threadSize(busy, 't')).toEqual(await counted(store))
  await write(store, 1, first)
  meanwhile = () => store.erase('t', [first.id])
  await threadSize(busy, 't')
  expect(await threadSize(busy, 't')).toEqual(await counted(store))
})

test('all threads wait while one is measured, so a short one takes the store one answer', async () => {
  const store = memoryStore()
  await write(store, 10)
  const breaths = countBreaths(store)
  await threadSize(breaths.store, 't')
  // The first tells whether there is anything to measure; other threads do not wait for that.
  expect(breaths.count()).toEqual(['standing', 'standing read'])
  await threadSize(breaths.store, 't')
  expect(breaths.count()).toEqual(['standing'])
  await store.append('t', [entryOf(user('one more'))])
  await threadSize(breaths.store, 't')
  expect(breaths.count()).toEqual(['standing', 'standing read'])
})

test('what a thread that is kept open has in memory is not read to measure it', async () => {
  const { store, count } = countBreaths(memoryStore())
  const held = threadCache()
  const thread = openBook({ store, heldThreads: held }).thread('t')
  const measured = async (): Promise<readonly string[]> => {
    count()
    const size = await threadSize(store, 't', held)
    const asked = count()
    expect(size).toEqual(await counted(store))
    return asked
  }
  await thread.importMessages([user('one')], { trusted: true })
  expect(await measured()).toEqual(['standing', 'standing read'])
  await thread.importMessages([user('two'), user('three')], { trusted: true })
  expect(await measured()).toEqual(['standing'])
  // Another process wrote, or something was erased: what is in memory is not all, or not as it was.
  const last = (await store.read('t')).at(-1)!
  await store.append('t', [entryOf(user('four'), last)])
  expect(await measured()).toEqual(['standing', 'standing read'])
  await store.erase('t', [last.id])
  expect(await measured()).toEqual(['standing', 'standing read'])
})

async function write(store: Store, count: number, after?: Entry): Promise<Entry> {
  let last = after
  for (let number = 0; number < count; number++) {
    last = entryOf(user(`${'word '.repeat(number)} ${count} after ${after?.id}`), last)
    await store.append('t', [last])
  }
  return last!
}

async function counted(store: Store): Promise<{ readonly characters: number; readonly entries: number }> {
  const entries = await store.read('t')
  return { characters: entries.reduce((sum, { raw }) => sum + sizeOf(raw), 0), entries: entries.length }
}

/** What a store is asked at the same moment counts as one. */
function countBreaths(store: Store): { readonly store: Store; readonly count: () => readonly string[] } {
  let breaths: string[][] = []
  let breath: string[] | undefined
  const ask = <T>(name: string, answer: () => Promise<T>): Promise<T> => {
    if (breath) breath.push(name)
    else breaths.push((breath = [name]))
    return Promise.resolve().then(() => {
      breath = undefined
      return answer()
    })
  }
  const watched: Store = {
    ...store,
    standing: (thread) => ask('standing', () => store.standing(thread)),
    read: (...asked) => ask('read', () => store.read(...asked)),
    snapshots: { ...store.snapshots, load: (...asked) => ask('load', () => store.snapshots.load(...asked)) },
  }
  return {
    store: watched,
    count: () => {
      const told = breaths.map((names) => names.join(' '))
      breaths = []
      return told
    },
  }
}
