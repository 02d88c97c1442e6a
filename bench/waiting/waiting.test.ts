import { memoryStore, openBook } from 'minutebook'
import { expect, test } from 'vitest'
import { fill, leftTurns, settings } from './left-turns.ts'
import { heldBy } from './measure.ts'

test('a copied turn waits like the one that was run, and can be decided', async () => {
  const store = memoryStore()
  await fill(store, 'thread', await leftTurns('waiting', 2), 5)
  const book = openBook({ ...settings, store })
  const { calls } = await book.waiting()
  expect(calls.map(({ thread, call: { name }, needs }) => [thread, name, needs])).toEqual(
    [4, 3, 2, 1, 0].map((thread) => [`thread ${thread}`, 'order', 'approval']),
  )
  const { thread, id } = calls[0]!
  expect(await book.thread(thread).decide(id, { do: 'run' }).done).toMatchObject({ status: 'complete' })
  expect(await book.thread(thread).verify()).toMatchObject({ ok: true, underivable: 0 })
  expect((await book.waiting()).calls).toHaveLength(4)
})

test('a copied turn that is over leaves nothing that waits', async () => {
  const store = memoryStore()
  await fill(store, 'thread', await leftTurns('finished', 1), 3)
  const book = openBook({ ...settings, store })
  expect(await book.waiting()).toEqual({ calls: [] })
  for await (const { thread } of book.resume()) expect.unreachable(`${thread} is not over`)
})

test('turns that wait hold no timers and no handles', async () => {
  // The test runner has timers of its own, which come and go.
  expect(await heldBy(100)).toBeLessThan(20)
})
