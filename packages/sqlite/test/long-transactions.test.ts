import type { Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { user } from '@minutebook/testing'
import { expect, test } from 'vitest'
import { sqliteStore } from '../src/store.ts'

function logOf(length: number, text: string): Entry[] {
  const log: Entry[] = []
  for (let seq = 0; seq < length; seq++) log.push(entryOf(user(`${seq} ${text}`), log.at(-1)))
  return log
}

test('a long append lets others have their turn, and nobody sees half of it', async () => {
  using store = sqliteStore(':memory:')
  const log = logOf(20_000, 'The harbour was quiet. '.repeat(20))
  let turns = 0
  const seen = new Set<number>()
  const appending = store.append('t', log)
  let isOver = false
  void appending.then(() => void (isOver = true))
  while (!isOver) {
    await new Promise((resolve) => void setImmediate(resolve))
    turns++
    seen.add((await store.standing('t')).length)
  }
  expect(await appending).toMatchObject({ ok: true })
  expect(turns).toBeGreaterThan(2)
  expect([...seen].filter((length) => length !== 0 && length !== log.length)).toEqual([])
  expect(await store.read('t', { last: 1 })).toMatchObject([{ id: log.at(-1)?.id }])
})

test('a store that is closed in the middle of an append says so, and has none of it', async () => {
  const store = sqliteStore(':memory:')
  const appending = store.append('t', logOf(5000, 'x'.repeat(2000)))
  await new Promise((resolve) => void setImmediate(resolve))
  store.close()
  await expect(appending).rejects.toMatchObject({ code: 'store_closed' })
})

test('what comes while a thread is erased waits for the end', async () => {
  using store = sqliteStore(':memory:')
  const log = logOf(3000, 'Look. '.repeat(50))
  await store.append('t', log)
  const erasing = store.erase('t')
  const [read, erased] = await Promise.all([store.read('t'), erasing])
  expect(erased.erased).toHaveLength(3000)
  expect(new Set(read.map(({ status }) => status)).size).toBe(1)
})

test('any number of long appends, reads, searches and erasures at once come to an end, each whole', async () => {
  using store = sqliteStore(':memory:')
  const threads = ['one', 'two', 'three', 'four']
  const logs = threads.map((name) => [...logOf(1500, `${name} ${'The harbour was quiet. '.repeat(10)}`)])
  const picture = { role: 'user', content: 'Look.', images: ['iVBORw0KGgo'.repeat(500_000)] }
  const work = threads.flatMap((thread, index) => [
    store.append(thread, [...logs[index]!, entryOf(picture, logs[index]!.at(-1))]),
    store.search('harbour'),
    store.read(thread),
    store.append(thread, [entryOf(user('late'))], { head: 'another' }),
    store.erase(`${thread} again`),
  ])
  await Promise.all(work)
  for (const thread of threads)
    expect((await store.read(thread)).map(({ images }) => images.length).reduce((sum, count) => sum + count)).toBe(1)
  await Promise.all(threads.map((thread) => store.erase(thread)))
  expect(await store.search('harbour')).toEqual([])
})
