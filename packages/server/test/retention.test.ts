import { runThread } from '@minutebook/experiment/run'
import { memoryStore, type Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { expect, test } from 'vitest'
import { pruneArchive } from '../src/archive/erase.ts'
import { createRetention } from '../src/retention.ts'
import { recordSetup } from '../src/stores/setup.ts'
import { readConfig } from '../src/index.ts'

const time = '2026-01-01T00:00:00.000Z'

async function ask(store: Store, thread: string, isAnswered: boolean): Promise<void> {
  const question = entryOf({ role: 'user', content: 'Ferns?' }, undefined, { time })
  const answer = entryOf({ role: 'assistant', content: 'Yes.' }, question, { time })
  await store.append(thread, isAnswered ? [question, answer] : [question])
}

async function namesIn(store: Store): Promise<string[]> {
  return (await store.list()).threads.map(({ thread }) => thread).toSorted()
}

test('turns of the server, runs and internal threads stay; chats of the gateway go, answered or not', async () => {
  const store = memoryStore()
  for (const thread of ['turn', 'chat', runThread('r'), 'minutebook:own']) await ask(store, thread, false)
  await recordSetup(store, 'turn', { system: 'Be brief.' })
  await ask(store, 'over', true)
  await recordSetup(store, 'over', { system: 'Be brief.' })
  const { threads, kept } = await pruneArchive(store, { unwrittenSince: new Date('2026-02-01') })
  expect([threads.map(({ thread }) => thread), kept]).toEqual([['chat', 'over'], 3])
  expect(await namesIn(store)).toEqual(['minutebook:own', runThread('r'), 'turn'].toSorted())
})

test.each([
  [1, ['new']],
  [undefined, ['new', 'old']],
])('with keep at %s, a server leaves %o', async (keep, left) => {
  const store = memoryStore()
  await ask(store, 'old', true)
  await store.append('new', [
    entryOf({ role: 'user', content: 'Ferns?' }, undefined, { time: '2999-01-01T00:00:00.000Z' }),
  ])
  const stores = { of: () => ({ store }) as never, tenants: () => [] }
  const failures: unknown[] = []
  const requestLog = { unforeseen: (error: unknown) => void failures.push(error) }
  const retention = createRetention({ config: { keep }, stores, requestLog })
  retention.begin()
  await expect.poll(() => namesIn(store)).toEqual(left)
  await retention.end()
  expect(failures).toEqual([])
})

test('keep is days or hours, and not for a database', () => {
  const keepOf = (keep: string, more = {}): number | undefined =>
    readConfig({ flags: { keep, data: '.', ...more }, environment: {} }).keep
  expect([keepOf('90d'), keepOf('12h')]).toEqual([90 * 86_400_000, 12 * 3_600_000])
  expect(() => keepOf('90')).toThrow(/days or hours/)
  expect(() => keepOf('0d')).toThrow(/days or hours/)
  expect(() => keepOf('90d', { database: 'postgres://localhost/m' })).toThrow(/minutebook prune/)
})
