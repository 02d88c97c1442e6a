import { createHash } from 'node:crypto'
import { memoryStore } from 'minutebook'
import { entryOf, recordNames } from 'minutebook/store'
import { expect, test } from 'vitest'
import { openArchive } from '../../src/archive/open-archive.ts'
import type { Overview } from '../../src/archive/overview.ts'
import { relayBook, said } from '../../../../tests/support/relays.ts'
import { native, nativeServer, type Native } from '../../../../tests/support/server/native.ts'

const keys = ['admin', 'shop', 'desk', 'looker'].map((name) => ({
  name,
  scope: { admin: 'admin' as const, looker: 'viewer' as const }[name] ?? ('app' as const),
  tenant: name === 'desk' ? 'other' : 'default',
  sha256: createHash('sha256').update(`key-of-${name}`).digest('hex'),
}))

test('calls are counted for the key that asked, by model and hour, and other tenants and names stay hidden', async () => {
  const { running } = await nativeServer({ answer: 'Ferns do.' }, { keys })
  const as = (name: string): Native => native(running.url, `key-of-${name}`)
  const overview = async (name: string, query = ''): Promise<Overview> =>
    (await as(name).ask('GET', `/overview${query}`)).body as unknown as Overview
  const say = async (name: string, thread: string): Promise<void> => {
    await as(name).ask('POST', '/threads', { thread })
    await as(name).stream('POST', `/threads/${thread}/turns`, { body: { message: 'What grows in the shade?' } })
  }
  await say('shop', 'garden')
  await say('admin', 'house')
  // The newest sender of a thread counts.
  await say('admin', 'garden')
  await say('desk', 'elsewhere')
  const all = await overview('admin')
  expect(all.totals.calls).toBe(3)
  expect(all.keys).toEqual([
    { name: 'admin', calls: 2 },
    { name: 'shop', calls: 1 },
  ])
  expect(all.models).toHaveLength(1)
  expect([all.series.length, all.step]).toEqual([24, 1])
  expect(all.series.at(-1)!.figures.calls + all.series.at(-2)!.figures.calls).toBe(3)
  expect((await overview('admin', '?key=shop')).totals.calls).toBe(1)
  expect((await overview('admin', '?model=none')).totals.calls).toBe(0)
  expect((await overview('looker')).keys).toEqual([{ name: null, calls: 3 }])
  expect((await overview('shop')).keys).toEqual([
    { name: 'shop', calls: 1 },
    { name: null, calls: 2 },
  ])
  expect((await overview('desk')).totals.calls).toBe(1)
  expect((await overview('shop', '?key=shop')).totals.calls).toBe(1)
  expect((await as('shop').ask('GET', '/overview?key=admin')).status).toBe(403)
  await as('shop').ask('DELETE', '/threads/garden')
  expect((await overview('admin')).totals.calls).toBe(3)
})

test('a range of time is checked, and has at most 400 steps', async () => {
  const archive = openArchive(memoryStore())
  const months = await archive.overview({ from: '2026-01-01T00:00:00Z', to: '2026-07-01T00:00:00Z', step: 1 })
  expect([months.series.length, months.step]).toEqual([396, 11])
  const week = await archive.overview({ from: '2026-11-11T15:20:00Z', to: '2026-11-18T15:20:00Z' })
  expect([week.step, week.from, week.to]).toEqual([3, '2026-11-11T15:00:00.000Z', '2026-11-18T16:00:00.000Z'])
  for (const wrong of [{ from: 'x' }, { from: '2026-11-18T15:00Z', to: '2026-11-18T15:00Z' }, { to: '1950-01-01' }])
    await expect(archive.overview(wrong)).rejects.toMatchObject({ code: 'invalid_range' })
})

test('threads with problems come worst first, with numbers and a bar for each of the newest calls', async () => {
  const store = memoryStore()
  const book = relayBook({}, store)
  const talk = async (thread: string, ends: readonly ('cut' | 'length' | 'failed' | 'whole')[]): Promise<void> => {
    for (const [turn, end] of ends.entries()) {
      const relay = await book
        .thread(thread)
        .relay([{ role: 'user', content: `Question ${turn} of ${thread}` }], { alone: true })
      if (end === 'failed') await relay.stop('failed', '')
      else
        await relay.answer(said('Ferns.', { finish: end === 'length' ? 'length' : 'stop', usage: { prompt: 2 } }), {
          onUsage: () => (end === 'cut' ? 'yes' : 'no'),
        })
    }
  }
  await talk('cut once', ['whole', 'cut', 'whole'])
  await talk('cut twice', ['whole', 'cut', 'cut'])
  await talk('long ago', ['failed', ...Array.from({ length: 30 }, () => 'whole' as const)])
  await talk('fine', ['whole'])
  await talk('cut off', ['length'])
  const { problems, threads } = await openArchive(store).overview()
  expect(threads).toEqual({ count: 4, all: true })
  expect(problems.map(({ thread, reasons }) => [thread, reasons.map(({ reason, calls }) => [reason, calls])])).toEqual([
    ['cut twice', [['cut', 2]]],
    ['cut once', [['cut', 1]]],
    ['long ago', [['failed', 0]]],
    ['cut off', [['partial', 1]]],
  ])
  const [worst, , old] = problems
  expect(worst).toMatchObject({ title: 'Question 0 of cut twice', model: 'm' })
  expect(worst?.calls.map(({ read, window, problems: wrong }) => [read, window, wrong])).toEqual([
    [2, 100_000, []],
    [2, 100_000, ['cut']],
    [2, 100_000, ['cut']],
  ])
  expect(worst?.reasons[0]?.receipt).toBe(worst?.calls.at(-1)?.receipt)
  expect(old?.calls).toHaveLength(24)
  expect((await openArchive(store).overview({ limit: 1 })).problems).toHaveLength(1)
  await book.thread('cut twice').erase()
  await book.remove('cut once')
  expect((await openArchive(store).overview()).problems.map(({ thread }) => thread)).toEqual(['long ago', 'cut off'])
})

test('the name of a model that is too long for the list of models chooses its calls and its problems', async () => {
  const store = memoryStore()
  const hour = Math.floor(Date.now() / 3_600_000)
  for (const [thread, model] of [
    ['long', `${'m'.repeat(119)}\u{1f331} and more`],
    ['short', 'm'],
  ] as const) {
    const entry = entryOf({ role: 'user', content: 'What grows in the shade?' })
    await store.append(thread, [entry], {
      count: { entry: entry.id, hour, model, key: '', figures: { calls: 1 } },
      records: [{ name: recordNames.problem, key: 'failed', value: { hour, model, owner: '', entry: entry.id } }],
    })
  }
  const archive = openArchive(store)
  const [name] = (await archive.overview()).models.map((each) => each.name!).filter((each) => each.length > 1)
  for (const model of [name!, `${'m'.repeat(119)}\u{1f331} and more`]) {
    const { totals, problems } = await archive.overview({ model })
    expect([totals.calls, problems.map(({ thread }) => thread)]).toEqual([1, ['long']])
  }
})
